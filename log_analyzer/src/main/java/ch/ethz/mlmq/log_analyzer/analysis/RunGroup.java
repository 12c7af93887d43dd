package ch.ethz.mlmq.log_analyzer.analysis;

import ch.ethz.mlmq.log_analyzer.statistics.Bootstrap;
import ch.ethz.mlmq.log_analyzer.statistics.Doubt;
import ch.ethz.mlmq.log_analyzer.statistics.Estimate;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import java.util.List;
import java.util.Optional;

/** One run, or repetitions of one, under a name. */
public record RunGroup(String name, List<RunFigures> runs) {
    private static final double PER_CENT = 100;

    /**
     * @return the figure, averaged over the repetitions. Its error is theirs, or that of a single run's changes in
     * time.
     */
    public Estimate estimate(Metric metric) {
        if (metric instanceof Metric.EndToEnd wanted) {
            return endToEnd(wanted).map(group -> group.estimate(wanted.percentile()))
                    .orElseGet(() -> Estimate.unknown(Double.NaN, doubt(wanted)));
        }
        if (isSingle()) {
            return runs.get(0).estimate(metric);
        }
        double[] values = runs.stream().mapToDouble(run -> run.value(metric)).toArray();
        return Estimate.ofMean(values, runs.stream().mapToDouble(run -> run.leastError(metric)).toArray());
    }

    /** @return confidence interval of the figure, not below 0 */
    public Interval interval(Metric metric, double confidence) {
        if (metric instanceof Metric.EndToEnd wanted) {
            return endToEnd(wanted).map(group -> group.interval(wanted.percentile(), confidence)
                    .widened(group.clockError()).within(0, Double.POSITIVE_INFINITY))
                    .orElseGet(() -> Interval.unknown(doubt(wanted)));
        }
        if (!isSingle() && Double.isInfinite(estimate(metric).value())) {
            return Interval.unknown(metric.beyond());
        }
        Interval interval = metric instanceof Metric.Percentile percentile && isSingle() && hasDurations()
                ? Bootstrap.of(sample(), percentile.percent(), confidence) : estimate(metric).interval(confidence);
        double most = metric.unit().equals("%") ? PER_CENT : Double.POSITIVE_INFINITY;
        return new Interval(Math.max(0, interval.low()), Math.min(most, interval.high()), interval.doubt());
    }

    /** @return number of subscriptions whose first message was timed */
    public long firstMessages() {
        return runs.stream().mapToLong(RunFigures::firstMessages).sum();
    }

    /** @return the figure, or its lower bound if it lies among requests that failed or a backlog did not drain */
    public double atLeast(Metric metric) {
        if (metric instanceof Metric.EndToEnd wanted) {
            return endToEnd(wanted).map(group -> Math.max(0, group.atLeast(wanted.percentile())
                    - group.clockError())).orElse(Double.NaN);
        }
        return runs.stream().mapToDouble(run -> Double.isInfinite(run.value(metric)) ? run.atLeast(metric)
                : run.value(metric)).average().orElse(Double.NaN);
    }

    /**
     * @return the times of messages of all runs; empty if one of them has none, or the clocks are known less exactly
     * than the figure
     */
    Optional<RunGroup> endToEnd(Metric.EndToEnd wanted) {
        return messages(wanted.until()).filter(group ->
                group.clockError() <= group.estimate(wanted.percentile()).value());
    }

    /** @return why there is no such figure */
    Doubt doubt(Metric.EndToEnd wanted) {
        return runs.stream().map(run -> run.doubtOfClocks(wanted.until())).filter(doubt -> doubt != Doubt.NONE)
                .findFirst().orElse(messages(wanted.until()).isPresent() ? Doubt.CLOCKS_INEXACT : Doubt.FEW);
    }

    /** @return true if the figure is not told because of the clocks by which it was measured */
    boolean isInDoubtOfClocks(Metric metric) {
        return metric instanceof Metric.EndToEnd wanted && endToEnd(wanted).isEmpty() && doubt(wanted) != Doubt.FEW;
    }

    /**
     * @return how wrong the figure may be, as messages were sent and received by different clocks, in its unit; NaN if
     * that does not concern it, or is unknown
     */
    public double clockError(Metric metric) {
        return metric instanceof Metric.EndToEnd wanted ? messages(wanted.until()).map(RunGroup::clockError)
                .filter(error -> error > 0).orElse(Double.NaN) : Double.NaN;
    }

    /** @return how wrong the clocks make a mean over the repetitions [us] */
    double clockError() {
        return runs.stream().mapToDouble(run -> run.clocks().errorUs()).average().orElse(0);
    }

    private Optional<RunGroup> messages(Metric.Until until) {
        List<RunFigures> messages = runs.stream().flatMap(run -> run.messages(until).stream()).toList();
        return messages.size() == runs.size() ? Optional.of(new RunGroup(name, messages)) : Optional.empty();
    }

    boolean hasDurations() {
        return runs.stream().allMatch(run -> run.durations().all() > 0);
    }

    /** @return true if it is one run without repetitions */
    boolean isSingle() {
        return runs.size() == 1;
    }

    /** @return the durations of the one run */
    Bootstrap.Sample sample() {
        return runs.get(0).sample();
    }
}
