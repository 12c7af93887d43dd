package ch.ethz.mlmq.log_analyzer.run;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The planned rate of a client JVM, from its settings and the command {@code rate}. A test compares this syntax with
 * the load's.
 *
 * @param parts one after the other; the last one stays, whatever its length
 */
public record RatePlan(List<Part> parts) {
    private static final String RATE = "(\\d{1,9}(?:\\.\\d{1,6})?)/(s|min|h)";
    private static final String TIME = "(\\d{1,12}) ?(us|ms|s|min|h)";
    private static final Pattern CONSTANT = Pattern.compile(RATE);
    private static final Pattern RAMP = Pattern.compile(RATE + " to " + RATE + " over " + TIME);
    private static final Pattern PHASE = Pattern.compile(RATE + " for " + TIME);
    private static final Map<String, Double> SECONDS = Map.of("us", 1e-6, "ms", 1e-3, "s", 1.0, "min", 60.0,
            "h", 3600.0);
    private static final double GREATEST = 10_000_000;
    private static final double MS_PER_SECOND = 1000;
    private static final MathContext DIGITS = new MathContext(9);

    /**
     * A time in which the rate is constant or changes linearly.
     *
     * @param from at first [1/s]
     * @param to   at the end [1/s]
     * @param ms   length [ms]
     */
    public record Part(double from, double to, double ms) {
        /** A part of a plan that stays. */
        static Part constant(double rate) {
            return new Part(rate, rate, 0);
        }

        private boolean isSound(boolean last) {
            return to <= GREATEST && from <= GREATEST && (last ? to > 0 : ms > 0 && (from > 0 || to == from));
        }

        /** @return the rate in words; empty if it changes */
        String level() {
            return from == to ? BigDecimal.valueOf(to).round(DIGITS).stripTrailingZeros().toPlainString() + "/s" : "";
        }
    }

    /** @return empty if the load would refuse it */
    public static Optional<RatePlan> of(String text) {
        Matcher ramp = RAMP.matcher(text);
        if (ramp.matches()) {
            double to = rate(ramp, 3);
            return to > 0 ? sound(List.of(new Part(rate(ramp, 1), to, ms(ramp, 5)), Part.constant(to)))
                    : Optional.empty();
        }
        List<Part> parts = new ArrayList<>();
        List<String> texts = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
        for (String each : texts) {
            boolean last = parts.size() == texts.size() - 1;
            Matcher form = (last ? CONSTANT : PHASE).matcher(each);
            if (!form.matches() || !text.equals(text.strip())) {
                return Optional.empty();
            }
            parts.add(new Part(rate(form, 1), rate(form, 1), last ? 0 : ms(form, 3)));
        }
        return sound(parts);
    }

    /** @return the plan of a command, in which a number without unit is a rate per second */
    public static Optional<RatePlan> ofCommand(String text) {
        return of(text.matches("[0-9.]+") ? text + "/s" : text);
    }

    /** @return the rate of that many clients, if it applies to each */
    RatePlan times(double clients) {
        return new RatePlan(parts.stream().map(part -> new Part(part.from * clients, part.to * clients, part.ms))
                .toList());
    }

    /** @return whether the rate changes by itself from one level to another */
    boolean hasPhases() {
        return parts.stream().filter(part -> part.from == part.to).count() > 1;
    }

    private static Optional<RatePlan> sound(List<Part> parts) {
        int last = parts.size() - 1;
        boolean sound = parts.get(last).isSound(true) && parts.subList(0, last).stream().allMatch(each ->
                each.isSound(false));
        return sound ? Optional.of(new RatePlan(parts)) : Optional.empty();
    }

    private static double rate(Matcher form, int group) {
        return Double.parseDouble(form.group(group)) / SECONDS.get(form.group(group + 1));
    }

    private static double ms(Matcher form, int group) {
        return Double.parseDouble(form.group(group)) * SECONDS.get(form.group(group + 1)) * MS_PER_SECOND;
    }
}
