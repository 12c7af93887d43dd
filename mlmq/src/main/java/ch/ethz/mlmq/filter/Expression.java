package ch.ethz.mlmq.filter;

import java.util.List;
import java.util.Set;

/**
 * A part of a filter. Its value for a message is a String, a Long, a Double or a Boolean; null stands for a missing
 * value and for what is unknown because of one.
 */
sealed interface Expression {
    /** What an expression can be, as far as its text tells. */
    enum Kind { ANY, TEXT, NUMBER, TRUTH }

    Object of(FilteredMessage message);

    Kind kind();

    /** @return whether it is true; null if that is unknown. A value that is neither true nor false is not true */
    default Boolean truth(FilteredMessage message) {
        Object value = of(message);
        return value == null || value instanceof Boolean ? (Boolean) value : Boolean.FALSE;
    }

    /** A value that a message may have. */
    record Name(String name) implements Expression {
        @Override
        public Object of(FilteredMessage message) {
            return message.get(name);
        }

        @Override
        public Kind kind() {
            return name.startsWith("$") ? Kind.NUMBER : Kind.ANY;
        }
    }

    record Literal(Object value) implements Expression {
        @Override
        public Object of(FilteredMessage message) {
            return value;
        }

        @Override
        public Kind kind() {
            if (value instanceof String) {
                return Kind.TEXT;
            }
            return value instanceof Boolean ? Kind.TRUTH : Kind.NUMBER;
        }
    }

    record Negative(Expression value) implements Expression {
        @Override
        public Object of(FilteredMessage message) {
            Object number = value.of(message);
            if (number instanceof Long integer) {
                return -integer;
            }
            return number instanceof Double real ? -real : null;
        }

        @Override
        public Kind kind() {
            return Kind.NUMBER;
        }
    }

    /** A value and what is added to it, or multiplied with it, one after the other. */
    record Arithmetic(Expression first, List<Step> steps) implements Expression {
        record Step(Operator operator, Expression value) {
        }

        @Override
        public Object of(FilteredMessage message) {
            Object result = first.of(message) instanceof Number number ? number : null;
            for (Step step : steps) {
                Object value = result == null ? null : step.value.of(message);
                result = value == null ? null : step.operator.compute(result, value);
            }
            return result;
        }

        @Override
        public Kind kind() {
            return Kind.NUMBER;
        }
    }

    /** A condition, which is true, false or unknown. */
    sealed interface Condition extends Expression {
        @Override
        default Kind kind() {
            return Kind.TRUTH;
        }
    }

    record Comparison(Expression one, Operator operator, Expression other) implements Condition {
        @Override
        public Object of(FilteredMessage message) {
            Object first = one.of(message);
            Object second = first == null ? null : other.of(message);
            return second == null ? null : operator.holds(first, second);
        }
    }

    record In(Expression value, Set<Object> values) implements Condition {
        @Override
        public Object of(FilteredMessage message) {
            Object actual = value.of(message);
            if (actual == null || actual instanceof String) {
                return actual == null ? null : values.contains(actual);
            }
            return values.stream().anyMatch(listed -> Operator.EQUAL.holds(actual, listed));
        }
    }

    record Like(Expression value, LikePattern pattern) implements Condition {
        @Override
        public Object of(FilteredMessage message) {
            Object actual = value.of(message);
            return actual == null ? null : actual instanceof String text && pattern.matches(text);
        }
    }

    record IsNull(Expression value) implements Condition {
        @Override
        public Object of(FilteredMessage message) {
            return value.of(message) == null;
        }
    }

    record Not(Expression condition) implements Condition {
        @Override
        public Object of(FilteredMessage message) {
            Boolean truth = condition.truth(message);
            return truth == null ? null : !truth;
        }
    }

    record And(List<Expression> conditions) implements Condition {
        @Override
        public Object of(FilteredMessage message) {
            return allAre(true, conditions, message);
        }
    }

    record Or(List<Expression> conditions) implements Condition {
        @Override
        public Object of(FilteredMessage message) {
            return allAre(false, conditions, message);
        }
    }

    /** @return that truth if all conditions have it; the other one if one has that; else null */
    private static Boolean allAre(boolean expected, List<Expression> conditions, FilteredMessage message) {
        Boolean result = expected;
        for (Expression condition : conditions) {
            Boolean truth = condition.truth(message);
            if (truth == null) {
                result = null;
            } else if (truth != expected) {
                return truth;
            }
        }
        return result;
    }
}
