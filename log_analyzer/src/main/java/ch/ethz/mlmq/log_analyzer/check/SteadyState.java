package ch.ethz.mlmq.log_analyzer.check;

import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.statistics.Mser5;
import ch.ethz.mlmq.log_analyzer.statistics.Series;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/** The rate and response time of all clients' requests over time, and the point from which they are steady. */
public final class SteadyState {
    private static final int STRETCHES = 10;
    private static final int LEAST_STRETCHES = 2;
    /** A gap counts as silence if it lasts this long, and this many times the distance between requests. */
    private static final long SILENCE_MS = 1_000;
    private static final int TIMES_APART = 20;

    private final Measurements measured;
    private final Series series;
    /** First and last slot of the planned measurement interval. */
    private final int from;
    private final int to;
    /** The slots of the measurement interval that are part of a long silence. */
    private final BitSet silent;

    private SteadyState(Measurements measured, Series series) {
        this.measured = measured;
        this.series = series;
        this.from = slot(measured.steadyFromMs());
        this.to = slot(measured.steadyToMs());
        this.silent = silence();
    }

    /**
     * @param measured grouped by action first: successful requests of clients count, or all records if there are none
     */
    public static SteadyState of(Measurements measured) {
        List<Measurements.Group> clients = measured.groups().stream()
                .filter(group -> group.labels().get(0).startsWith("CSndReq#OK#")
                        && !group.labels().get(0).endsWith(":service")).toList();
        List<Measurements.Group> groups = clients.isEmpty() ? measured.groups() : clients;
        Series sum = new Series(groups.stream().mapToLong(group -> group.series().slotMs()).max().orElse(1));
        groups.forEach(group -> sum.add(group.series()));
        return new SteadyState(measured, sum);
    }

    public Series series() {
        return series;
    }

    /**
     * Proposes a warm-up by MSER-5 of response time and of throughput, whichever is later.
     *
     * @return ms since the first line's start; empty if the run is too short, or is not steady in its first half
     */
    public OptionalLong warmupMs() {
        OptionalInt cut = cut(0, slot(measured.endMs()) - 1);
        return cut.isEmpty() ? OptionalLong.empty() : OptionalLong.of(cut.getAsInt() * series.slotMs());
    }

    /** @return how much later the measurement interval should begin [ms]; empty if it is too short or never steady */
    public OptionalLong furtherCutMs() {
        OptionalInt cut = cut(from, to);
        return cut.isEmpty() ? OptionalLong.empty() : OptionalLong.of(cut.getAsInt() * series.slotMs());
    }

    /**
     * @return relative change of response time or throughput, whichever is larger, between the halves of the planned
     * part: 0.1 for 10 %
     */
    public double changeBetweenHalves() {
        int middle = (from + to) / 2;
        double[] first = sums(from, middle);
        double[] second = sums(middle, middle + middle - from);
        double time = second[0] / second[1] / (first[0] / first[1]) - 1;
        double rate = second[1] / first[1] - 1;
        return Math.abs(time) > Math.abs(rate) ? time : rate;
    }

    /**
     * Computes the change between the halves by the medians of ten parts of each half, which a few stalls do not move.
     * Silence of the system under test does not count.
     *
     * @return NaN if most of a half was silent
     */
    public double driftBetweenHalves() {
        int length = (to - from) / (2 * STRETCHES);
        double[][] halves = new double[2][];
        double[][] rates = new double[2][];
        for (int half = 0; half < 2; half++) {
            double[] times = new double[STRETCHES];
            double[] counts = new double[STRETCHES];
            for (int i = 0; i < STRETCHES; i++) {
                int begin = from + (half * STRETCHES + i) * length;
                double[] stretch = sums(begin, begin + length);
                double answering = length - silent.get(begin, begin + length).cardinality();
                times[i] = stretch[0] / stretch[1];
                counts[i] = answering < length / 2.0 ? Double.NaN : stretch[1] / answering;
            }
            halves[half] = times;
            rates[half] = counts;
        }
        double time = median(halves[1]) / median(halves[0]) - 1;
        double rate = median(rates[1]) / median(rates[0]) - 1;
        return Math.abs(time) > Math.abs(rate) ? time : rate;
    }

    /** @return the median of the values that are numbers; NaN if there are too few */
    private static double median(double[] values) {
        double[] known = Arrays.stream(values).filter(value -> !Double.isNaN(value)).toArray();
        return known.length < LEAST_STRETCHES ? Double.NaN : new Median().evaluate(known);
    }

    /** @return the longest time within the measurement interval in which no request ended [ms] */
    public long longestGapMs() {
        long longest = 0;
        long gap = 0;
        for (int slot = from; slot < to; slot++) {
            gap = isAnswered(slot) ? 0 : gap + 1;
            longest = Math.max(longest, gap);
        }
        return longest * series.slotMs();
    }

    /** @return share of the measurement interval in which the system under test was silent, 0..1 */
    public double silentShare() {
        return to <= from ? 0 : (double) silent.cardinality() / (to - from);
    }

    private BitSet silence() {
        double answers = 0;
        for (int slot = from; slot < Math.min(to, series.slots()); slot++) {
            answers += series.ended(slot);
        }
        double apart = (to - from) * (double) series.slotMs() / Math.max(1, answers);
        double least = Math.max(SILENCE_MS, TIMES_APART * apart);
        BitSet found = new BitSet();
        int begin = from;
        for (int slot = from; slot <= to; slot++) {
            if (slot == to || isAnswered(slot)) {
                if ((slot - begin) * (double) series.slotMs() >= least) {
                    found.set(begin, slot);
                }
                begin = slot + 1;
            }
        }
        return found;
    }

    private boolean isAnswered(int slot) {
        return slot < series.slots() && series.ended(slot) > 0;
    }

    /** @return sum and count of the durations in some slots */
    private double[] sums(int begin, int end) {
        double[] sums = new double[2];
        for (int slot = begin; slot < Math.min(end, series.slots()); slot++) {
            sums[0] += series.sum(slot);
            sums[1] += series.count(slot);
        }
        return sums;
    }

    private OptionalInt cut(int begin, int end) {
        int length = Math.max(0, Math.min(end, series.slots()) - begin);
        double[] rates = new double[length];
        double[] times = new double[length];
        double last = Double.NaN;
        for (int i = 0; i < length; i++) {
            long count = series.count(begin + i);
            last = count > 0 ? (double) series.sum(begin + i) / count : last;
            rates[i] = count;
            times[i] = last;
        }
        double first = Arrays.stream(times).filter(time -> !Double.isNaN(time)).findFirst().orElse(0);
        OptionalInt byTime = Mser5.truncation(Arrays.stream(times).map(time -> Double.isNaN(time) ? first : time)
                .toArray());
        OptionalInt byRate = Mser5.truncation(rates);
        return byTime.isEmpty() || byRate.isEmpty() ? OptionalInt.empty()
                : OptionalInt.of(Math.max(byTime.getAsInt(), byRate.getAsInt()));
    }

    private int slot(long ms) {
        return measured.timeline().slot(ms, series.slotMs());
    }
}
