package ch.ethz.mlmq.log_analyzer.scan;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.run.TimeRange;
import ch.ethz.mlmq.log_analyzer.source.LogStore;
import ch.ethz.mlmq.log_analyzer.source.PerformanceFile;
import ch.ethz.mlmq.log_analyzer.source.PerformanceFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/** The performance logs of a store, found and about to be read. */
public final class PerformanceLogs {
    private static final long[] NICE_WINDOWS_MS = {1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000,
            300_000};
    private static final int WINDOWS_WANTED = 120;
    private static final long SLICES_WANTED = 128;
    private static final long SHORTEST_SLICE_MS = 250;
    private static final long HOUR_MS = 3_600_000;
    private static final long DAY_MS = 24 * HOUR_MS;
    /** Largest delay of a JVM's end behind most of the others. */
    private static final long LATER_MS = 6 * HOUR_MS;
    private static final long LONGEST_MS = 30 * DAY_MS;

    private final List<PerformanceFile> files;
    private final List<String> copies;
    private final long originMs;
    /** Records that ended after this are implausible, unless a plan tells better [ms since 1970]. */
    private final long latestMs;

    private PerformanceLogs(PerformanceFiles.Found found, long originMs, long latestMs) {
        this.files = found.logs();
        this.copies = found.copies();
        this.originMs = originMs;
        this.latestMs = latestMs;
    }

    /**
     * Opens the logs. Start and length of the run are medians, so that one wrong clock or damaged stamp does not
     * matter.
     */
    public static PerformanceLogs of(LogStore store) throws IOException {
        PerformanceFiles.Found found = PerformanceFiles.find(store);
        List<PerformanceFile> files = found.logs();
        long[] starts = sorted(files.stream().map(PerformanceFile::firstStartMs));
        if (starts.length == 0) {
            throw new DataException("There is no performance log with data in " + store.name() + ".");
        }
        long start = starts[starts.length / 2];
        List<OptionalLong> ends = new ArrayList<>();
        for (PerformanceFile file : files) {
            // A clock that is wrong at the beginning is not used for the end either.
            if (Math.abs(file.firstStartMs().orElse(start) - start) <= DAY_MS) {
                ends.add(endOf(PerformanceFiles.lastStamps(file)));
            }
        }
        long[] lasts = sorted(ends.stream());
        long latest = lasts.length == 0 ? start + LONGEST_MS : lasts[(lasts.length - 1) / 2] + LATER_MS;
        long origin = Arrays.stream(starts).filter(ms -> ms >= start - DAY_MS).min().orElse(start);
        return new PerformanceLogs(found, origin, latest);
    }

    /** Estimates the end by the quartiles of the last stamps, with a tolerance for logs with few lines. */
    private static OptionalLong endOf(long[] stamps) {
        if (stamps.length == 0) {
            return OptionalLong.empty();
        }
        long[] sorted = Arrays.stream(stamps).sorted().toArray();
        long quarter = sorted[(sorted.length - 1) / 4];
        long threeQuarters = sorted[3 * (sorted.length - 1) / 4];
        return OptionalLong.of(threeQuarters + 3 * (threeQuarters - quarter));
    }

    private static long[] sorted(Stream<OptionalLong> times) {
        return times.filter(OptionalLong::isPresent).mapToLong(OptionalLong::getAsLong).sorted().toArray();
    }

    /** @param windowMs length of a window; empty for one that suits the length of the logs */
    public Measurements read(TimeSelection cut, OptionalLong windowMs, Grouping grouping, double... percents)
            throws IOException {
        return read(new LogReader(files, timeline(cut, windowMs), grouping, percents), grouping, false);
    }

    /** Reads windows of a length [ms]. @param percents wanted of a window, by its number */
    public Measurements readWindows(TimeSelection cut, long windowMs, Grouping grouping,
            LongFunction<double[]> percents) throws IOException {
        Timeline timeline = timeline(cut, OptionalLong.of(windowMs));
        return read(new LogReader(files, timeline, grouping, percents), grouping, false);
    }

    /** Reads many short windows, with the distribution of durations in each of them. */
    public Measurements readInSlices(TimeSelection cut, Grouping grouping) throws IOException {
        long windowMs = cut.steady().map(steady -> steady.toMs() - steady.fromMs()).orElse(0L) / SLICES_WANTED;
        Timeline timeline = timeline(cut, OptionalLong.of(Math.max(SHORTEST_SLICE_MS, windowMs)));
        return read(new LogReader(files, timeline, grouping), grouping, true);
    }

    private Measurements read(LogReader reader, Grouping grouping, boolean inSlices) throws IOException {
        Measurements measured = reader.read(inSlices).without(copies);
        if (measured.groups().isEmpty()) {
            throw new DataException("No line matches" + (grouping.prefixes().isEmpty() ? " the selected time."
                    : " -type " + String.join(" ", grouping.prefixes()) + " in the selected time."));
        }
        return measured;
    }

    /** @return the measurement interval, between warm-up and cool-down */
    public TimeRange steady(TimeSelection cut) throws IOException {
        Timeline timeline = timeline(cut, OptionalLong.of(Integer.MAX_VALUE));
        return new TimeRange(timeline.partStart(Timeline.STEADY), timeline.partEnd(Timeline.STEADY));
    }

    private Timeline timeline(TimeSelection cut, OptionalLong windowMs) throws IOException {
        boolean fromTheEnd = cut.cooldownMs() > 0;
        long endMs = fromTheEnd || windowMs.isEmpty() && cut.steady().isEmpty() ? endMs() : Long.MAX_VALUE;
        long lastMs = cut.steady().map(TimeRange::toMs).orElse(endMs);
        long firstMs = cut.steady().map(TimeRange::fromMs).filter(ms -> ms < originMs && ms >= originMs - DAY_MS)
                .orElse(originMs);
        return cut.timeline(firstMs, endMs, windowMs.orElseGet(() -> niceWindow(lastMs - firstMs)))
                .believing(originMs - HOUR_MS, cut.steady().map(steady -> steady.toMs() + HOUR_MS).orElse(latestMs));
    }

    /** @return end of the last record; needs a full read if a file cannot be read from its end */
    private long endMs() throws IOException {
        if (files.stream().anyMatch(file -> file.file().onDisk().isEmpty())) {
            Timeline uncut = Timeline.uncut(originMs, Integer.MAX_VALUE).believing(originMs - HOUR_MS, latestMs);
            return new LogReader(files, uncut, new Grouping(List.of(), List.of(Grouping.Key.ROLE))).read().endMs();
        }
        long latest = originMs;
        for (PerformanceFile file : files) {
            latest = Math.max(latest, Arrays.stream(PerformanceFiles.lastStamps(file)).filter(ms -> ms < latestMs)
                    .max().orElse(originMs));
        }
        return latest;
    }

    /** @return a round window length, of which about a hundred fit into this time */
    private static long niceWindow(long lengthMs) {
        for (long nice : NICE_WINDOWS_MS) {
            if (lengthMs / nice <= WINDOWS_WANTED) {
                return nice;
            }
        }
        return NICE_WINDOWS_MS[NICE_WINDOWS_MS.length - 1];
    }
}
