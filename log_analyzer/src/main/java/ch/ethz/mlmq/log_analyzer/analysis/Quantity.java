package ch.ethz.mlmq.log_analyzer.analysis;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A level that is a number, such as {@code 8}, {@code 100/s} or {@code 500ms}.
 *
 * @param number in its original form
 * @param unit   in its original form; empty for none
 */
public record Quantity(double number, String unit) {
    private static final Pattern FORM = Pattern.compile("(-?\\d+(?:\\.\\d+)?)\\s*(/s|us|ms|s|min|h|%|)");
    private static final Map<String, Double> SECONDS = Map.of("us", 1e-6, "ms", 1e-3, "s", 1.0, "min", 60.0, "h",
            3600.0);

    /** @return empty if it is no number */
    public static Optional<Quantity> of(String level) {
        Matcher form = FORM.matcher(level);
        return form.matches() ? Optional.of(new Quantity(Double.parseDouble(form.group(1)), form.group(2)))
                : Optional.empty();
    }

    public boolean isTime() {
        return SECONDS.containsKey(unit);
    }

    /** @return a time in seconds, so that times in several units are comparable; other quantities unchanged */
    public double inSeconds() {
        return number * SECONDS.getOrDefault(unit, 1.0);
    }
}
