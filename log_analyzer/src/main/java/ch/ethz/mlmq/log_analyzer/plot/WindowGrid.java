package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.LongStream;

/**
 * Windows as rows, what was measured in them side by side.
 *
 * @param measured what was read
 * @param names    of the groups
 * @param figures  of each group, by window
 */
record WindowGrid<T>(Measurements measured, List<String> names, List<Map<Long, T>> figures) {
    private static final double MS_PER_SECOND = 1000;

    /**
     * @param columns of one group, appended to its name
     * @param cells   of one group in one window: its number and what was measured, empty where nothing was
     */
    Table table(List<String> columns, BiFunction<Long, Optional<T>, List<?>> cells) {
        List<String> header = new ArrayList<>(List.of("seconds"));
        names.forEach(name -> columns.forEach(column -> header.add(column.isEmpty() ? name : name + " " + column)));
        Table table = new Table(header);
        windows().forEach(window -> {
            List<Object> row = new ArrayList<>(List.of(window * measured.timeline().windowMs() / MS_PER_SECOND));
            figures.forEach(group -> row.addAll(cells.apply(window, Optional.ofNullable(group.get(window)))));
            table.add(row);
        });
        return table;
    }

    TimeAxis axis() {
        return TimeAxis.fitting((measured.endMs() - measured.timeline().originMs()) / MS_PER_SECOND);
    }

    /** @return the range of the time axis: what there is, with nothing before and behind */
    String range() {
        long originMs = measured.timeline().originMs();
        return axis().range((measured.fromMs() - originMs) / MS_PER_SECOND,
                (measured.endMs() - originMs) / MS_PER_SECOND);
    }

    /** All windows from the first to the last, but not one at the end that has hardly begun. */
    private LongStream windows() {
        long first = figures.stream().flatMap(group -> group.keySet().stream()).mapToLong(Long::longValue).min()
                .orElse(0);
        long last = figures.stream().flatMap(group -> group.keySet().stream()).mapToLong(Long::longValue).max()
                .orElse(0);
        boolean hardlyBegun = measured.coveredMs(last) * 2 < measured.timeline().windowMs();
        return LongStream.rangeClosed(first, hardlyBegun && first < last ? last - 1 : last);
    }
}
