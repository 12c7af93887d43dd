package ch.ethz.mlmq.log_analyzer.experiment;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a figure's column, such as {@code p99 [ms]}.
 *
 * @param column its title in the table
 * @param name   without the unit
 * @param unit   empty for none
 */
public record FigureName(String column, String name, String unit) {
    private static final Pattern FORM = Pattern.compile("(.*?)\\s*\\[([^\\]]*)\\]");

    public static FigureName of(String column) {
        Matcher form = FORM.matcher(column);
        return form.matches() ? new FigureName(column, form.group(1), form.group(2)) : new FigureName(column, column,
                "");
    }

    /** @return true if it has this name, with or without unit; the median is p50 */
    public boolean isCalled(String asked) {
        return column.equals(asked) || same(name).equals(same(asked));
    }

    /** @return true if more is better */
    public boolean higherIsBetter() {
        return unit.equals("1/s") && !name.contains("trend") || name.startsWith("throughput");
    }

    public boolean isTime() {
        return unit.equals("us") || unit.equals("ms") || unit.equals("s");
    }

    private static String same(String name) {
        return name.equals("median") ? "p50" : name;
    }
}
