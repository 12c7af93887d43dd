package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.statistics.Summary;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.LongStream;

/** Windows as rows, groups side by side: the busiest groups only, because more lines than colours say nothing. */
final class WindowGrid {
    private static final double MS_PER_SECOND = 1000;

    private final Measurements measured;
    private final List<Measurements.Group> groups;
    private final List<Map<Long, Summary>> summaries;

    private WindowGrid(Measurements measured, List<Measurements.Group> groups) {
        this.measured = measured;
        this.groups = groups;
        this.summaries = groups.stream().map(WindowGrid::byNumber).toList();
    }

    static WindowGrid of(Measurements measured) {
        List<Measurements.Group> shown = measured.groups().stream()
                .sorted(Comparator.comparingLong(WindowGrid::count).reversed()).limit(Gnuplot.COLOURS.size()).toList();
        return new WindowGrid(measured, shown);
    }

    List<Measurements.Group> groups() {
        return groups;
    }

    /** @return how many groups are not shown */
    int left() {
        return measured.groups().size() - groups.size();
    }

    /**
     * @param names   of the columns of one group, appended to its name
     * @param figures cells of one group in one window: its number and what was measured, empty where nothing was
     */
    Table table(List<String> names, BiFunction<Long, Optional<Summary>, List<?>> figures) {
        List<String> columns = new ArrayList<>(List.of("seconds"));
        groups.forEach(group -> names.forEach(name -> columns.add((group.name() + " " + name).strip())));
        Table table = new Table(columns);
        windows().forEach(window -> {
            List<Object> row = new ArrayList<>(List.of(window * measured.timeline().windowMs() / MS_PER_SECOND));
            summaries.forEach(group -> row.addAll(figures.apply(window, Optional.ofNullable(group.get(window)))));
            table.add(row);
        });
        return table;
    }

    /** All windows from the first to the last, but not one at the end that has hardly begun. */
    private LongStream windows() {
        long[] numbers = summaries.stream().flatMap(group -> group.keySet().stream()).mapToLong(Long::longValue)
                .distinct().sorted().toArray();
        long last = numbers[numbers.length - 1];
        boolean begun = measured.coveredMs(last) * 2 < measured.timeline().windowMs();
        return LongStream.rangeClosed(numbers[0], begun && numbers.length > 1 ? last - 1 : last);
    }

    private static long count(Measurements.Group group) {
        return group.windows().stream().mapToLong(window -> window.summary().count()).sum();
    }

    private static Map<Long, Summary> byNumber(Measurements.Group group) {
        Map<Long, Summary> byNumber = new HashMap<>();
        group.windows().forEach(window -> byNumber.put(window.number(), window.summary()));
        return byNumber;
    }
}
