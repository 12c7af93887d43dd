package ch.ethz.mlmq.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Syntax of a value in a properties file.
 *
 * @param <T> type of the value
 */
public interface Grammar<T> {
    /**
     * @return the value; never null
     * @throws IllegalArgumentException if the text breaks the grammar; the message completes "key=text: ..."
     */
    T parse(String text);

    /** Describes the valid values in a few words, such as {@code 1..512}. */
    String range();

    /** A whole number from {@code min} to {@code max}, both included. */
    static Grammar<Integer> integer(int min, int max) {
        return of(min + ".." + max, text -> Math.toIntExact(whole(text, min, max)));
    }

    /** A whole number from {@code min} to {@code max}, both included. */
    static Grammar<Long> wholeNumber(long min, long max) {
        return of(max == Long.MAX_VALUE ? min + ".." : min + ".." + max, text -> whole(text, min, max));
    }

    /** A number with decimals from {@code min} to {@code max}, both included. */
    static Grammar<Double> decimal(double min, double max) {
        return of(min + ".." + max, text -> {
            double value = number(text);
            require(value >= min && value <= max, "must be %s..%s", min, max);
            return value;
        });
    }

    /** {@code true} or {@code false}. */
    static Grammar<Boolean> flag() {
        return of("true|false", text -> {
            require(text.equals("true") || text.equals("false"), "must be true or false");
            return text.equals("true");
        });
    }

    /** Any text, including the empty one. */
    static Grammar<String> text(String meaning) {
        return of(meaning, text -> text);
    }

    /** One of a fixed set, written in lower case. */
    static <E extends Enum<E>> Grammar<E> oneOf(Class<E> type) {
        List<String> names = Arrays.stream(type.getEnumConstants()).map(e -> e.name().toLowerCase(Locale.ROOT))
                .toList();
        return of(String.join("|", names), text -> {
            int index = names.indexOf(text);
            require(index >= 0, "must be one of %s", String.join(", ", names));
            return type.getEnumConstants()[index];
        });
    }

    /** A length of time such as {@code 500us}, {@code 250ms}, {@code 10s}, {@code 2min}, {@code 1h}, or {@code 0}. */
    static Grammar<Duration> duration(String min, String max) {
        return of(min + ".." + max, text -> {
            Duration value = Units.duration(text);
            require(value.compareTo(Units.duration(min)) >= 0 && value.compareTo(Units.duration(max)) <= 0,
                    "must be %s..%s", min, max);
            return value;
        });
    }

    /**
     * @param range  the valid values, for people
     * @param parser throws {@link IllegalArgumentException} for invalid text
     */
    static <T> Grammar<T> of(String range, Function<String, T> parser) {
        return new Grammar<>() {
            @Override
            public T parse(String text) {
                return parser.apply(text);
            }

            @Override
            public String range() {
                return range;
            }
        };
    }

    /** @throws IllegalArgumentException with the formatted message if the condition is false */
    static void require(boolean condition, String message, Object... arguments) {
        if (!condition) {
            throw new IllegalArgumentException(String.format(Locale.ROOT, message, arguments));
        }
    }

    private static long whole(String text, long min, long max) {
        long value;
        try {
            value = Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("must be a whole number " + min + ".." + max, e);
        }
        require(value >= min && value <= max, "must be %d..%d", min, max);
        return value;
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("must be a number", e);
        }
    }
}
