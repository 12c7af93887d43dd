package ch.ethz.mlmq.log_analyzer.analysis;

import ch.ethz.mlmq.log_analyzer.statistics.Bootstrap;
import ch.ethz.mlmq.log_analyzer.statistics.Estimate;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import ch.ethz.mlmq.log_analyzer.statistics.Intervals;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Differences of groups of runs from a baseline, with their significance. */
public final class Comparison {
    private static final double PER_CENT = 100;
    private static final double POWER = 0.8;

    private final List<RunGroup> groups;
    private final double confidence;

    /** The meaning of a difference; that of a figure of which no value is better is {@code MORE} or {@code LESS}. */
    public enum Verdict {
        WORSE("worse"), BETTER("better"), MORE("more"), LESS("less"), NOISE("within noise"), UNKNOWN("no interval");

        private final String words;

        Verdict(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    /**
     * A figure of a group next to the baseline's.
     *
     * @param value      infinite if a percentile lies among requests that failed
     * @param difference value minus baseline, in the figure's unit
     * @param interval   of that difference
     * @param seen       the smallest true difference that is detected in four of five such comparisons; NaN without an
     * interval
     */
    public record Difference(String group, Metric metric, double baseline, double value, double difference,
            Interval interval, double seen) {

        /** @param clockError how wrong the clocks of both runs make the difference */
        private Difference of(Metric other, double clockError) {
            return new Difference(group, other, baseline, value, difference, interval.widened(clockError),
                    seen + clockError);
        }

        /** @return the difference in per cent of the baseline */
        public double percent() {
            return inPercent(difference);
        }

        public double percentLow() {
            return inPercent(interval.low());
        }

        public double percentHigh() {
            return inPercent(interval.high());
        }

        public double percentSeen() {
            return inPercent(seen);
        }

        public Verdict verdict() {
            if (!interval.isKnown()) {
                return Verdict.UNKNOWN;
            }
            if (difference == 0 || interval.contains(0)) {
                return Verdict.NOISE;
            }
            return switch (metric.better()) {
                case HIGHER -> difference > 0 ? Verdict.BETTER : Verdict.WORSE;
                case LOWER -> difference > 0 ? Verdict.WORSE : Verdict.BETTER;
                case NEITHER -> difference > 0 ? Verdict.MORE : Verdict.LESS;
            };
        }

        /** Converts a change to per cent; no change is 0 %, even of a baseline of 0. */
        private double inPercent(double change) {
            return change == 0 ? 0 : change / baseline * PER_CENT;
        }

        /** @return how much worse it is, in per cent; negative if it is better, else 0 */
        private double badness() {
            double percent = Double.isNaN(percent()) || Double.isInfinite(percent()) ? PER_CENT : Math.abs(percent());
            return switch (verdict()) {
                case NOISE, MORE, LESS -> 0;
                case BETTER -> -percent;
                case WORSE, UNKNOWN -> percent;
            };
        }
    }

    /** @param groups the baseline first */
    public Comparison(List<RunGroup> groups, double confidence) {
        this.groups = List.copyOf(groups);
        this.confidence = confidence;
    }

    /** @return the figures of requests, and those others that all runs have measured, by whatever clocks */
    public List<Metric> known(List<Metric> metrics) {
        return metrics.stream().filter(metric -> metric.isOfRequests() || groups.stream().allMatch(group ->
                !Double.isNaN(group.estimate(metric).value()) || group.isInDoubtOfClocks(metric))).toList();
    }

    /** @return all differences from the baseline, the worst first */
    public List<Difference> differences(List<Metric> metrics) {
        List<Difference> differences = new ArrayList<>();
        for (RunGroup group : groups.subList(1, groups.size())) {
            metrics.forEach(metric -> differences.add(difference(group, metric)));
        }
        differences.sort(Comparator.comparingDouble(Difference::badness).reversed());
        return differences;
    }

    /** @param group one of the groups */
    public Difference difference(RunGroup group, Metric metric) {
        RunGroup baseline = groups.get(0);
        if (metric instanceof Metric.EndToEnd wanted) {
            return endToEnd(group, wanted);
        }
        Estimate theirs = baseline.estimate(metric);
        Estimate mine = group.estimate(metric);
        boolean repeated = !group.isSingle() || !baseline.isSingle() || metric instanceof Metric.OfSeconds;
        boolean failed = Double.isInfinite(mine.value()) && (repeated || Double.isInfinite(theirs.value()))
                || Double.isInfinite(theirs.value()) && repeated;
        Interval interval = failed ? Interval.unknown(metric.beyond()) : interval(group, metric, mine.minus(theirs));
        if (metric instanceof Metric.Errors && interval.isKnown()) {
            interval = interval.within(-PER_CENT, PER_CENT);
        }
        return new Difference(group.name(), metric, theirs.value(), mine.value(), mine.value() - theirs.value(),
                interval, (interval.high() - interval.low()) / 2 * Intervals.seenBeyond(confidence, POWER));
    }

    /** The errors of the clocks of both runs add up, as they are not those of chance. */
    private Difference endToEnd(RunGroup group, Metric.EndToEnd metric) {
        RunGroup baseline = groups.get(0);
        Optional<RunGroup> theirs = baseline.endToEnd(metric);
        Optional<RunGroup> mine = group.endToEnd(metric);
        if (theirs.isEmpty() || mine.isEmpty()) {
            double before = baseline.estimate(metric).value();
            double after = group.estimate(metric).value();
            return new Difference(group.name(), metric, before, after, Double.NaN,
                    Interval.unknown((theirs.isEmpty() ? baseline : group).doubt(metric)), Double.NaN);
        }
        return new Comparison(List.of(theirs.get(), mine.get()), confidence)
                .difference(mine.get(), metric.percentile()).of(metric, theirs.get().clockError()
                        + mine.get().clockError());
    }

    /**
     * Computes the interval by Welch's method, also for percentiles of repetitions, because resampling two to five runs
     * gives intervals that are too narrow. A single run next to repetitions is assumed to vary like these.
     */
    private Interval interval(RunGroup group, Metric metric, Estimate welch) {
        RunGroup baseline = groups.get(0);
        if (group.isSingle() && baseline.isSingle()) {
            return metric instanceof Metric.Percentile percentile ? Bootstrap.ofDifference(group.sample(),
                    baseline.sample(), percentile.percent(), confidence) : welch.interval(confidence);
        }
        if (!group.isSingle() && !baseline.isSingle()) {
            return welch.interval(confidence);
        }
        Estimate repeated = (group.isSingle() ? baseline : group).estimate(metric);
        double repetitions = repeated.degreesOfFreedom() + 1;
        double alone = Math.max(repeated.error() * Math.sqrt(repetitions),
                (group.isSingle() ? group : baseline).runs().get(0).leastError(metric));
        return new Estimate(welch.value(), Math.hypot(repeated.error(), alone), repeated.degreesOfFreedom())
                .interval(confidence);
    }
}
