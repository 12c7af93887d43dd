package ch.ethz.mlmq.log_analyzer.scan;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.run.Phase;
import ch.ethz.mlmq.log_analyzer.source.LogStore;
import ch.ethz.mlmq.log_analyzer.source.PerformanceFile;
import ch.ethz.mlmq.log_analyzer.source.PerformanceFiles;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/** The performance logs of a store, found and about to be read. */
public final class Reading {
    private static final long[] NICE_WINDOWS_MS = {1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000,
            300_000};
    private static final int WINDOWS_WANTED = 120;

    private final List<PerformanceFile> files;
    private final long originMs;

    private Reading(List<PerformanceFile> files, long originMs) {
        this.files = files;
        this.originMs = originMs;
    }

    public static Reading of(LogStore store) throws IOException {
        List<PerformanceFile> files = PerformanceFiles.in(store);
        long originMs = files.stream().map(PerformanceFile::firstStartMs).filter(OptionalLong::isPresent)
                .mapToLong(OptionalLong::getAsLong).min().orElseThrow(() -> new DataException(
                        "There is no performance log with data in " + store.name() + "."));
        return new Reading(files, originMs);
    }

    /** @param windowMs length of a window; empty for one that suits the length of the logs */
    public Measurements read(Cut cut, OptionalLong windowMs, Grouping grouping, double... percents) throws IOException {
        Timeline timeline = timeline(cut, windowMs);
        Measurements measured = new LogReader(files, timeline, grouping, percents).read();
        if (measured.groups().isEmpty()) {
            throw new DataException("No line matches" + (grouping.prefixes().isEmpty() ? " the time asked for."
                    : " -type " + String.join(" ", grouping.prefixes()) + " in the time asked for."));
        }
        return measured;
    }

    /** @return the steady part, between warm-up and cool-down */
    public Phase steady(Cut cut) throws IOException {
        Timeline timeline = timeline(cut, OptionalLong.of(Integer.MAX_VALUE));
        return new Phase(timeline.partStart(Timeline.STEADY), timeline.partEnd(Timeline.STEADY));
    }

    private Timeline timeline(Cut cut, OptionalLong windowMs) throws IOException {
        boolean fromTheEnd = cut.cooldownMs() > 0;
        long endMs = fromTheEnd || windowMs.isEmpty() && cut.steady().isEmpty() ? endMs() : Long.MAX_VALUE;
        long lastMs = cut.steady().map(Phase::toMs).orElse(endMs);
        return cut.timeline(originMs, endMs, windowMs.orElseGet(() -> niceWindow(lastMs - originMs)));
    }

    /** @return when the last record ended; a full read where a file cannot be looked at from its end */
    private long endMs() throws IOException {
        if (files.stream().anyMatch(file -> file.file().onDisk().isEmpty())) {
            Timeline uncut = Timeline.uncut(originMs, Integer.MAX_VALUE);
            return new LogReader(files, uncut, new Grouping(List.of(), List.of(Grouping.Key.ROLE))).read().endMs();
        }
        long latest = originMs;
        for (PerformanceFile file : files) {
            latest = Math.max(latest, PerformanceFiles.lastMs(file).orElse(originMs));
        }
        return latest;
    }

    /** @return a window of which there are about a hundred in so long a time */
    private static long niceWindow(long lengthMs) {
        for (long nice : NICE_WINDOWS_MS) {
            if (lengthMs / nice <= WINDOWS_WANTED) {
                return nice;
            }
        }
        return NICE_WINDOWS_MS[NICE_WINDOWS_MS.length - 1];
    }
}
