package ch.ethz.mlmq.log_analyzer.statistics;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.stat.descriptive.rank.Median;
import org.apache.commons.math3.stat.ranking.NaturalRanking;
import org.apache.commons.math3.stat.ranking.TiesStrategy;

/**
 * Tests whether a series has a trend, whatever the distribution of its values: M. G. Kendall, <i>Rank Correlation
 * Methods</i>, 1975, with the variance of K. H. Hamed, A. R. Rao, <i>A modified Mann-Kendall trend test for
 * autocorrelated data</i>, Journal of Hydrology 204, 1998, or that of an autoregressive series of the first order,
 * whichever is more. The slope is P. K. Sen's (JASA 63, 1968): the median over all pairs.
 *
 * @param observations used: means of neighbours if there were more than {@value #MOST}
 * @param slope        change from one given value to the next
 * @param probability  of such a strong trend, up or down, by chance
 */
public record MannKendall(int observations, double slope, double probability) {
    public static final int FEWEST = 10;
    /** Limits the observations, because the test compares all pairs. */
    private static final int MOST = 120;
    private static final double SIGNIFICANT = 0.95;
    private static final double MOST_ALIKE = 0.99;

    /** @param series at equal distances of time, at least {@value #FEWEST} values */
    public static MannKendall of(double... series) {
        if (series.length < FEWEST) {
            throw new IllegalArgumentException(series.length + " values");
        }
        int each = (series.length + MOST - 1) / MOST;
        double[] values = means(series, each);
        int n = values.length;
        double slope = slope(values);
        long score = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                score += (long) Math.signum(values[j] - values[i]);
            }
        }
        double variance = variance(values) * inflation(values, slope);
        double z = variance > 0 ? (score - Math.signum(score)) / Math.sqrt(variance) : 0;
        double chance = 2 * new NormalDistribution().cumulativeProbability(-Math.abs(z));
        return new MannKendall(n, slope / each, chance);
    }

    private static double[] means(double[] series, int each) {
        double[] means = new double[series.length / each];
        for (int i = 0; i < means.length; i++) {
            means[i] = Arrays.stream(series, i * each, (i + 1) * each).average().orElseThrow();
        }
        return means;
    }

    /** Computes the variance of the score of independent values, reduced for ties. */
    private static double variance(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int n = values.length;
        double variance = n * (n - 1.0) * (2.0 * n + 5);
        for (int from = 0; from < n;) {
            int to = from;
            while (to < n && Double.compare(sorted[to], sorted[from]) == 0) {
                to++;
            }
            double tied = to - from;
            variance -= tied * (tied - 1) * (2 * tied + 5);
            from = to;
        }
        return variance / 18;
    }

    /** Computes n/n*, the factor by which similar neighbours increase the variance of the score. */
    private static double inflation(double[] values, double slope) {
        int n = values.length;
        double[] ranks = new NaturalRanking(TiesStrategy.AVERAGE)
                .rank(IntStream.range(0, n).mapToDouble(i -> values[i] - slope * i).toArray());
        double first = correlation(ranks, 1);
        // Residuals of a detrended series look less correlated than the series is (M. G. Kendall, Biometrika 41, 1954).
        double unbiased = Math.max(0, Math.min(MOST_ALIKE, (n * first + 1) / (n - 4)));
        double bound = new NormalDistribution().inverseCumulativeProbability((1 + SIGNIFICANT) / 2) / Math.sqrt(n);
        double sum = 0;
        double regressive = 0;
        boolean alike = first > bound;
        for (int lag = 1; lag < n - 2 && first > bound; lag++) {
            double weight = (double) (n - lag) * (n - lag - 1) * (n - lag - 2);
            double correlation = correlation(ranks, lag);
            // Behind the first lag within chance all correlations are chance, and the sum of them all is forced to be
            // negative.
            alike &= correlation > bound;
            sum += alike ? weight * correlation : 0;
            regressive += weight * Math.pow(unbiased, lag);
        }
        return 1 + 2 / ((double) n * (n - 1) * (n - 2)) * Math.max(sum, regressive);
    }

    private static double correlation(double[] ranks, int lag) {
        double mean = (ranks.length + 1) / 2.0;
        double squares = 0;
        double product = 0;
        for (int i = 0; i < ranks.length; i++) {
            squares += (ranks[i] - mean) * (ranks[i] - mean);
            product += i + lag < ranks.length ? (ranks[i] - mean) * (ranks[i + lag] - mean) : 0;
        }
        return squares > 0 ? product / squares : 0;
    }

    private static double slope(double... values) {
        int n = values.length;
        double[] slopes = new double[n * (n - 1) / 2];
        int at = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                slopes[at++] = (values[j] - values[i]) / (j - i);
            }
        }
        return new Median().evaluate(slopes);
    }
}
