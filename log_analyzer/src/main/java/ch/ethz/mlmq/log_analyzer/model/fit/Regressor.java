package ch.ethz.mlmq.log_analyzer.model.fit;

import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A term of a model: {@code 1}, a column ({@code filters}), its power ({@code filters^1.5}), or a product of these
 * ({@code components*filters}).
 */
public record Regressor(String text, List<Factor> factors) {
    private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)?([eE][+-]?\\d+)?");
    private static final Pattern POWER = Pattern.compile("([A-Za-z_][\\w.]*)(?:\\^(-?\\d+(?:\\.\\d+)?))?");

    /** A factor of a term. @param column empty for a number, which is the power then */
    record Factor(String column, double power) {
    }

    /** @param form terms with commas between, such as {@code 1,filters,copies} */
    public static List<Regressor> form(String form) {
        List<Regressor> terms = Arrays.stream(form.split(",", -1)).map(term -> of(term.strip())).toList();
        if (terms.stream().map(Regressor::text).distinct().count() < terms.size()) {
            throw new UsageException("The form " + form + " has a term twice.");
        }
        return terms;
    }

    static Regressor of(String text) {
        List<Factor> factors = new ArrayList<>();
        for (String part : text.split("\\*", -1)) {
            Matcher power = POWER.matcher(part.strip());
            if (power.matches()) {
                factors.add(new Factor(power.group(1), power.group(2) == null ? 1
                        : Double.parseDouble(power.group(2))));
            } else if (NUMBER.matcher(part.strip()).matches()) {
                factors.add(new Factor("", Double.parseDouble(part.strip())));
            } else {
                throw new UsageException("'" + text
                        + "' is not a term: write one such as 1, filters, filters^1.5 or components*filters.");
            }
        }
        return new Regressor(text, factors);
    }

    /** @return its value in each row */
    double[] values(Observations table) {
        double[] values = new double[table.rows().size()];
        Arrays.fill(values, 1);
        for (Factor factor : factors) {
            double[] column = factor.column().isEmpty() ? null : table.column(factor.column());
            for (int i = 0; i < values.length; i++) {
                values[i] *= column == null ? factor.power() : Math.pow(column[i], factor.power());
            }
        }
        return values;
    }
}
