package ch.ethz.mlmq.log_analyzer.experiment;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.statistics.FTest;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import ch.ethz.mlmq.log_analyzer.statistics.Intervals;
import ch.ethz.mlmq.log_analyzer.statistics.StudentizedRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.DecompositionSolver;
import org.apache.commons.math3.linear.QRDecomposition;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;

/**
 * Analysis of variance of factors with any number of levels, by least squares over effects that add up to zero: main
 * effects and interactions of two. The sum of squares of a term is the increase of the residuals without it, so points
 * may have different numbers of runs (F. Yates 1934, weighted squares of means). For equal numbers it agrees with R.
 * Jain 1991, chapters 20 to 22, and D. C. Montgomery, chapters 3 and 5.
 */
final class VarianceAnalysis {
    private static final double SINGULAR = 1e-9;
    /** Squares of errors that rounding makes, as a share of those of the values. */
    static final double ROUNDED = 1e-20;
    static final String EQUAL = "All repetitions of a point are equal: they tell nothing about the spread, so nothing "
            + "is said about noise.";

    private final List<Factor> factors;
    private final List<Trial> accepted;
    private final String column;
    private final double confidence;
    private final List<List<String>> levels = new ArrayList<>();

    /** A term of one or two factors. @param from first column @param to behind the last column */
    private record Term(List<Integer> factors, int from, int to) {
    }

    private record Fit(double[] coefficients, double squares) {
    }

    VarianceAnalysis(Trials trials, String column, double confidence) {
        this.factors = trials.design().factors();
        this.accepted = trials.with(column);
        this.column = column;
        this.confidence = confidence;
        for (int i = 0; i < factors.size(); i++) {
            int factor = i;
            levels.add(trials.levelsOf(i).stream()
                    .filter(level -> accepted.stream().anyMatch(trial -> trial.levels().get(factor).equals(level)))
                    .toList());
        }
    }

    Effects compute() {
        List<Integer> varied = IntStream.range(0, factors.size()).filter(i -> levels.get(i).size() > 1).boxed()
                .toList();
        if (varied.isEmpty()) {
            throw new DataException("No factor has accepted runs at two levels, so there is nothing to compare yet.");
        }
        List<String> remarks = new ArrayList<>();
        RealVector y = new ArrayRealVector(accepted.stream().mapToDouble(trial -> trial.figure(column)).toArray());
        boolean interactions = varied.size() > 1;
        List<Term> terms = terms(varied, interactions);
        Fit fit = fits(terms, y);
        if (interactions && fit == null) {
            remarks.add("Interactions are left out, as too few combinations of levels have accepted runs, or none is "
                    + "repeated.");
            terms = terms(varied, false);
            fit = fits(terms, y);
        }
        if (fit == null) {
            String names = String.join(", ", varied.stream().map(i -> factors.get(i).name()).toList());
            throw new DataException(("%d accepted runs are too few for the levels of %s, or the factors change "
                    + "together. Repeat points.").formatted(accepted.size(), names));
        }
        return effects(terms, fit, y, remarks);
    }

    private Effects effects(List<Term> terms, Fit fit, RealVector y, List<String> remarks) {
        RealMatrix design = design(terms);
        int degrees = y.getDimension() - design.getColumnDimension();
        double mean = mean(y.toArray());
        double total = Arrays.stream(y.toArray()).map(each -> (each - mean) * (each - mean)).sum();
        boolean equal = degrees > 0 && fit.squares() <= ROUNDED * y.dotProduct(y);
        double variance = degrees > 0 && !equal ? fit.squares() / degrees : Double.NaN;
        if (equal) {
            remarks.add(EQUAL);
        }
        List<Effects.Effect> effects = new ArrayList<>();
        for (Term term : terms) {
            List<Term> others = terms.stream().filter(each -> each != term).toList();
            double squares = Math.max(0, solve(design(others), y).squares() - fit.squares());
            int freedom = term.to() - term.from();
            FTest test = FTest.of(freedom,
                    variance > 0 ? squares / freedom / variance : Double.NaN, degrees);
            Optional<Boolean> noise = Double.isNaN(test.probability()) ? Optional.empty()
                    : Optional.of(test.probability() > 1 - confidence);
            effects.add(new Effects.Effect(name(term), Double.NaN, Interval.UNKNOWN, total > 0 ? squares / total : 0,
                    test, noise, List.of()));
        }
        RealVector predicted = design.operate(new ArrayRealVector(fit.coefficients()));
        Optional<Effects.Error> error = Double.isNaN(variance) ? Optional.empty()
                : Optional.of(new Effects.Error(fit.squares(),
                degrees, total > 0 ? fit.squares() / total : 0, Math.sqrt(variance)));
        boolean one = terms.size() == 1;
        Effects.Levels levels = new Effects.Levels(levelEffects(terms, fit, design, variance, degrees),
                one && variance > 0 ? pairs(terms.get(0).factors().get(0), variance, degrees) : List.of());
        return new Effects(one ? "analysis of variance, one factor" : "analysis of variance of " + terms.size()
                + " terms", fit.coefficients()[0], effects, error, levels,
                Effects.residuals(accepted, column, predicted.toArray()), remarks);
    }

    private List<Effects.LevelEffect> levelEffects(List<Term> terms, Fit fit, RealMatrix design, double variance,
            int degrees) {
        RealMatrix inverse = degrees == 0 ? null
                : new QRDecomposition(design.transpose().multiply(design)).getSolver().getInverse();
        List<Effects.LevelEffect> effects = new ArrayList<>();
        for (Term term : terms) {
            if (term.factors().size() > 1) {
                continue;
            }
            int factor = term.factors().get(0);
            for (int level = 0; level < levels.get(factor).size(); level++) {
                RealVector contrast = new ArrayRealVector(design.getColumnDimension());
                for (int i = term.from(); i < term.to(); i++) {
                    contrast.setEntry(i, sum(level, i - term.from(), levels.get(factor).size()));
                }
                double value = contrast.dotProduct(new ArrayRealVector(fit.coefficients()));
                double error = inverse == null ? Double.NaN
                        : Math.sqrt(variance * contrast.dotProduct(inverse.operate(contrast)));
                effects.add(new Effects.LevelEffect(factors.get(factor).name(), levels.get(factor).get(level), value,
                        Double.isNaN(error) ? Interval.UNKNOWN
                        : Interval.around(value, Intervals.quantileT(degrees, confidence) * error)));
            }
        }
        return effects;
    }

    /** Compares pairs of levels by the Tukey–Kramer method. */
    private List<Effects.Pair> pairs(int factor, double variance, int degrees) {
        List<String> names = levels.get(factor);
        double q = new StudentizedRange(names.size(), degrees).quantile(confidence);
        List<Effects.Pair> pairs = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            for (int j = i + 1; j < names.size(); j++) {
                double[] first = responses(factor, names.get(i));
                double[] second = responses(factor, names.get(j));
                double half = q / Math.sqrt(2) * Math.sqrt(variance * (1.0 / first.length + 1.0 / second.length));
                double difference = mean(second) - mean(first);
                pairs.add(new Effects.Pair(factors.get(factor).name(), names.get(i), names.get(j), difference,
                        Interval.around(difference, half)));
            }
        }
        return pairs;
    }

    private double[] responses(int factor, String level) {
        return accepted.stream().filter(trial -> trial.levels().get(factor).equals(level))
                .mapToDouble(trial -> trial.figure(column)).toArray();
    }

    private static double mean(double... values) {
        return Arrays.stream(values).average().orElse(Double.NaN);
    }

    /**
     * @return null if the runs do not determine the terms, or leave no degree of freedom for the interactions' error
     */
    private Fit fits(List<Term> terms, RealVector y) {
        RealMatrix design = design(terms);
        boolean interactions = terms.stream().anyMatch(term -> term.factors().size() > 1);
        int degrees = y.getDimension() - design.getColumnDimension();
        return degrees < 0 || degrees == 0 && interactions ? null : solve(design, y);
    }

    private static Fit solve(RealMatrix design, RealVector y) {
        DecompositionSolver solver = new QRDecomposition(design, SINGULAR).getSolver();
        if (!solver.isNonSingular()) {
            return null;
        }
        RealVector coefficients = solver.solve(y);
        RealVector left = y.subtract(design.operate(coefficients));
        return new Fit(coefficients.toArray(), left.dotProduct(left));
    }

    private List<Term> terms(List<Integer> varied, boolean interactions) {
        List<Term> terms = new ArrayList<>();
        int used = 1;
        for (int factor : varied) {
            int freedom = levels.get(factor).size() - 1;
            terms.add(new Term(List.of(factor), used, used + freedom));
            used += freedom;
        }
        for (int i = 0; interactions && i < varied.size(); i++) {
            for (int j = i + 1; j < varied.size(); j++) {
                int freedom = (levels.get(varied.get(i)).size() - 1) * (levels.get(varied.get(j)).size() - 1);
                terms.add(new Term(List.of(varied.get(i), varied.get(j)), used, used + freedom));
                used += freedom;
            }
        }
        return terms;
    }

    /** Makes a column of ones, then those of each term, in their order. */
    private RealMatrix design(List<Term> terms) {
        int columns = 1 + terms.stream().mapToInt(term -> term.to() - term.from()).sum();
        double[][] design = new double[accepted.size()][columns];
        for (int row = 0; row < design.length; row++) {
            design[row][0] = 1;
            int at = 1;
            for (Term term : terms) {
                for (double each : columns(accepted.get(row), term)) {
                    design[row][at++] = each;
                }
            }
        }
        return new Array2DRowRealMatrix(design, false);
    }

    private double[] columns(Trial trial, Term term) {
        double[] columns = {1};
        for (int factor : term.factors()) {
            int count = levels.get(factor).size();
            int level = levels.get(factor).indexOf(trial.levels().get(factor));
            double[] product = new double[columns.length * (count - 1)];
            for (int i = 0; i < columns.length; i++) {
                for (int j = 0; j < count - 1; j++) {
                    product[i * (count - 1) + j] = columns[i] * sum(level, j, count);
                }
            }
            columns = product;
        }
        return columns;
    }

    /** Codes levels so that their effects add up to zero: the last level is minus all others. */
    private static double sum(int level, int column, int count) {
        if (level == column) {
            return 1;
        }
        return level == count - 1 ? -1 : 0;
    }

    private String name(Term term) {
        return String.join(" x ", term.factors().stream().map(i -> factors.get(i).name()).toList());
    }
}
