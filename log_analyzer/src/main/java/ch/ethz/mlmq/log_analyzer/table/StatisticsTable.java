package ch.ethz.mlmq.log_analyzer.table;

import ch.ethz.mlmq.log_analyzer.scan.Grouping;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import ch.ethz.mlmq.log_analyzer.statistics.Intervals;
import ch.ethz.mlmq.log_analyzer.statistics.Summary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The table of windows and groups: times in us, throughput in 1/s, windows in seconds from the first line's start. */
public final class StatisticsTable {
    private static final double MS_PER_SECOND = 1000;
    private static final String STEADY = "steady";
    private static final List<String> INTERVALS = List.of("mean_low", "mean_high", "stddev_low", "stddev_high");

    private final Measurements measured;
    private final double[] percents;
    private final double confidence;
    private final Table table;

    private StatisticsTable(Measurements measured, List<Grouping.Key> keys, double[] percents, double confidence) {
        this.measured = measured;
        this.percents = percents;
        this.confidence = confidence;
        this.table = new Table(columns(keys, percents));
    }

    /** @return a row for each window of each group, and one for its steady part */
    public static Table of(Measurements measured, List<Grouping.Key> keys, double[] percents, double confidence) {
        StatisticsTable rows = new StatisticsTable(measured, keys, percents, confidence);
        for (Measurements.Group group : measured.groups()) {
            group.windows().forEach(window -> rows.addWindow(group, window));
            rows.addSteady(group);
        }
        return rows.table;
    }

    /** @return the steady rows alone */
    public static Table ofSteady(Measurements measured, List<Grouping.Key> keys, double[] percents, double confidence) {
        StatisticsTable rows = new StatisticsTable(measured, keys, percents, confidence);
        measured.groups().forEach(rows::addSteady);
        return rows.table;
    }

    private static List<String> columns(List<Grouping.Key> keys, double[] percents) {
        List<String> columns = new ArrayList<>(List.of("window"));
        keys.forEach(key -> columns.add(key.column()));
        columns.addAll(List.of("count", "throughput", "mean", "stddev", "median"));
        Arrays.stream(percents).forEach(percent -> columns.add("p" + Figures.percent(percent)));
        columns.addAll(List.of("min", "max"));
        columns.addAll(INTERVALS);
        return columns;
    }

    private void addWindow(Measurements.Group group, Measurements.Window window) {
        double start = window.number() * measured.timeline().windowMs() / MS_PER_SECOND;
        List<Object> row = row(start, group, window.summary(), measured.coveredMs(window.number()));
        row.addAll(Collections.nCopies(INTERVALS.size(), null));
        table.add(row);
    }

    private void addSteady(Measurements.Group group) {
        if (group.steady().count() == 0) {
            return;
        }
        Summary steady = Summary.of(group.steady(), percents);
        List<Object> row = row(STEADY, group, steady, measured.steadyMs());
        Interval mean = Intervals.ofMean(steady.count(), steady.mean(), steady.stddev(), confidence);
        Interval stddev = Intervals.ofStandardDeviation(steady.count(), steady.stddev(), confidence);
        row.addAll(List.of(mean.low(), mean.high(), stddev.low(), stddev.high()));
        table.add(row);
    }

    private static List<Object> row(Object window, Measurements.Group group, Summary summary, long lengthMs) {
        List<Object> row = new ArrayList<>(List.of(window));
        row.addAll(group.labels());
        row.addAll(Arrays.asList(summary.count(), summary.count() * MS_PER_SECOND / lengthMs, summary.mean(),
                summary.stddev(), summary.median()));
        row.addAll(summary.percentiles());
        row.addAll(List.of(summary.min(), summary.max()));
        return row;
    }
}
