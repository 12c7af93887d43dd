package ch.ethz.mlmq.log_analyzer.statistics;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Estimates the mean of observations that depend on their predecessors, as response times do. The variation of a mean
 * is the lower end of the spectrum. Cosine coefficients of the series are explained by white noise and a process that
 * forgets exponentially (AR(1) in time), for a grid of times and proportions, each weighted by its posterior
 * probability (U. K. Müller, <i>HAC Corrections for Strongly Autocorrelated Time Series</i>, JBES 32, 2014, in a short
 * form).
 */
public final class CorrelatedMean {
    /** Number of slots below which there is no estimate of the error. */
    public static final int FEWEST_SLOTS = 10;
    private static final int MOST_SLOTS = 128;
    /** A mean has no error if its variance comes from fewer slots than this, by their kurtosis. */
    private static final double FEWEST_BURSTS = 3;
    private static final double NORMAL_KURTOSIS = 3;
    private static final int MOST_FREQUENCIES = 40;
    /** Times in which the process forgets, as shares of the whole time. */
    private static final double[] TIMES = {0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56};
    /** Ratios of the process to the white noise, at the frequency 0. */
    private static final double[] RATIOS = {0.3, 1, 3, 10, 30, 100, 1_000, 10_000};
    private static final double WHITE = 0.8;
    /**
     * Time, as a share, from which on the process is too slow: if it is nearly certain and stronger than the white
     * noise, the series drifts.
     */
    private static final double SLOW = 0.3;
    private static final double SURELY = 0.95;

    private CorrelatedMean() {
    }

    /** @param observations at equal distances, in order */
    public static Estimate of(double... observations) {
        double[] ones = new double[observations.length];
        Arrays.fill(ones, 1);
        return ofRatio(observations, ones);
    }

    /**
     * Estimates the ratio of two sums over slots of equal time, in order: a mean as sum over count, a share as part
     * over whole.
     *
     * @return without an error if fewer than {@value #FEWEST_SLOTS} slots have observations, or if these change too
     * slowly for the length of the time
     */
    public static Estimate ofRatio(double[] parts, double[] wholes) {
        return ofRatio(parts, wholes, 0);
    }

    /**
     * Estimates the mean duration in a range of time.
     *
     * @param from first slot
     * @param to   slot behind the last
     * @return without an error where that of a ratio has none, or where a few stalls decide it: how long such a stall
     * may become is not known from them
     */
    public static Estimate ofDurations(Series series, int from, int to) {
        double[] sums = slots(from, to).mapToDouble(slot -> slot < series.slots() ? series.sum(slot) : 0).toArray();
        return ofRatio(sums, counts(series, from, to), FEWEST_BURSTS);
    }

    private static Estimate ofRatio(double[] parts, double[] wholes, double fewestBursts) {
        double ratio = Arrays.stream(parts).sum() / Arrays.stream(wholes).sum();
        double[] sums = joined(parts);
        double[] counts = joined(wholes);
        if (Arrays.stream(counts).filter(count -> count > 0).count() < FEWEST_SLOTS) {
            return Estimate.unknown(ratio, Doubt.FEW);
        }
        double[] deviations = IntStream.range(0, sums.length).mapToDouble(i -> sums[i] - ratio * counts[i]).toArray();
        if (Arrays.stream(deviations).allMatch(each -> each == 0)) {
            return new Estimate(ratio, 0, deviations.length - 1);
        }
        double bursts = bursts(deviations);
        if (bursts < fewestBursts) {
            return Estimate.unknown(ratio, Doubt.FEW);
        }
        double excess = Math.max(0, 1 / bursts - NORMAL_KURTOSIS / deviations.length);
        double scale = Math.sqrt(deviations.length) / Arrays.stream(counts).sum();
        return Spectrum.of(deviations).estimate(ratio, scale, excess);
    }

    /** @return number of equal deviations, beside zeros, that have the same kurtosis */
    private static double bursts(double... deviations) {
        double squares = Arrays.stream(deviations).map(each -> each * each).sum();
        return squares * squares / Arrays.stream(deviations).map(each -> Math.pow(each, 4)).sum();
    }

    /** Estimates the number of durations a second in a range of time. */
    public static Estimate ofThroughput(Series series, int from, int to) {
        double seconds = series.slotMs() / 1000.0;
        return of(Arrays.stream(counts(series, from, to)).map(count -> count / seconds).toArray());
    }

    /** @return number of durations in each slot */
    public static double[] counts(Series series, int from, int to) {
        int used = series.slots();
        return slots(from, to).mapToDouble(slot -> slot < used ? series.count(slot) : 0).toArray();
    }

    private static IntStream slots(int from, int to) {
        return IntStream.range(from, Math.max(from + 1, to));
    }

    /** @return sums of neighbours where there are too many; a remainder is left out at the beginning */
    private static double[] joined(double[] values) {
        int each = (values.length + MOST_SLOTS - 1) / MOST_SLOTS;
        double[] sums = new double[values.length / Math.max(1, each)];
        int first = values.length - sums.length * each;
        for (int i = 0; i < sums.length; i++) {
            sums[i] = Arrays.stream(values, first + i * each, first + (i + 1) * each).sum();
        }
        return sums;
    }

    /**
     * The estimate of the spectrum at the frequency 0.
     *
     * @param mean   posterior mean
     * @param square posterior mean of its square
     * @param slow   probability of a process that is too slow
     */
    private record Spectrum(double mean, double square, double slow) {

        static Spectrum of(double[] values) {
            double[] powers = powers(values);
            int models = TIMES.length * RATIOS.length;
            double[] logs = new double[models + 1];
            double[] zeros = new double[models + 1];
            for (int i = 0; i <= models; i++) {
                double time = i == models ? 0 : TIMES[i / RATIOS.length];
                double ratio = i == models ? 0 : RATIOS[i % RATIOS.length];
                double squares = 0;
                double prior = i == models ? WHITE : (1 - WHITE) / models;
                logs[i] = Math.log(prior);
                for (int j = 1; j <= powers.length; j++) {
                    double shape = 1 + ratio / (1 + Math.pow(Math.PI * j * time, 2));
                    squares += powers[j - 1] / shape;
                    logs[i] -= Math.log(shape) / 2;
                }
                logs[i] -= powers.length * Math.log(squares) / 2;
                double shorter = time == 0 ? 1 : 1 - time * (1 - Math.exp(-1 / time));
                zeros[i] = (1 + ratio * shorter) * squares;
            }
            return weighted(logs, zeros, powers.length);
        }

        private static Spectrum weighted(double[] logs, double[] zeros, int degrees) {
            double best = Arrays.stream(logs).max().orElseThrow();
            double all = 0;
            double mean = 0;
            double square = 0;
            double slow = 0;
            for (int i = 0; i < logs.length; i++) {
                double weight = Math.exp(logs[i] - best);
                all += weight;
                mean += weight * zeros[i] / (degrees - 2);
                square += weight * zeros[i] * zeros[i] / (degrees - 2) / (degrees - 4);
                boolean isProcess = i < logs.length - 1;
                slow += isProcess && TIMES[i / RATIOS.length] > SLOW && RATIOS[i % RATIOS.length] > 1 ? weight : 0;
            }
            return new Spectrum(mean / all, square / all, slow / all);
        }

        /**
         * Makes a Student's t with the same variance and the same kurtosis.
         *
         * @param excess kurtosis of the deviations beyond that of the normal distribution, over their number: half of
         *               it is the relative variance that a variance has by the bursts (Satterthwaite)
         */
        Estimate estimate(double value, double scale, double excess) {
            if (slow > SURELY) {
                return Estimate.unknown(value, Doubt.CORRELATED);
            }
            double spread = square / mean / mean;
            double degrees = (4 * spread - 2) / (spread - 1);
            double error = Math.sqrt(mean * (degrees - 2) / degrees);
            return new Estimate(value, scale * error, 1 / (1 / degrees + excess / 2));
        }

        /** @return squares of the cosine coefficients, from the lowest frequency on */
        private static double[] powers(double[] values) {
            int slots = values.length;
            return IntStream.rangeClosed(1, Math.min(MOST_FREQUENCIES, slots - 1)).mapToDouble(j -> {
                double sum = 0;
                for (int i = 0; i < slots; i++) {
                    sum += values[i] * Math.cos(Math.PI * j * (i + 0.5) / slots);
                }
                return sum * sum * 2 / slots;
            }).toArray();
        }
    }
}
