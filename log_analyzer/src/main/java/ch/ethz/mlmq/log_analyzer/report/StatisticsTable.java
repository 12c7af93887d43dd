package ch.ethz.mlmq.log_analyzer.report;

import ch.ethz.mlmq.log_analyzer.scan.Grouping;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.statistics.CorrelatedMean;
import ch.ethz.mlmq.log_analyzer.statistics.Doubt;
import ch.ethz.mlmq.log_analyzer.statistics.Estimate;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import ch.ethz.mlmq.log_analyzer.statistics.Summary;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Tables of windows and groups: times in us, throughput in 1/s, windows in seconds from the first line's start.
 *
 * @param measured   what was read
 * @param keys       by which it was grouped
 * @param percents   percentiles that were computed, 0..100
 * @param confidence of the intervals, 0..1
 */
public record StatisticsTable(Measurements measured, List<Grouping.Key> keys, double[] percents, double confidence) {
    private static final double MS_PER_SECOND = 1000;
    private static final String STEADY = "steady";
    private static final List<String> INTERVALS = List.of("mean_low", "mean_high");
    /** Column for the number of records that estimated counts rest on. */
    private static final String RECORDED = "recorded";

    /** @return the measurement interval for people */
    public Table overview() {
        List<String> columns = new ArrayList<>();
        keys.forEach(key -> columns.add(key.column()));
        columns.addAll(List.of("count", "throughput", "mean", "mean_low", "mean_high", "stddev", "median"));
        Arrays.stream(percents).forEach(percent -> columns.add("p" + Figures.percent(percent)));
        columns.addAll(List.of("min", "max"));
        addIfSampled(columns, RECORDED);
        Table table = new Table(columns);
        for (Measurements.Group group : measured.groups()) {
            if (group.steady().count() > 0) {
                Summary steady = Summary.of(group.steady(), percents);
                Interval mean = mean(group).interval(confidence);
                List<Object> row = new ArrayList<>(group.labels());
                row.addAll(List.of(steady.count(), throughput(steady, measured.steadyMs()), steady.mean(),
                        Math.max(0, mean.low()), mean.high(), steady.stddev(), steady.median()));
                row.addAll(steady.percentiles());
                row.addAll(List.of(steady.range().min(), steady.range().max()));
                addIfSampled(row, steady.recorded());
                table.add(row);
            }
        }
        return table;
    }

    /** @return groups without an interval of the mean, with the reason, in a sentence each; one for each reason */
    public List<String> doubts() {
        Map<Doubt, List<String>> names = new EnumMap<>(Doubt.class);
        measured.groups().stream().filter(group -> group.steady().count() > 0).forEach(group ->
                names.computeIfAbsent(mean(group).doubt(), unseen -> new ArrayList<>()).add(group.name()));
        names.remove(Doubt.NONE);
        return names.entrySet().stream().map(entry -> "No interval for " + String.join(", ", entry.getValue()) + ": "
                + entry.getKey().words() + ".").toList();
    }

    /**
     * @return a row for each window of each group, and one with the interval of the mean for its measurement interval
     */
    public Table byWindow() {
        List<String> columns = new ArrayList<>(List.of("window"));
        keys.forEach(key -> columns.add(key.column()));
        columns.addAll(List.of("count", "throughput", "mean", "stddev", "median"));
        Arrays.stream(percents).forEach(percent -> columns.add("p" + Figures.percent(percent)));
        columns.addAll(List.of("min", "max"));
        columns.addAll(INTERVALS);
        addIfSampled(columns, RECORDED);
        Table table = new Table(columns);
        for (Measurements.Group group : measured.groups()) {
            group.windows().forEach(window -> table.add(windowRow(group, window)));
            if (group.steady().count() > 0) {
                table.add(steadyRow(group));
            }
        }
        return table;
    }

    private List<Object> windowRow(Measurements.Group group, Measurements.Window window) {
        double start = window.number() * measured.timeline().windowMs() / MS_PER_SECOND;
        List<Object> row = row(start, group, window.summary(), measured.coveredMs(window.number()));
        row.addAll(Collections.nCopies(INTERVALS.size(), null));
        addIfSampled(row, window.summary().recorded());
        return row;
    }

    private List<Object> steadyRow(Measurements.Group group) {
        Summary steady = Summary.of(group.steady(), percents);
        List<Object> row = row(STEADY, group, steady, measured.steadyMs());
        Interval mean = mean(group).interval(confidence);
        row.addAll(List.of(Math.max(0, mean.low()), mean.high()));
        addIfSampled(row, steady.recorded());
        return row;
    }

    private <T> void addIfSampled(List<T> row, T cell) {
        if (!measured.sampling().isWhole()) {
            row.add(cell);
        }
    }

    private Estimate mean(Measurements.Group group) {
        long slotMs = group.series().slotMs();
        int from = measured.timeline().slot(measured.steadyFromMs(), slotMs);
        int to = measured.timeline().slot(measured.steadyToMs(), slotMs);
        return CorrelatedMean.ofDurations(group.series(), from, to).of(group.steady().mean());
    }

    private static List<Object> row(Object window, Measurements.Group group, Summary summary, long lengthMs) {
        List<Object> row = new ArrayList<>(List.of(window));
        row.addAll(group.labels());
        row.addAll(List.of(summary.count(), throughput(summary, lengthMs), summary.mean(), summary.stddev(),
                summary.median()));
        row.addAll(summary.percentiles());
        row.addAll(List.of(summary.range().min(), summary.range().max()));
        return row;
    }

    private static double throughput(Summary summary, long lengthMs) {
        return summary.count() * MS_PER_SECOND / lengthMs;
    }
}
