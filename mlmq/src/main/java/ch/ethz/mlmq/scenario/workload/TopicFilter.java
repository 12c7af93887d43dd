package ch.ethz.mlmq.scenario.workload;

import ch.ethz.mlmq.config.Grammar;
import ch.ethz.mlmq.protocol.MessageProperties;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The filters of a load's subscriptions, and the messages that fit them. All messages are alike to filters: a
 * subscription gets all of them or none.
 *
 * @param kind       what a filter compares
 * @param components number of its comparisons or values
 */
public record TopicFilter(Kind kind, int components) {
    /** The syntax, such as {@code property} or {@code and 3}. */
    public static final Grammar<TopicFilter> GRAMMAR = Grammar.of(
            "none|context|property|and 3|and 3 early|or 3|in 3|range", TopicFilter::parse);

    private static final int MOST_COMPONENTS = 64;
    private static final int WIDTH = 10;
    private static final Pattern VALUE = Pattern.compile("'([^']*)'");
    private static final Pattern COMPARISON = Pattern.compile("(\\$?\\w+) = (?:(\\d+)|'([^']*)')");
    private static final Pattern COMPOSED = Pattern.compile("(and|or|in) (\\d{1,2})( early)?");

    /** What a filter compares. */
    public enum Kind {
        /** Nothing: it takes every message. */
        NONE,
        /** The context of the message, which has the part of JMS's correlation id. */
        CONTEXT,
        /** A property. */
        PROPERTY,
        /** Several properties, of which other filters differ in the last one. */
        AND,
        /** Several properties, of which other filters differ in the first one, so that one comparison suffices. */
        AND_EARLY,
        /** One property with several values, each in a comparison of its own. */
        OR,
        /** One property with a list of values. */
        IN,
        /** A number with two bounds. */
        RANGE
    }

    /** @return the filter of subscriptions that get each message; empty for one that takes all */
    public String matching() {
        return filter(0);
    }

    /**
     * @param number 0 or more; each makes another filter
     * @return the filter of a subscription that gets no message
     * @throws IllegalStateException if filters of this kind take every message
     */
    public String other(int number) {
        if (kind == Kind.NONE) {
            throw new IllegalStateException("without a filter each subscription gets each message");
        }
        return filter(number + 1);
    }

    /**
     * Takes a filter of a load apart, for systems with other words for it.
     *
     * @return it takes a message if all comparisons of one of these hold; the context has the name {@code $context}
     * @throws IllegalArgumentException if it has bounds
     */
    public static List<Map<String, Object>> alternatives(String filter) {
        if (filter.contains(" BETWEEN ")) {
            throw new IllegalArgumentException(filter + " has bounds, and not only comparisons");
        }
        if (filter.contains(" OR ") || filter.contains(" IN ")) {
            return VALUE.matcher(filter).results().map(value -> Map.<String, Object>of("id", value.group(1))).toList();
        }
        Map<String, Object> all = new LinkedHashMap<>();
        COMPARISON.matcher(filter).results().forEach(one ->
                all.put(one.group(1), one.group(3) == null ? Long.valueOf(one.group(2)) : one.group(3)));
        return List.of(all);
    }

    /** @return true if there can be subscriptions that get no message */
    public boolean selects() {
        return kind != Kind.NONE;
    }

    /** @return the properties of each message */
    public MessageProperties properties() {
        return switch (kind) {
            case NONE, CONTEXT -> MessageProperties.NONE;
            case PROPERTY, OR, IN -> MessageProperties.NONE.with("id", "0");
            case RANGE -> MessageProperties.NONE.with("n", 0);
            case AND, AND_EARLY -> {
                MessageProperties properties = MessageProperties.NONE;
                for (int i = 1; i <= components; i++) {
                    properties = properties.with("p" + i, "0");
                }
                yield properties;
            }
        };
    }

    /** @return the context of each message; 0 for none */
    public long context() {
        return kind == Kind.CONTEXT ? 1 : 0;
    }

    private String filter(int number) {
        return switch (kind) {
            case NONE -> "";
            case CONTEXT -> "$context = " + (number + 1);
            case PROPERTY -> "id = '" + number + "'";
            case AND -> joined(" AND ", i -> "p" + i + " = '" + (i == components ? number : 0) + "'");
            case AND_EARLY -> joined(" AND ", i -> "p" + i + " = '" + (i == 1 ? number : 0) + "'");
            case OR -> joined(" OR ", i -> "id = " + value(number, i));
            case IN -> "id IN (" + joined(", ", i -> value(number, i)) + ")";
            case RANGE -> "n BETWEEN " + number * WIDTH + " AND " + (number * WIDTH + WIDTH - 1);
        };
    }

    /** The last value of the filter of number 0 is that of the messages. */
    private String value(int number, int component) {
        return "'" + (components * number + components - component) + "'";
    }

    private String joined(String by, IntFunction<String> component) {
        return IntStream.rangeClosed(1, components).mapToObj(component).collect(Collectors.joining(by));
    }

    private static TopicFilter parse(String text) {
        Matcher composed = COMPOSED.matcher(text);
        if (composed.matches()) {
            int components = Integer.parseInt(composed.group(2));
            Grammar.require(components >= 1 && components <= MOST_COMPONENTS, "must have 1..%d comparisons or values",
                    MOST_COMPONENTS);
            boolean early = composed.group(3) != null;
            Kind kind = Kind.valueOf(composed.group(1).toUpperCase(Locale.ROOT));
            Grammar.require(!early || kind == Kind.AND, "only filters with and can differ early");
            return new TopicFilter(early ? Kind.AND_EARLY : kind, components);
        }
        return switch (text) {
            case "none" -> new TopicFilter(Kind.NONE, 0);
            case "context" -> new TopicFilter(Kind.CONTEXT, 1);
            case "property" -> new TopicFilter(Kind.PROPERTY, 1);
            case "range" -> new TopicFilter(Kind.RANGE, 1);
            default -> throw new IllegalArgumentException("must be none, context, property, and 3, and 3 early, or 3, "
                    + "in 3 or range, with any number of comparisons or values");
        };
    }
}
