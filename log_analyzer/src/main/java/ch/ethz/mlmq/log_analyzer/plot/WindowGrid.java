package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.scan.Timeline;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.LongStream;

/**
 * Windows as rows, with the figures of groups side by side.
 *
 * @param measured the records
 * @param names    of the groups
 * @param figures  of each group, by window
 */
public record WindowGrid<T>(Measurements measured, List<String> names, List<Map<Long, T>> figures) {
    private static final double MS_PER_SECOND = 1000;

    /**
     * @param columns of one group, appended to its name
     * @param cells   of one group in one window: its number and its figures, empty if there are none
     */
    public Table table(List<String> columns, BiFunction<Long, Optional<T>, List<?>> cells) {
        List<String> header = new ArrayList<>(List.of("seconds"));
        names.forEach(name -> columns.forEach(column -> header.add(column.isEmpty() ? name : name + " " + column)));
        Table table = new Table(header);
        long last = figures.stream().flatMap(group -> group.keySet().stream()).mapToLong(Long::longValue).max()
                .orElse(0);
        numbers(measured, last).forEach(window -> {
            List<Object> row = new ArrayList<>(List.of(window * measured.timeline().windowMs() / MS_PER_SECOND));
            figures.forEach(group -> row.addAll(cells.apply(window, Optional.ofNullable(group.get(window)))));
            table.add(row);
        });
        return table;
    }

    /** @return the axis that reaches to the end of what was measured */
    public TimeAxis axis() {
        return TimeAxis.fitting((measured.untilMs() - measured.timeline().originMs()) / MS_PER_SECOND);
    }

    /** @return the range of the time axis: what there is, with nothing before and behind */
    public String range() {
        long originMs = measured.timeline().originMs();
        return axis().range((measured.fromMs() - originMs) / MS_PER_SECOND,
                (measured.untilMs() - originMs) / MS_PER_SECOND);
    }

    /**
     * @return all windows, including empty ones, up to the planned end or that of the logs, or to the last one with
     * records if that is later. A last window that has hardly begun is left out
     */
    static LongStream numbers(Measurements measured, long lastMeasured) {
        Timeline timeline = measured.timeline();
        long end = timeline.planned() ? measured.steadyToMs() : measured.endMs();
        long first = timeline.window(measured.fromMs());
        long last = Math.max(first, Math.max(lastMeasured, timeline.window(end - 1)));
        boolean hardlyBegun = measured.coveredMs(last) * 2 < timeline.windowMs();
        return LongStream.rangeClosed(first, hardlyBegun && first < last ? last - 1 : last);
    }
}
