package ch.ethz.mlmq.log_analyzer.statistics;

import java.util.Arrays;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/**
 * Estimates the chance error of effects of a design without replications, if most effects are only chance: R. V. Lenth,
 * <i>Quick and Easy Analysis of Unreplicated Factorials</i>, Technometrics 31, 1989.
 */
public final class Lenth {
    /** Smallest number of effects that allows an estimate: those of three factors. */
    public static final int FEWEST = 7;
    private static final double OF_MEDIAN = 1.5;
    private static final double LARGE = 2.5;

    private final double[] effects;

    /** @param effects all but the mean */
    public Lenth(double... effects) {
        this.effects = effects.clone();
    }

    /** @return the pseudo standard error of an effect */
    public double error() {
        double first = OF_MEDIAN * median(Arrays.stream(effects).map(Math::abs).toArray());
        return OF_MEDIAN * median(Arrays.stream(effects).map(Math::abs).filter(each -> each < LARGE * first).toArray());
    }

    /** @return half width of the interval of one effect */
    public double margin(double confidence) {
        return Intervals.quantileT(effects.length / 3.0, confidence) * error();
    }

    private static double median(double... values) {
        return values.length == 0 ? 0 : new Median().evaluate(values);
    }
}
