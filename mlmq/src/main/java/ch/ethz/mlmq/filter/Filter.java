package ch.ethz.mlmq.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Selects messages by their properties, priority and context: a message selector of JMS 1.1. It is true, false, or
 * unknown because a message lacks a value; it takes a message for which it is true. Immutable.
 *
 * <p>Values of unlike types never compare: a comparison of them is false. So is a condition that is neither true nor
 * false, such as a number. An operation with a value that is no number, and a division of an integer by zero, have no
 * value.
 */
public final class Filter {
    /** Most characters of a filter. */
    public static final int MAX_CHARS = 4_096;
    /** Takes every message. */
    public static final Filter ALL = new Filter(new Expression.Literal(true), 0);

    /** The greatest integer up to which each integer is a real of its own. */
    private static final long GREATEST_EXACT = 1L << 53;
    /** Bytes of an expression for each character of its text, about. */
    private static final int BYTES_OF_A_CHAR = 24;
    private static final int BYTES = 200;

    private final Expression condition;
    private final int chars;

    private Filter(Expression condition, int chars) {
        this.condition = condition;
        this.chars = chars;
    }

    /**
     * Reads a filter; an empty one takes every message.
     *
     * @throws FilterException if it is none, or longer than {@link #MAX_CHARS}
     */
    public static Filter parse(String text) throws FilterException {
        if (text.length() > MAX_CHARS) {
            throw new FilterException("a filter has at most " + MAX_CHARS + " characters, not " + text.length());
        }
        if (text.indexOf('\0') >= 0) {
            throw new FilterException("a filter has no characters 0");
        }
        return text.isBlank() ? ALL : new Filter(Parser.parse(text), text.length());
    }

    /** @return true if the filter is true for the message */
    public boolean takes(FilteredMessage message) {
        return condition.truth(message) == Boolean.TRUE;
    }

    /** @return bytes that it takes in memory, about */
    public int bytes() {
        return BYTES + BYTES_OF_A_CHAR * chars + patternBytes(condition);
    }

    /**
     * An equality without which a filter is not true.
     *
     * @param name   of the value
     * @param values of which it has one: each a String, a Boolean, or a Long that is exact as a real
     * @param rest   what must be true besides
     */
    record Equality(String name, Set<Object> values, Filter rest) {
    }

    /** @return null if there is none that an index can serve */
    Equality equality() {
        if (condition instanceof Expression.And and) {
            for (int i = 0; i < and.conditions().size(); i++) {
                Equality equality = equality(and.conditions().get(i), without(and.conditions(), i));
                if (equality != null) {
                    return equality;
                }
            }
            return null;
        }
        return equality(condition, ALL);
    }

    private Filter without(List<Expression> conditions, int one) {
        List<Expression> others = new ArrayList<>(conditions);
        others.remove(one);
        return new Filter(others.size() == 1 ? others.get(0) : new Expression.And(List.copyOf(others)), chars);
    }

    private static Equality equality(Expression condition, Filter rest) {
        if (condition instanceof Expression.Comparison comparison && comparison.operator() == Operator.EQUAL
                && comparison.one() instanceof Expression.Name name
                && comparison.other() instanceof Expression.Literal literal && isIndexed(literal.value())) {
            return new Equality(name.name(), Set.of(literal.value()), rest);
        }
        if (condition instanceof Expression.In in && in.value() instanceof Expression.Name name
                && in.values().stream().allMatch(Filter::isIndexed)) {
            return new Equality(name.name(), in.values(), rest);
        }
        return null;
    }

    private static boolean isIndexed(Object value) {
        return value instanceof Long integer ? -GREATEST_EXACT <= integer && integer <= GREATEST_EXACT
                : !(value instanceof Double);
    }

    /** @return the value as an index has it; a real that is an integer as that integer */
    static Object indexed(Object value) {
        if (value instanceof Double real && Math.abs(real) <= GREATEST_EXACT && real == Math.rint(real)) {
            return real.longValue();
        }
        return value;
    }

    private static int patternBytes(Expression part) {
        if (part instanceof Expression.Like like) {
            return like.pattern().bytes();
        }
        if (part instanceof Expression.Not not) {
            return patternBytes(not.condition());
        }
        if (part instanceof Expression.And and) {
            return and.conditions().stream().mapToInt(Filter::patternBytes).sum();
        }
        return part instanceof Expression.Or or ? or.conditions().stream().mapToInt(Filter::patternBytes).sum() : 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Filter filter && condition.equals(filter.condition);
    }

    @Override
    public int hashCode() {
        return condition.hashCode();
    }
}
