package ch.ethz.mlmq.log_analyzer.scan;

import ch.ethz.mlmq.log_analyzer.DataException;
import ch.ethz.mlmq.log_analyzer.source.LogStore;
import ch.ethz.mlmq.log_analyzer.source.PerformanceFile;
import ch.ethz.mlmq.log_analyzer.source.PerformanceFiles;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/** The performance logs of a store, found and about to be read. */
public final class Reading {
    private static final long[] NICE_WINDOWS_MS = {1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000};
    private static final int WINDOWS_WANTED = 120;
    private static final long WINDOW_WHERE_LENGTH_UNKNOWN_MS = 10_000;

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
        boolean cooldown = cut.cooldownMs() > 0;
        OptionalLong endMs = cooldown || windowMs.isEmpty() ? endMs(cooldown) : OptionalLong.empty();
        long window = windowMs.orElseGet(() -> niceWindow(endMs, cut));
        Timeline timeline = cut.timeline(originMs, endMs.orElse(Long.MAX_VALUE), window);
        Measurements measured = new LogReader(files, timeline, grouping, percents).read();
        if (measured.groups().isEmpty()) {
            throw new DataException("No line matches" + (grouping.prefixes().isEmpty() ? " the time asked for."
                    : " -type " + String.join(" ", grouping.prefixes()) + " in the time asked for."));
        }
        return measured;
    }

    /** @param needed whether a full read is worth it where the files do not tell otherwise */
    private OptionalLong endMs(boolean needed) throws IOException {
        OptionalLong latest = OptionalLong.empty();
        boolean unknown = false;
        for (PerformanceFile file : files) {
            OptionalLong last = PerformanceFiles.lastMs(file);
            unknown |= file.file().onDisk().isEmpty();
            if (last.isPresent()) {
                latest = OptionalLong.of(Math.max(latest.orElse(Long.MIN_VALUE), last.getAsLong()));
            }
        }
        if (unknown && needed) {
            Timeline uncut = Timeline.uncut(originMs, Integer.MAX_VALUE);
            return OptionalLong.of(new LogReader(files, uncut, new Grouping(List.of(), List.of(Grouping.Key.ROLE))).read().endMs());
        }
        return latest;
    }

    /** @return a window for about a hundred of them, as far as the length of the logs is known without reading them */
    private long niceWindow(OptionalLong endMs, Cut cut) {
        if (endMs.isEmpty() && cut.steady().isEmpty()) {
            return WINDOW_WHERE_LENGTH_UNKNOWN_MS;
        }
        long lengthMs = endMs.orElseGet(() -> cut.steady().get().toMs()) - originMs;
        for (long nice : NICE_WINDOWS_MS) {
            if (lengthMs / nice <= WINDOWS_WANTED) {
                return nice;
            }
        }
        return NICE_WINDOWS_MS[NICE_WINDOWS_MS.length - 1];
    }
}
