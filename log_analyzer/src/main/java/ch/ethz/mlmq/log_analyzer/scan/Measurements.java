package ch.ethz.mlmq.log_analyzer.scan;

import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import ch.ethz.mlmq.log_analyzer.statistics.Series;
import ch.ethz.mlmq.log_analyzer.statistics.Slices;
import ch.ethz.mlmq.log_analyzer.statistics.Summary;
import java.util.List;
import java.util.function.Predicate;

/**
 * All that was read.
 *
 * @param timeline how time was cut
 * @param endMs    when the last record of all logs ended [ms since 1970], whatever was asked for
 * @param groups   sorted by labels
 * @param files    what was met in each file
 * @param tooFar   records left out because they lie too far behind the others to be believed
 * @param copies   names of logs that were left out, because they are others once more
 * @param exact    whether durations are exact; otherwise they are to 0.05 %, because memory did not suffice
 */
public record Measurements(Timeline timeline, long endMs, List<Group> groups, List<FileCount> files, long tooFar,
        List<String> copies, boolean exact) {
    /**
     * Durations taken together.
     *
     * @param labels  one for each key of the grouping
     * @param windows windows in which something was recorded, ascending
     * @param steady  all durations of the steady part
     * @param series  sums and counts over time, steady or not
     * @param slices  durations of the steady part by window, where that was asked for
     */
    public record Group(List<String> labels, List<Window> windows, Distribution steady, Series series,
            Slices slices) {

        public String name() {
            return String.join(" ", labels);
        }
    }

    /** Durations of one window. @param number of the window, counted from the origin */
    public record Window(long number, Summary summary) {
    }

    static Measurements of(Timeline timeline, List<CellTable> tables, List<Group> groups, List<FileCount> files) {
        long endMs = tables.stream().mapToLong(CellTable::lastMs).max().orElse(timeline.originMs());
        return new Measurements(timeline, endMs, groups, files, tables.stream().mapToLong(CellTable::tooFar).sum(),
                List.of(), tables.stream().allMatch(CellTable::isExact));
    }

    /** @return which of the requests were recorded */
    public Sampling sampling() {
        return Sampling.of(files);
    }

    /** @return the same with those groups only whose names begin so */
    public Measurements onlyStartingWith(String prefix) {
        return only(group -> group.name().startsWith(prefix));
    }

    /** @return the same without those groups whose names end so */
    public Measurements without(String suffix) {
        return only(group -> !group.name().endsWith(suffix));
    }

    private Measurements only(Predicate<Group> wanted) {
        return new Measurements(timeline, endMs, groups.stream().filter(wanted).toList(), files, tooFar, copies,
                exact);
    }

    Measurements without(List<String> others) {
        return new Measurements(timeline, endMs, groups, files, tooFar, others, exact);
    }

    /** @return length of the part of a window that was asked for and happened [ms] */
    public long coveredMs(long window) {
        long start = timeline.windowStart(window);
        long from = Math.max(start, timeline.asked().fromMs());
        long to = Math.min(start + timeline.windowMs(), untilMs());
        return Math.max(1, to - from);
    }

    /** @return when what was asked for ended: where the last record did, or later where more was planned */
    public long untilMs() {
        return timeline.planned() ? Math.max(endMs(), steadyToMs()) : endMs();
    }

    /** @return when the last record ended, of the time that was asked for [ms since 1970] */
    @Override
    public long endMs() {
        return Math.min(endMs, timeline.asked().toMs());
    }

    /** @return where what was asked for begins: at the start, or later */
    public long fromMs() {
        return Math.max(timeline.originMs(), timeline.asked().fromMs());
    }

    public long steadyFromMs() {
        return Math.max(timeline.originMs(), Math.max(timeline.asked().fromMs(), timeline.steady().fromMs()));
    }

    /** @return the planned end of the steady part; where no plan is known, the end of the logs at the latest */
    public long steadyToMs() {
        long to = Math.min(timeline.asked().toMs(), timeline.steady().toMs());
        return timeline.planned() ? to : Math.min(endMs, to);
    }

    /** @return length of the steady part [ms] */
    public long steadyMs() {
        return Math.max(1, steadyToMs() - steadyFromMs());
    }
}
