package ch.ethz.mlmq.log_analyzer.model.fit;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Fits B = Σ β_j g_j(x), β_j ≥ 0: service time [s] over regressors. R. Henjes, <i>Performance Evaluation of
 * Publish/Subscribe Middleware Architectures</i>, Würzburg 2010, (4.8)–(4.12). Rows have relative weights, so that
 * small values are fitted as precisely, in per cent, as large ones. Absolute weights would leave the constant
 * undetermined.
 *
 * @param terms        of the form
 * @param coefficients one for each term, in seconds a unit of it
 * @param measured     service times [s]
 * @param fitted       service times of the model [s]
 */
public record ServiceTimeFit(List<Regressor> terms, double[] coefficients, double[] measured, double[] fitted,
        double[][] design) {
    private static final int FOLDS = 10;
    /** Share of a column not explained by earlier ones, below which it is only rounding. */
    private static final double RANK = 1e-7;
    private static final long SEED = 20_101_019;

    /** @throws DataException if the table does not determine the form, with the reason */
    public static ServiceTimeFit of(List<Regressor> terms, Observations table, double[] times) {
        double[][] design = new double[times.length][terms.size()];
        for (int j = 0; j < terms.size(); j++) {
            double[] values = terms.get(j).values(table);
            for (int i = 0; i < values.length; i++) {
                if (!Double.isFinite(values[i])) {
                    throw new DataException("Row %d: %s is no finite number.".formatted(i + 1, terms.get(j).text()));
                }
                design[i][j] = values[i];
            }
        }
        if (times.length <= terms.size()) {
            throw new DataException("%d rows are too few for the %d terms of %s: give more rows than terms."
                    .formatted(times.length, terms.size(), text(terms)));
        }
        double[][] relative = relative(design, times);
        requireRank(terms, design, relative);
        double[] coefficients = solve(relative);
        return new ServiceTimeFit(terms, coefficients, times, fitted(design, coefficients), design);
    }

    /** @return names of the columns that the terms have, in their order */
    public List<String> columns() {
        return terms.stream().flatMap(term -> term.factors().stream()).map(Regressor.Factor::column)
                .filter(column -> !column.isEmpty()).distinct().toList();
    }

    /** @return service times of the model for other rows [s] */
    public double[] at(Observations table) {
        double[] times = new double[table.rows().size()];
        for (int j = 0; j < terms.size(); j++) {
            double[] values = terms.get(j).values(table);
            for (int i = 0; i < times.length; i++) {
                times[i] += coefficients[j] * values[i];
            }
        }
        return times;
    }

    /** @return terms with commas between */
    public String form() {
        return text(terms);
    }

    /** @return (measured − fitted) / measured of each row */
    public double[] residuals() {
        return IntStream.range(0, measured.length).mapToDouble(i -> 1 - fitted[i] / measured[i]).toArray();
    }

    /** @return root mean square of the relative residuals, with the degrees of freedom that the terms leave */
    public double residualError() {
        return Math.sqrt(Arrays.stream(residuals()).map(each -> each * each).sum() / (measured.length - terms.size()));
    }

    /**
     * Cross-validates the form: rows are held back in ten parts (or one by one), and predicted from the others.
     *
     * @return root mean square of the relative errors of the prediction; NaN if the others do not determine the form
     */
    public double heldBackError() {
        int rows = measured.length;
        List<Integer> order = new ArrayList<>(IntStream.range(0, rows).boxed().toList());
        Collections.shuffle(order, new Random(SEED));
        int folds = Math.min(FOLDS, rows);
        double squares = 0;
        for (int fold = 0; fold < folds; fold++) {
            int part = fold;
            int[] kept = IntStream.range(0, rows).filter(i -> i % folds != part).map(order::get).toArray();
            double[][] design = Arrays.stream(kept).mapToObj(i -> this.design[i]).toArray(double[][]::new);
            double[] times = Arrays.stream(kept).mapToDouble(i -> measured[i]).toArray();
            double[][] relative = relative(design, times);
            if (kept.length < terms.size() || dependent(relative) >= 0) {
                return Double.NaN;
            }
            double[] coefficients = solve(relative);
            for (int i = fold; i < rows; i += folds) {
                int row = order.get(i);
                double error = NonNegativeLeastSquares.product(this.design[row], coefficients) / measured[row] - 1;
                squares += error * error;
            }
        }
        return Math.sqrt(squares / rows);
    }

    /**
     * Bootstraps the relative residuals (B. Efron, R. J. Tibshirani, <i>An Introduction to the Bootstrap</i>, 1993,
     * section 9.4) with a fixed seed: the rows stay, and errors are drawn again.
     *
     * @param level 0..1
     * @return a percentile interval for each coefficient
     */
    public List<Interval> intervals(int resamples, double level) {
        double[][] drawn = resample(resamples);
        List<Interval> intervals = new ArrayList<>();
        for (int j = 0; j < terms.size(); j++) {
            int term = j;
            intervals.add(Interval.ofMiddle(level, Arrays.stream(drawn).mapToDouble(each -> each[term]).toArray()));
        }
        return intervals;
    }

    /** @return coefficients of each resample */
    double[][] resample(int resamples) {
        Random random = new Random(SEED);
        double[] residuals = residuals();
        // Residuals are smaller than errors, because the fit has adapted to them.
        double wider = Math.sqrt((double) measured.length / (measured.length - terms.size()));
        double[][] drawn = new double[resamples][];
        for (int sample = 0; sample < resamples; sample++) {
            double[] times = new double[measured.length];
            for (int i = 0; i < times.length; i++) {
                double error = residuals[random.nextInt(residuals.length)] * wider;
                times[i] = fitted[i] * Math.max(1 + error, RANK);
            }
            drawn[sample] = solve(relative(design, times));
        }
        return drawn;
    }

    private static double[] fitted(double[][] design, double[] coefficients) {
        return Arrays.stream(design).mapToDouble(row -> NonNegativeLeastSquares.product(row, coefficients)).toArray();
    }

    /** Divides each row by its time, so that the target is 1. */
    private static double[][] relative(double[][] design, double[] times) {
        double[][] relative = new double[design.length][];
        for (int i = 0; i < design.length; i++) {
            double time = times[i];
            relative[i] = Arrays.stream(design[i]).map(each -> each / time).toArray();
        }
        return relative;
    }

    private static double[] solve(double[][] relative) {
        double[] ones = new double[relative.length];
        Arrays.fill(ones, 1);
        return NonNegativeLeastSquares.solve(relative, ones);
    }

    private static void requireRank(List<Regressor> terms, double[][] design, double[][] relative) {
        int dependent = dependent(relative);
        if (dependent < 0) {
            return;
        }
        String term = terms.get(dependent).text();
        double first = design[0][dependent];
        if (Arrays.stream(design).allMatch(row -> row[dependent] == first)) {
            throw new DataException("%s is %s in all rows. Add rows with another level of it."
                    .formatted(term, first));
        }
        throw new DataException(("%s depends linearly on the terms before it in all rows (the design is collinear). "
                + "Add rows in which it changes alone.").formatted(term));
    }

    /**
     * @return the first column that earlier ones explain, -1 if there is none: Gram–Schmidt, twice because of rounding
     */
    private static int dependent(double[][] x) {
        List<double[]> basis = new ArrayList<>();
        for (int j = 0; j < x[0].length; j++) {
            int index = j;
            double[] column = Arrays.stream(x).mapToDouble(row -> row[index]).toArray();
            double before = norm(column);
            for (int pass = 0; pass < 2; pass++) {
                for (double[] direction : basis) {
                    double along = NonNegativeLeastSquares.product(column, direction);
                    for (int i = 0; i < column.length; i++) {
                        column[i] -= along * direction[i];
                    }
                }
            }
            double left = norm(column);
            if (!(left > RANK * before)) {
                return j;
            }
            basis.add(Arrays.stream(column).map(each -> each / left).toArray());
        }
        return -1;
    }

    private static double norm(double[] vector) {
        return Math.sqrt(Arrays.stream(vector).map(each -> each * each).sum());
    }

    private static String text(List<Regressor> terms) {
        return String.join(",", terms.stream().map(Regressor::text).toList());
    }
}
