package ch.ethz.mlmq.log_analyzer.scan;

import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import ch.ethz.mlmq.log_analyzer.statistics.Series;
import ch.ethz.mlmq.log_analyzer.statistics.Slices;
import ch.ethz.mlmq.log_analyzer.statistics.Summary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;

/** Adds up the threads' records, group by group, and releases their memory meanwhile. */
final class Summation {
    private static final int STEADY_DENSE = 1 << 20;

    private final Timeline timeline;
    private final List<Groups.Numbered> numbered;
    private final Map<List<String>, List<Integer>> numbers = new LinkedHashMap<>();
    private final List<List<String>> labels;
    private final List<CellTable> tables;
    private final LongFunction<double[]> percents;
    private final boolean inSlices;
    private final TreeSet<Long> windows = new TreeSet<>();
    private final AtomicInteger next = new AtomicInteger();

    /**
     * @param percents wanted of a window, by its number
     * @param inSlices true if distributions by window are wanted, too
     */
    Summation(Timeline timeline, List<Groups.Numbered> numbered, List<CellTable> tables,
            LongFunction<double[]> percents, boolean inSlices) {
        this.timeline = timeline;
        this.numbered = numbered;
        for (int number = 0; number < numbered.size(); number++) {
            numbers.computeIfAbsent(numbered.get(number).labels(), unseen -> new ArrayList<>()).add(number);
        }
        this.labels = List.copyOf(numbers.keySet());
        this.tables = tables;
        this.percents = percents;
        this.inSlices = inSlices;
        tables.forEach(table -> windows.addAll(table.windows()));
    }

    /** Adds up groups until none is left; several threads may do this side by side. */
    List<Measurements.Group> work() {
        List<Measurements.Group> groups = new ArrayList<>();
        Tally window = new Tally();
        Tally steady = new Tally(STEADY_DENSE);
        for (int i = next.getAndIncrement(); i < labels.size(); i = next.getAndIncrement()) {
            Measurements.Group sum = sum(labels.get(i), window, steady);
            if (!sum.windows().isEmpty() || sum.steady().count() > 0) {
                groups.add(sum);
            }
        }
        return groups;
    }

    private Measurements.Group sum(List<String> label, Tally tally, Tally steady) {
        int[] numbers = this.numbers.get(label).stream().mapToInt(Integer::intValue).toArray();
        List<Measurements.Window> summaries = new ArrayList<>();
        Slices slices = new Slices();
        steady.add(drain(numbers, CellTable.NOWHERE, tally, Timeline.STEADY));
        for (long window : windows) {
            Distribution inside = drain(numbers, window, tally, Timeline.STEADY);
            steady.add(inside);
            if (inSlices) {
                slices.set((int) window, inside);
            }
            Distribution outside = drain(numbers, window, tally, Timeline.BEFORE, Timeline.AFTER);
            Distribution all = outside.count() > 0 ? both(inside, outside, tally) : inside;
            if (all.count() > 0) {
                summaries.add(new Measurements.Window(window, Summary.of(all, percents.apply(window))));
            }
        }
        return new Measurements.Group(label, List.copyOf(summaries), steady.take(), series(numbers), slices);
    }

    /** Counts each record with its weight. */
    private Distribution drain(int[] numbers, long window, Tally tally, int... parts) {
        Distribution sum = Distribution.EMPTY;
        for (int number : numbers) {
            drain(number, window, tally, parts);
            Distribution recorded = tally.take().times(numbered.get(number).weight());
            if (recorded.count() > 0) {
                sum = sum.count() > 0 ? both(sum, recorded, tally) : recorded;
            }
        }
        return sum;
    }

    private void drain(int number, long window, Tally tally, int... parts) {
        for (CellTable table : tables) {
            for (int part : parts) {
                Cell cell = table.cell(number, window, part);
                if (cell != null) {
                    cell.drainTo(tally);
                }
            }
        }
    }

    private static Distribution both(Distribution one, Distribution other, Tally tally) {
        tally.add(one);
        tally.add(other);
        return tally.take();
    }

    private Series series(int[] numbers) {
        long slotMs = tables.stream().flatMapToLong(table -> Arrays.stream(numbers)
                .mapToLong(i -> table.series(i).slotMs())).max().orElse(1);
        Series sum = new Series(slotMs);
        for (int number : numbers) {
            tables.forEach(table -> sum.add(table.series(number), numbered.get(number).weight()));
        }
        return sum;
    }
}
