package ch.ethz.mlmq.log_analyzer.analysis;

import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A limit for a comparison: {@code p99 > +10 %} or {@code throughput < -5 %} against the baseline, {@code errors > 1 %}
 * and {@code mean > 20 ms} (without a sign) for the figure itself.
 *
 * @param metric   figure that is limited
 * @param above    whether more than the limit fails, or less
 * @param relative whether the limit is a change in per cent
 * @param limit    per cent of change, or the figure in its unit
 * @param text     as it was written
 */
public record FailIf(Metric metric, boolean above, boolean relative, double limit, String text) {
    private static final Pattern FORM =
            Pattern.compile("\\s*(\\S+?)\\s*([<>])\\s*([+-]?)(\\d+(?:\\.\\d+)?)\\s*(%|us|ms|s|/s|1/s|MB/s)?\\s*");
    private static final double US_PER_MS = 1e3;
    private static final double US_PER_S = 1e6;
    private static final double BYTES_PER_MB = 1e6;

    public static FailIf parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new UsageException("'" + text + "' is not a limit such as 'p99 > +10 %' or 'errors > 1 %'.");
        }
        Metric metric = Metric.named(form.group(1));
        boolean relative = !form.group(3).isEmpty();
        String unit = form.group(5) == null ? "" : form.group(5);
        if (relative && !unit.equals("%")) {
            throw new UsageException("'" + text + "': a change is given in per cent, e.g. +10 %.");
        }
        if (!relative && !unitsOf(metric).contains(" " + unit + " ")) {
            throw new UsageException("'" + text + "': " + metric.name() + " is given in" + unitsOf(metric)
                    .replace("  ", " ") + "; a change has a sign, e.g. +10 %.");
        }
        double scale = switch (unit) {
            case "ms" -> US_PER_MS;
            case "s" -> US_PER_S;
            case "MB/s" -> BYTES_PER_MB;
            default -> 1;
        };
        double limit = Double.parseDouble(form.group(4)) * scale * (form.group(3).equals("-") ? -1 : 1);
        return new FailIf(metric, form.group(2).equals(">"), relative, limit, text.strip());
    }

    /** What became of a limit. */
    public enum Outcome {
        KEPT, BROKEN, UNTOLD
    }

    /**
     * A change within noise breaks no limit, a figure that there is not breaks all. Whether a change beyond the limit
     * is more than noise cannot be told without an interval.
     */
    public Outcome outcome(Comparison.Difference difference) {
        double figure = relative ? difference.percent() : difference.value();
        if (Double.isNaN(figure)) {
            return Outcome.BROKEN;
        }
        boolean beyond = above ? figure > limit : figure < limit;
        if (!beyond || relative && difference.verdict() == Comparison.Verdict.NOISE) {
            return Outcome.KEPT;
        }
        return relative && Double.isFinite(figure) && difference.verdict() == Comparison.Verdict.UNKNOWN
                ? Outcome.UNTOLD : Outcome.BROKEN;
    }

    private static String unitsOf(Metric metric) {
        return switch (metric.unit()) {
            case "us" -> " us ms s ";
            case "%" -> " % ";
            case "B/s" -> " MB/s ";
            default -> " /s 1/s ";
        };
    }
}
