package ch.ethz.mlmq.filter;

import ch.ethz.mlmq.protocol.MessageProperties;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Makes filters with a naive evaluation of their own, and messages for them. The same seed makes the same ones. */
final class RandomFilters {
    private static final String[] NAMES = {"a", "b", "c", "d", "e"};
    private static final String[] TEXTS = {"", "x", "xy", "x_y", "yxy", "it's", "%"};
    private static final String[] PATTERNS = {"%", "x%", "%y", "_", "x_y", "%x%", "!%", "x!_y", "", "%y%y"};
    private static final String[] SIGNS = {"=", "<>", "<", "<=", ">", ">="};

    private final SplittableRandom random;

    RandomFilters(long seed) {
        random = new SplittableRandom(seed);
    }

    /**
     * A filter, or a part of one.
     *
     * @param value naive evaluation: a String, Long, Double, Boolean or null
     */
    record Sample(String text, Function<FilteredMessage, Object> value) {
        Boolean truth(FilteredMessage message) {
            Object is = value.apply(message);
            return is == null ? null : Boolean.TRUE.equals(is);
        }
    }

    FilteredMessage message() {
        MessageProperties properties = MessageProperties.NONE;
        for (String name : NAMES) {
            properties = switch (random.nextInt(6)) {
                case 0 -> properties.with(name, random.nextLong(-3, 4));
                case 1 -> properties.with(name, random.nextInt(-6, 7) / 2.0);
                case 2, 3 -> properties.with(name, text());
                case 4 -> properties.with(name, random.nextBoolean());
                default -> properties;
            };
        }
        return new FilteredMessage(properties, random.nextInt(1, 11), random.nextInt(3));
    }

    Sample filter() {
        return condition(3);
    }

    private Sample condition(int depth) {
        return switch (depth == 0 ? random.nextInt(3, 9) : random.nextInt(9)) {
            case 0 -> junction(depth, " AND ", false);
            case 1 -> junction(depth, " OR ", true);
            case 2 -> {
                Sample inner = condition(depth - 1);
                yield new Sample("NOT (" + inner.text + ")", message -> not(inner.truth(message)));
            }
            case 3 -> comparison();
            case 4 -> between();
            case 5 -> in();
            case 6 -> like();
            case 7 -> isNull();
            default -> name();
        };
    }

    /** @param decides the truth of one part that decides the whole */
    private Sample junction(int depth, String word, boolean decides) {
        List<Sample> parts = IntStream.range(0, random.nextInt(2, 4)).mapToObj(i -> condition(depth - 1)).toList();
        return new Sample(parts.stream().map(part -> "(" + part.text + ")").collect(Collectors.joining(word)),
                message -> {
                    List<String> truths = parts.stream().map(part -> String.valueOf(part.truth(message))).toList();
                    if (truths.contains(String.valueOf(decides))) {
                        return decides;
                    }
                    return truths.contains("null") ? null : !decides;
                });
    }

    private Sample comparison() {
        String sign = SIGNS[random.nextInt(SIGNS.length)];
        boolean equality = sign.equals("=") || sign.equals("<>");
        Sample one = equality ? value() : number(2);
        Sample other = equality ? value() : number(2);
        return new Sample(one.text + " " + sign + " " + other.text, message ->
                compare(one.value.apply(message), sign, other.value.apply(message)));
    }

    private Sample between() {
        Sample value = number(1);
        Sample least = number(1);
        Sample most = number(1);
        boolean negated = random.nextBoolean();
        return new Sample(value.text + (negated ? " NOT" : "") + " BETWEEN " + least.text + " AND " + most.text,
                message -> {
                    Object actual = value.value.apply(message);
                    Boolean one = compare(actual, negated ? "<" : ">=", least.value.apply(message));
                    Boolean other = compare(actual, negated ? ">" : "<=", most.value.apply(message));
                    Boolean decides = negated;
                    if (decides.equals(one) || decides.equals(other)) {
                        return decides;
                    }
                    return one == null || other == null ? null : !decides;
                });
    }

    private Sample in() {
        Sample value = name();
        List<Sample> listed = IntStream.range(0, random.nextInt(1, 4)).mapToObj(i -> random.nextInt(4) == 0
                ? integer() : string()).toList();
        boolean negated = random.nextBoolean();
        return new Sample(value.text + (negated ? " NOT" : "") + " IN ("
                + listed.stream().map(Sample::text).collect(Collectors.joining(", ")) + ")", message -> {
                    Object actual = value.value.apply(message);
                    boolean found = listed.stream().anyMatch(one ->
                            Boolean.TRUE.equals(compare(actual, "=", one.value.apply(message))));
                    return actual == null ? null : found != negated;
                });
    }

    private Sample like() {
        Sample value = name();
        String pattern = PATTERNS[random.nextInt(PATTERNS.length)];
        boolean negated = random.nextBoolean();
        Pattern regex = Pattern.compile(pattern.replaceAll("!?.", "$0\n").lines().map(one -> switch (one) {
            case "%" -> ".*";
            case "_" -> ".";
            default -> Pattern.quote(one.replaceFirst("!(.)", "$1"));
        }).collect(Collectors.joining()), Pattern.DOTALL);
        return new Sample(value.text + (negated ? " NOT" : "") + " LIKE '" + pattern + "' ESCAPE '!'", message -> {
            Object actual = value.value.apply(message);
            boolean matches = actual instanceof String text && regex.matcher(text).matches();
            return actual == null ? null : matches != negated;
        });
    }

    private Sample isNull() {
        Sample value = name();
        boolean negated = random.nextBoolean();
        return new Sample(value.text + " IS " + (negated ? "NOT " : "") + "NULL",
                message -> (value.value.apply(message) == null) != negated);
    }

    private Sample value() {
        return switch (random.nextInt(6)) {
            case 0 -> string();
            case 1 -> new Sample("TRUE", message -> true);
            case 2 -> number(2);
            default -> name();
        };
    }

    private Sample number(int depth) {
        return switch (random.nextInt(depth == 0 ? 3 : 5)) {
            case 0 -> integer();
            case 1 -> {
                double real = random.nextInt(-6, 7) / 2.0;
                yield new Sample(String.valueOf(real), message -> real);
            }
            case 2 -> name();
            case 3 -> {
                Sample inner = number(depth - 1);
                yield new Sample("-(" + inner.text + ")", message -> compute(0L, '-', inner.value.apply(message)));
            }
            default -> {
                Sample one = number(depth - 1);
                Sample other = number(depth - 1);
                char sign = "+-*/".charAt(random.nextInt(4));
                yield new Sample("(" + one.text + ") " + sign + " (" + other.text + ")", message ->
                        compute(one.value.apply(message), sign, other.value.apply(message)));
            }
        };
    }

    private Sample name() {
        int which = random.nextInt(NAMES.length + 2);
        if (which < NAMES.length) {
            return new Sample(NAMES[which], message -> message.properties().get(NAMES[which]));
        }
        return which == NAMES.length ? new Sample(NAMES[0], message -> message.properties().get(NAMES[0]))
                : new Sample(NAMES[1], message -> message.properties().get(NAMES[1]));
    }

    private Sample integer() {
        long integer = random.nextInt(-3, 4);
        return new Sample(String.valueOf(integer), message -> integer);
    }

    private Sample string() {
        String text = text();
        return new Sample("'" + text.replace("'", "''") + "'", message -> text);
    }

    private String text() {
        return TEXTS[random.nextInt(TEXTS.length)];
    }

    private static Boolean not(Boolean truth) {
        return truth == null ? null : !truth;
    }

    private static Boolean compare(Object one, String sign, Object other) {
        if (one == null || other == null) {
            return null;
        }
        if (one instanceof Number first && other instanceof Number second) {
            double difference = first.doubleValue() - second.doubleValue();
            return switch (sign) {
                case "=" -> first.doubleValue() == second.doubleValue();
                case "<>" -> first.doubleValue() != second.doubleValue();
                case "<" -> difference < 0;
                case "<=" -> first.doubleValue() <= second.doubleValue();
                case ">" -> difference > 0;
                default -> first.doubleValue() >= second.doubleValue();
            };
        }
        boolean alike = one.getClass() == other.getClass();
        return sign.equals("=") ? alike && one.equals(other) : sign.equals("<>") && alike && !one.equals(other);
    }

    private static Object compute(Object one, char sign, Object other) {
        if (!(one instanceof Number first) || !(other instanceof Number second)) {
            return null;
        }
        if (first instanceof Double || second instanceof Double) {
            double left = first.doubleValue();
            double right = second.doubleValue();
            return switch (sign) {
                case '+' -> left + right;
                case '-' -> left - right;
                case '*' -> left * right;
                default -> left / right;
            };
        }
        if (sign == '/') {
            return second.longValue() == 0 ? null : (Object) (first.longValue() / second.longValue());
        }
        return Math.round(((Number) compute(first.doubleValue(), sign, second.doubleValue())).doubleValue());
    }
}
