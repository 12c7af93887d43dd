package ch.ethz.mlmq.log_analyzer.model.measured;

import ch.ethz.mlmq.log_analyzer.model.fit.NonNegativeLeastSquares;
import ch.ethz.mlmq.log_analyzer.model.simulation.Times;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.run.TimeRange;
import ch.ethz.mlmq.log_analyzer.source.Lines;
import ch.ethz.mlmq.log_analyzer.source.PerformanceFile;
import ch.ethz.mlmq.log_analyzer.source.PerformanceFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Times of workers' batches by size, from a run's records with the size of a request's batch: {@code N[...]} of
 * {@code BProcReq}. A batch of n appears n times in the log, or in a sample of it n times as often as a batch of one,
 * so each record counts 1/n.
 *
 * @param windows of equal time: by size of a batch its number, sum of times and sum of their squares [us]
 * @param times   by size of a batch, each record of it [us]; for at most as many sizes as brokers have
 */
public record BatchTimes(List<TreeMap<Integer, double[]>> windows, TreeMap<Integer, Histogram> times) {
    private static final String PROCESS = ";BProcReq";
    private static final String SIZE = " N[";
    private static final int LONGEST_LINE = 1 << 16;
    private static final int DIGITS = 2; // precision of times; only their spread is used
    private static final int FEWEST_SIZES = 3;
    private static final int MOST_SIZES = 1_024; // limits memory, whatever a log contains
    private static final double TAIL = 0.05;
    private static final double US_PER_SECOND = 1e6;

    /**
     * The fitted time a + b n of a batch of n.
     *
     * @param fixed a [s] @param each b [s]
     * @param error root mean square of (mean time of a size − fitted) / fitted, weighted by the number of batches
     * @param cv    coefficient of variation of a batch's time about the fit
     */
    public record Fit(double fixed, double each, Sizes sizes, double error, double cv) {
    }

    /**
     * Sizes of batches.
     *
     * @param mean over the batches
     * @param low  5 % quantile @param high 95 % quantile
     * @param most size of the largest batch
     */
    public record Sizes(double mean, int low, int high, int most) {
    }

    /** @param steady part that counts, in that many windows */
    public static BatchTimes of(Run run, TimeRange steady, int windows) throws IOException {
        BatchTimes batches = new BatchTimes(new ArrayList<>(), new TreeMap<>());
        for (int i = 0; i < windows; i++) {
            batches.windows.add(new TreeMap<>());
        }
        double length = Math.max(1, (steady.toMs() - steady.fromMs()) / (double) windows);
        for (PerformanceFile file : PerformanceFiles.in(run.store())) {
            if (file.place().role().equals("broker")) {
                // The analyzer reports damaged logs elsewhere.
                Lines.read(file.file(), LONGEST_LINE, line -> {
                    batches.add(line, file.unit(), steady, length);
                    return true;
                });
            }
        }
        return batches;
    }

    private void add(String line, int unit, TimeRange steady, double length) {
        int process = line.indexOf(PROCESS);
        int size = process < 0 ? -1 : line.indexOf(SIZE, process);
        int end = size < 0 ? -1 : line.indexOf(']', size);
        int first = line.indexOf(';');
        if (end < 0 || first < 0 || first >= process) {
            return;
        }
        try {
            int requests = Integer.parseInt(line, size + SIZE.length(), end, 10);
            long time = Math.multiplyExact(Integer.parseInt(line, 0, first, 10), unit);
            // A record belongs to the window in which it began.
            long ms = Long.parseLong(line, first + 1, process, 10) - time / 1000;
            if (steady.contains(ms) && requests > 0 && time >= 0) {
                int window = Math.min(windows.size() - 1, (int) ((ms - steady.fromMs()) / length));
                double[] sum = windows.get(window).computeIfAbsent(requests, unseen -> new double[3]);
                sum[0] += 1.0 / requests;
                sum[1] += (double) time / requests;
                sum[2] += (double) time * time / requests;
                if (times.size() < MOST_SIZES || times.containsKey(requests)) {
                    times.computeIfAbsent(requests, unseen -> new Histogram(DIGITS)).recordValue(time);
                }
            }
        } catch (NumberFormatException | ArithmeticException e) {
            // The line is malformed; the analyzer counts and shows malformed lines elsewhere.
        }
    }

    /** @return true if the records contain batch sizes */
    public boolean areKnown() {
        return windows.stream().anyMatch(window -> !window.isEmpty());
    }

    /** @return worker's time per request [s] */
    double cost() {
        double times = 0;
        double requests = 0;
        for (TreeMap<Integer, double[]> window : windows) {
            for (Map.Entry<Integer, double[]> size : window.entrySet()) {
                times += size.getValue()[1];
                requests += size.getValue()[0] * size.getKey();
            }
        }
        return times / requests / US_PER_SECOND;
    }

    /** @return the fit; empty if batches had fewer than three sizes */
    public Optional<Fit> fit() {
        TreeMap<Integer, double[]> all = new TreeMap<>();
        windows.forEach(window -> merge(all, window));
        return fit(all);
    }

    /** @return distribution of a batch's time about the fit: measured over fitted, with mean 1 */
    public Times spread(Fit fit) {
        record Share(double ratio, double weight) {
        }
        List<Share> shares = new ArrayList<>();
        times.forEach((size, measured) -> measured.recordedValues().forEach(each -> shares.add(new Share(
                each.getValueIteratedTo() / (fit.fixed() + fit.each() * size),
                (double) each.getCountAddedInThisIterationStep() / size))));
        shares.sort(Comparator.comparingDouble(Share::ratio));
        return Times.weighted(shares.stream().mapToDouble(Share::ratio).toArray(),
                shares.stream().mapToDouble(Share::weight).toArray(), 1);
    }

    /** @return the fit to windows drawn with replacement */
    Optional<Fit> resampled(SplittableRandom random) {
        TreeMap<Integer, double[]> drawn = new TreeMap<>();
        for (int i = 0; i < windows.size(); i++) {
            merge(drawn, windows.get(random.nextInt(windows.size())));
        }
        return fit(drawn);
    }

    private static void merge(TreeMap<Integer, double[]> all, TreeMap<Integer, double[]> window) {
        window.forEach((size, sums) -> {
            double[] sum = all.computeIfAbsent(size, unseen -> new double[3]);
            for (int i = 0; i < sum.length; i++) {
                sum[i] += sums[i];
            }
        });
    }

    /** Fits by least squares of relative errors, neither coefficient negative; each size is weighted by its batches. */
    private static Optional<Fit> fit(TreeMap<Integer, double[]> all) {
        if (all.size() < FEWEST_SIZES) {
            return Optional.empty();
        }
        double[][] rows = new double[all.size()][];
        double[] ones = new double[all.size()];
        double batches = 0;
        double requests = 0;
        int row = 0;
        for (Map.Entry<Integer, double[]> size : all.entrySet()) {
            double mean = Math.max(1, size.getValue()[1] / size.getValue()[0]);
            double weight = Math.sqrt(size.getValue()[0]);
            rows[row] = new double[] {weight / mean, weight * size.getKey() / mean};
            ones[row++] = weight;
            batches += size.getValue()[0];
            requests += size.getValue()[0] * size.getKey();
        }
        double[] found = NonNegativeLeastSquares.solve(rows, ones);
        double error = 0;
        double spread = 0;
        for (Map.Entry<Integer, double[]> size : all.entrySet()) {
            double fitted = found[0] + found[1] * size.getKey();
            double[] sums = size.getValue();
            double off = sums[1] / sums[0] / fitted - 1;
            error += sums[0] * off * off;
            spread += (sums[2] - 2 * fitted * sums[1] + fitted * fitted * sums[0]) / (fitted * fitted);
        }
        Sizes sizes = new Sizes(requests / batches, quantile(all, TAIL * batches),
                quantile(all, (1 - TAIL) * batches), all.lastKey());
        return Optional.of(new Fit(found[0] / US_PER_SECOND, found[1] / US_PER_SECOND, sizes,
                Math.sqrt(error / batches), Math.sqrt(Math.max(0, spread) / batches)));
    }

    /** @return the smallest size such that that many batches were not larger */
    private static int quantile(TreeMap<Integer, double[]> all, double batches) {
        double counted = 0;
        for (Map.Entry<Integer, double[]> size : all.entrySet()) {
            counted += size.getValue()[0];
            if (counted >= batches) {
                return size.getKey();
            }
        }
        return all.lastKey();
    }
}
