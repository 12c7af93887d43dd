package ch.ethz.mlmq.log_analyzer.analysis;

import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import ch.ethz.mlmq.log_analyzer.statistics.Intervals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A 2^k design with replications: the effect of each factor and of each of their interactions. A set of factors is a
 * number whose bit i stands for factor i. Where cells have unequally many replications, each cell's mean counts the
 * same
 * (F. Yates, <i>The Analysis of Multiple Classifications with Unequal Numbers in the Different Classes</i>, JASA 29,
 * 1934: unweighted means).
 */
public final class Factorial {
    /** The letter of the mean, which is the effect of no factor. */
    public static final String MEAN = "I";
    private static final int MOST_FACTORS = 12;

    private final List<Factor> factors;
    private final double[][] cells;
    private final double[] effects;

    /**
     * A factor with two levels.
     *
     * @param low  level that stands for -1, in the factor's own unit
     * @param high level that stands for 1
     */
    public record Factor(String name, double low, double high) {
        double middle() {
            return (low + high) / 2;
        }

        double half() {
            return (high - low) / 2;
        }
    }

    /**
     * The effect of some factors together.
     *
     * @param name     {@code I} for the mean, {@code ERROR} for the differences between replications
     * @param value    half of the change from low to high, in the unit of the response; NaN for the error
     * @param share    of the variation, 0..1; NaN for the mean
     * @param interval of the value, unknown without replications
     */
    public record Effect(String name, double value, double share, Interval interval) {
    }

    /** A term of the fitted relation: its coefficient, and the factors in its product. */
    public record Term(String name, double coefficient) {
    }

    /**
     * @param cells responses of each combination of levels, at least one: bit i of the index tells whether factor i is
     *              high
     */
    public Factorial(List<Factor> factors, double[][] cells) {
        if (factors.isEmpty() || factors.size() > MOST_FACTORS || cells.length != 1 << factors.size()) {
            throw new IllegalArgumentException(factors.size() + " factors and " + cells.length + " cells");
        }
        this.factors = List.copyOf(factors);
        this.cells = cells.clone();
        this.effects = new double[cells.length];
        for (int set = 0; set < cells.length; set++) {
            for (int cell = 0; cell < cells.length; cell++) {
                effects[set] += sign(set, cell) * mean(cells[cell]) / cells.length;
            }
        }
    }

    /** @return the mean, then the effects of one factor, of two, and so on, and the error if there are replications */
    public List<Effect> effects(double confidence) {
        double perEffect = cells.length * harmonicReplications();
        double total = errorSquares();
        for (int set = 1; set < effects.length; set++) {
            total += perEffect * effects[set] * effects[set];
        }
        int degrees = errorDegrees();
        double half = degrees == 0 ? Double.NaN
                : Intervals.quantileT(degrees, confidence) * Math.sqrt(errorSquares() / degrees / perEffect);
        List<Effect> result = new ArrayList<>();
        for (int set : bySize()) {
            double share = total == 0 ? 0 : perEffect * effects[set] * effects[set] / total;
            result.add(new Effect(name(set), effects[set], set == 0 ? Double.NaN : share,
                    Interval.around(effects[set], half)));
        }
        if (degrees > 0) {
            result.add(new Effect("ERROR", Double.NaN, total == 0 ? 0 : errorSquares() / total, Interval.UNKNOWN));
        }
        return result;
    }

    /** @return sum of squares of the differences between replications */
    public double errorSquares() {
        double squares = 0;
        for (double[] cell : cells) {
            double mean = mean(cell);
            for (double y : cell) {
                squares += (y - mean) * (y - mean);
            }
        }
        return squares;
    }

    /** @return degrees of freedom of the error; 0 without replications */
    public int errorDegrees() {
        return Arrays.stream(cells).mapToInt(cell -> cell.length - 1).sum();
    }

    /** @return the factors of each effect, in the order of {@link #effects}: bit i stands for factor i */
    public List<Integer> sets() {
        return bySize();
    }

    /**
     * @param kept sets of factors whose effects count, in addition to the mean
     * @return the response of a cell that these effects predict
     */
    public double predict(int cell, List<Integer> kept) {
        return effects[0] + kept.stream().mapToDouble(set -> sign(set, cell) * effects[set]).sum();
    }

    private double harmonicReplications() {
        return cells.length / Arrays.stream(cells).mapToDouble(cell -> 1.0 / cell.length).sum();
    }

    /**
     * Computes the relation through the means of all cells, in the factors' own units: the sum of each coefficient
     * times the product of its factors' levels.
     */
    public List<Term> relation() {
        double[] coefficients = new double[effects.length];
        for (int set = 0; set < effects.length; set++) {
            // In the product of (level - middle) / half over the set, each subset takes the level, the others -middle.
            for (int subset = set;; subset = subset - 1 & set) {
                coefficients[subset] += effects[set] * weight(set, subset);
                if (subset == 0) {
                    break;
                }
            }
        }
        return bySize().stream().map(set -> new Term(name(set), coefficients[set])).toList();
    }

    private double weight(int set, int subset) {
        double weight = 1;
        for (int i = 0; i < factors.size(); i++) {
            if (contains(set, i)) {
                weight *= (contains(subset, i) ? 1 : -factors.get(i).middle()) / factors.get(i).half();
            }
        }
        return weight;
    }

    private String name(int set) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < factors.size(); i++) {
            if (contains(set, i)) {
                names.add(factors.get(i).name());
            }
        }
        boolean letters = names.stream().allMatch(name -> name.length() == 1);
        return names.isEmpty() ? MEAN : String.join(letters ? "" : " x ", names);
    }

    private List<Integer> bySize() {
        List<Integer> sets = new ArrayList<>();
        for (int size = 0; size <= factors.size(); size++) {
            for (int set = 0; set < effects.length; set++) {
                if (Integer.bitCount(set) == size) {
                    sets.add(set);
                }
            }
        }
        return sets;
    }

    private static int sign(int set, int cell) {
        return Integer.bitCount(set & ~cell) % 2 == 0 ? 1 : -1;
    }

    private static boolean contains(int set, int factor) {
        return (set >> factor & 1) == 1;
    }

    private static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.length;
    }
}
