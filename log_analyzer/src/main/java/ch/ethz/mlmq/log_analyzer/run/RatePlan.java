package ch.ethz.mlmq.log_analyzer.run;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The planned rate of a client JVM, from its settings and the command {@code rate}. A test compares this syntax with
 * the load's.
 *
 * @param from at first [1/s]
 * @param to   at the end [1/s]
 * @param ms   duration of the change [ms], 0 for a constant rate
 */
public record RatePlan(double from, double to, long ms) {
    private static final String RATE = "(\\d{1,9}(?:\\.\\d{1,6})?)/(s|min|h)";
    private static final Pattern FORM = Pattern.compile(RATE + "(?: to " + RATE
            + " over (\\d{1,12}) ?(us|ms|s|min|h))?");
    private static final Map<String, Double> SECONDS = Map.of("us", 1e-6, "ms", 1e-3, "s", 1.0, "min", 60.0,
            "h", 3600.0);
    private static final double GREATEST = 10_000_000;
    private static final double MS_PER_SECOND = 1000;
    private static final MathContext DIGITS = new MathContext(9);

    /** @return empty if the load would refuse it */
    public static Optional<RatePlan> of(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return Optional.empty();
        }
        double from = rate(form.group(1), form.group(2));
        boolean ramp = form.group(3) != null;
        double to = ramp ? rate(form.group(3), form.group(4)) : from;
        long ms = ramp ? Math.round(Double.parseDouble(form.group(5)) * SECONDS.get(form.group(6)) * MS_PER_SECOND) : 0;
        boolean sound = from > 0 && to > 0 && from <= GREATEST && to <= GREATEST
                && (!ramp || Double.parseDouble(form.group(5)) > 0);
        return sound ? Optional.of(new RatePlan(from, to, ms)) : Optional.empty();
    }

    /** @return the plan of a command, in which a number without unit is a rate per second */
    public static Optional<RatePlan> ofCommand(String text) {
        return of(text.matches("[0-9.]+") ? text + "/s" : text);
    }

    /** @return the rate of that many clients, if it applies to each */
    RatePlan times(double clients) {
        return new RatePlan(from * clients, to * clients, ms);
    }

    /** @return the rate in the end, in words */
    String level() {
        return BigDecimal.valueOf(to).round(DIGITS).stripTrailingZeros().toPlainString() + "/s";
    }

    private static double rate(String count, String unit) {
        return Double.parseDouble(count) / SECONDS.get(unit);
    }
}
