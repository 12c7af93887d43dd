package ch.ethz.mlmq.log_analyzer.experiment;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.run.Steadiness;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a run must keep: {@code p99 < 50 ms}, {@code errors = 0}, {@code late < 1 %}, {@code queue steady}.
 *
 * @param text   as it was written
 * @param figure name of the figure, without unit
 * @param limit  in {@code unit}; empty unit: in that of the figure
 */
public record Condition(String text, String figure, String comparison, double limit, String unit) {
    private static final Pattern FORM = Pattern.compile(
            "([a-z][\\w. ]*?)\\s*(<=|>=|<|>|=)\\s*(-?\\d+(?:\\.\\d+)?)\\s*(%|us|ms|s|/s|1/s|)");
    private static final String STEADY = "queue steady";
    private static final Map<String, Double> SECONDS = Map.of("us", 1e-6, "ms", 1e-3, "s", 1.0);

    static Condition parse(String text) {
        if (text.strip().equals(STEADY)) {
            return new Condition(STEADY, Steadiness.FIGURE, "=", 1, "");
        }
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw new DataException("until: '" + text
                    + "' is no condition such as \"p99 < 50 ms\", \"errors = 0\", \"queue steady\".");
        }
        return new Condition(text, form.group(1), form.group(2), Double.parseDouble(form.group(3)), form.group(4));
    }

    /** @return whether the run keeps it; a figure that the run does not have is not kept */
    public boolean isKeptBy(Trial trial) {
        FigureName name = trial.named(figure);
        if (name == null) {
            return false;
        }
        double value = trial.figures().get(name.column());
        double scale = SECONDS.containsKey(unit) && SECONDS.containsKey(name.unit())
                ? SECONDS.get(name.unit()) / SECONDS.get(unit) : 1;
        double compared = value * scale;
        return switch (comparison) {
            case "<" -> compared < limit;
            case "<=" -> compared <= limit;
            case ">" -> compared > limit;
            case ">=" -> compared >= limit;
            default -> compared == limit;
        };
    }
}
