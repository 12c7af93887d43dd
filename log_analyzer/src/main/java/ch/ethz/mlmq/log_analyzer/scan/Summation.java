package ch.ethz.mlmq.log_analyzer.scan;

import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import ch.ethz.mlmq.log_analyzer.statistics.Series;
import ch.ethz.mlmq.log_analyzer.statistics.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;

/** Adds up what the threads have read, group by group, and gives their memory back on the way. */
final class Summation {
    private static final int STEADY_DENSE = 1 << 20;

    private final Timeline timeline;
    private final List<List<String>> labels;
    private final List<CellTable> tables;
    private final double[] percents;
    private final TreeSet<Long> windows = new TreeSet<>();
    private final AtomicInteger next = new AtomicInteger();

    /** @param percents wanted of each window */
    Summation(Timeline timeline, List<List<String>> labels, List<CellTable> tables, double[] percents) {
        this.timeline = timeline;
        this.labels = labels;
        this.tables = tables;
        this.percents = percents;
        tables.forEach(table -> windows.addAll(table.windows()));
    }

    /** Adds up groups until none is left; several threads may do this side by side. */
    List<Measurements.Group> work() {
        List<Measurements.Group> groups = new ArrayList<>();
        Tally window = new Tally();
        Tally steady = new Tally(STEADY_DENSE);
        for (int group = next.getAndIncrement(); group < labels.size(); group = next.getAndIncrement()) {
            Measurements.Group sum = sum(group, window, steady);
            if (!sum.windows().isEmpty()) {
                groups.add(sum);
            }
        }
        return groups;
    }

    private Measurements.Group sum(int group, Tally tally, Tally steady) {
        List<Measurements.Window> summaries = new ArrayList<>();
        for (long window : windows) {
            Distribution inside = drain(group, window, tally, Timeline.STEADY);
            steady.add(inside);
            Distribution outside = drain(group, window, tally, Timeline.BEFORE, Timeline.AFTER);
            Distribution all = inside;
            if (outside.count() > 0) {
                tally.add(inside);
                tally.add(outside);
                all = tally.take();
            }
            if (all.count() > 0) {
                summaries.add(new Measurements.Window(window, Summary.of(all, percents)));
            }
        }
        return new Measurements.Group(labels.get(group), List.copyOf(summaries), steady.take(), series(group));
    }

    private Distribution drain(int group, long window, Tally tally, int... parts) {
        for (CellTable table : tables) {
            for (int part : parts) {
                Cell cell = table.cell(group, window, part);
                if (cell != null) {
                    cell.drainTo(tally);
                }
            }
        }
        return tally.take();
    }

    private Series series(int group) {
        List<Series> parts = tables.stream().map(table -> table.series(group)).toList();
        Series sum = new Series(parts.stream().mapToLong(Series::slotMs).max().orElse(1));
        parts.forEach(sum::add);
        return sum;
    }
}
