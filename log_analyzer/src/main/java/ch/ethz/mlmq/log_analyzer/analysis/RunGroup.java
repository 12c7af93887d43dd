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
        if (metric instanceof Metric.EndToEnd receipts) {
            return endToEnd().map(group -> group.estimate(receipts.percentile()))
                    .orElse(Estimate.unknown(Double.NaN, Doubt.FEW));
        }
        if (isSingle()) {
            return runs.get(0).estimate(metric);
        }
        double[] values = runs.stream().mapToDouble(run -> run.value(metric)).toArray();
        return Estimate.ofMean(values, runs.stream().mapToDouble(run -> run.leastError(metric)).toArray());
    }

    /** @return confidence interval of the figure, not below 0 */
    public Interval interval(Metric metric, double confidence) {
        if (metric instanceof Metric.EndToEnd receipts) {
            return endToEnd().map(group -> group.interval(receipts.percentile(), confidence)).orElse(Interval.UNKNOWN);
        }
        if (!isSingle() && Double.isInfinite(estimate(metric).value())) {
            return Interval.unknown(metric.beyond());
        }
        Interval interval = metric instanceof Metric.Percentile percentile && isSingle() && hasDurations()
                ? Bootstrap.of(sample(), percentile.percent(), confidence) : estimate(metric).interval(confidence);
        double most = metric.unit().equals("%") ? PER_CENT : Double.POSITIVE_INFINITY;
        return new Interval(Math.max(0, interval.low()), Math.min(most, interval.high()), interval.doubt());
    }

    /** @return the figure, or its lower bound if it lies among requests that failed or a backlog did not drain */
    public double atLeast(Metric metric) {
        if (metric instanceof Metric.EndToEnd receipts) {
            return endToEnd().map(group -> group.atLeast(receipts.percentile())).orElse(Double.NaN);
        }
        return runs.stream().mapToDouble(run -> Double.isInfinite(run.value(metric)) ? run.atLeast(metric)
                : run.value(metric)).average().orElse(Double.NaN);
    }

    /** @return the receipts of messages of all runs; empty if one of them has none */
    Optional<RunGroup> endToEnd() {
        List<RunFigures> receipts = runs.stream().flatMap(run -> run.endToEnd().stream()).toList();
        return receipts.size() == runs.size() ? Optional.of(new RunGroup(name, receipts)) : Optional.empty();
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
