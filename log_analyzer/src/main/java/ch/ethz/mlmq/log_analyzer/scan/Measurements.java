package ch.ethz.mlmq.log_analyzer.scan;

import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import ch.ethz.mlmq.log_analyzer.statistics.Series;
import ch.ethz.mlmq.log_analyzer.statistics.Slices;
import ch.ethz.mlmq.log_analyzer.statistics.Summary;
import java.util.List;
import java.util.function.Predicate;

/**
 * All records that were read.
 *
 * @param timeline windows and parts of the time
 * @param endMs    end of the last record of all logs [ms since 1970], whatever was requested
 * @param groups   sorted by labels
 * @param files    counts of each file
 * @param tooFar   records left out because they are implausibly far from the others
 * @param copies   names of logs that were left out as duplicates
 * @param exact    true if durations are exact; otherwise they are precise to 0.05 %, because memory did not suffice
 */
public record Measurements(Timeline timeline, long endMs, List<Group> groups, List<FileCount> files, long tooFar,
        List<String> copies, boolean exact) {
    /**
     * The durations of a group.
     *
     * @param labels  one for each key of the grouping
     * @param windows windows with records, ascending
     * @param steady  all durations of the measurement interval
     * @param series  sums and counts over time, steady or not
     * @param slices  durations of the measurement interval by window, if requested
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

    /** @return which requests were recorded */
    public Sampling sampling() {
        return Sampling.of(files);
    }

    /** @return the same with only those groups whose names have this prefix */
    public Measurements onlyStartingWith(String prefix) {
        return only(group -> group.name().startsWith(prefix));
    }

    /** @return the same without those groups whose names have this suffix */
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

    /** @return length of the requested and recorded part of a window [ms] */
    public long coveredMs(long window) {
        long start = timeline.windowStart(window);
        long from = Math.max(start, timeline.asked().fromMs());
        long to = Math.min(start + timeline.windowMs(), untilMs());
        return Math.max(1, to - from);
    }

    /** @return end of the requested time: that of the last record, or later if more was planned */
    public long untilMs() {
        return timeline.planned() ? Math.max(endMs(), steadyToMs()) : endMs();
    }

    /** @return when the last record ended, of the time that was asked for [ms since 1970] */
    @Override
    public long endMs() {
        return Math.min(endMs, timeline.asked().toMs());
    }

    /** @return begin of the requested time: the start, or later */
    public long fromMs() {
        return Math.max(timeline.originMs(), timeline.asked().fromMs());
    }

    public long steadyFromMs() {
        return Math.max(timeline.originMs(), Math.max(timeline.asked().fromMs(), timeline.steady().fromMs()));
    }

    /** @return the planned end of the measurement interval; without a plan, at the latest the end of the logs */
    public long steadyToMs() {
        long to = Math.min(timeline.asked().toMs(), timeline.steady().toMs());
        return timeline.planned() ? to : Math.min(endMs, to);
    }

    /** @return length of the measurement interval [ms] */
    public long steadyMs() {
        return Math.max(1, steadyToMs() - steadyFromMs());
    }
}
