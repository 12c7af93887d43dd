package ch.ethz.mlmq.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses times and rates with units. */
public final class Units {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,12})(us|ms|s|min|h)");
    private static final Pattern RATE = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)/(s|min|h)");

    private Units() {
    }

    /**
     * @param text such as {@code 500us}, {@code 250ms}, {@code 10s}, {@code 2min}, {@code 1h}; {@code 0} needs no unit
     * @throws IllegalArgumentException if the text is not a time
     */
    public static Duration duration(String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        Matcher matcher = DURATION.matcher(text);
        Grammar.require(matcher.matches(), "must be a duration such as 250ms, 10s, 2min or 1h");
        long count = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "us" -> Duration.ofNanos(Math.multiplyExact(count, 1_000L));
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "min" -> Duration.ofMinutes(count);
            default -> Duration.ofHours(count);
        };
    }

    /**
     * @param text such as {@code 100/s}, {@code 6000/min}; {@code 0} needs no unit
     * @return the rate [1/s]
     * @throws IllegalArgumentException if the text is not a rate
     */
    public static double rate(String text) {
        if (text.equals("0")) {
            return 0;
        }
        Matcher matcher = RATE.matcher(text);
        Grammar.require(matcher.matches(), "must be a rate such as 100/s or 6000/min");
        double count = Double.parseDouble(matcher.group(1));
        return switch (matcher.group(2)) {
            case "s" -> count;
            case "min" -> count / 60;
            default -> count / 3600;
        };
    }
}
