package ch.ethz.mlmq.log_analyzer.check;

import ch.ethz.mlmq.log_analyzer.run.ClientSummary;
import ch.ethz.mlmq.log_analyzer.run.TimeRange;
import ch.ethz.mlmq.log_analyzer.scan.FileCount;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Checks whether the logs are complete. */
final class LogChecks {
    private static final Topic TOPIC = Topic.LOGS_COMPLETE;

    private static final Topic SUMMARIES = Topic.LOGS_AND_SUMMARIES_AGREE;
    /** Tolerance for time stamps in whole milliseconds: what began at an edge of the phase may lie on either side. */
    private static final double EDGES_MS = 4;
    private static final double SIGMAS = 4;

    private final List<ClientSummary> summaries;
    private final Measurements measured;

    LogChecks(List<ClientSummary> summaries, Measurements measured) {
        this.summaries = summaries;
        this.measured = measured;
    }

    List<Finding> findings() {
        return List.of(whole(), agreeing());
    }

    /** Compares each JVM's log with its own count of records, which detects logs that are incomplete or doubled. */
    private Finding agreeing() {
        List<String> apart = new ArrayList<>();
        int compared = 0;
        for (ClientSummary summary : summaries) {
            Optional<TimeRange> own = summary.measured();
            int sample = measured.files().stream().filter(file -> file.log().place().equals(summary.place()))
                    .mapToInt(file -> file.log().sample()).max().orElse(0);
            if (own.isEmpty() || sample == 0) {
                continue;
            }
            compared++;
            TimeRange seen = within(measured.timeline().asked(), own.get());
            double ownMs = Math.max(1, own.get().toMs() - own.get().fromMs());
            double seenMs = Math.max(0, seen.toMs() - seen.fromMs());
            double told = summary.ok() * seenMs / ownMs;
            boolean common = Math.abs(seen.fromMs() - measured.steadyFromMs()) <= EDGES_MS
                    && Math.abs(seen.toMs() - measured.steadyToMs()) <= EDGES_MS;
            double logged = common ? loggedBy(summary.place().jvm()) : loggedBy(summary.place().jvm(), seen);
            double edges = EDGES_MS + ownMs - seenMs + (common ? 0 : 2.0 * slotMs());
            // Of an overload only requests planned at the beginning are answered, as densely as they were planned.
            double density = Math.max(summary.ok() / ownMs, summary.json().at("planned_rate").numberOr(0) / 1000);
            double tolerance = SUMMARIES.rejected() * told + 1 + edges * density
                    + (sample > 1 ? SIGMAS * Math.sqrt(sample * told) : 0);
            if (Math.abs(logged - told) > tolerance) {
                apart.add("%s: %s by its log, %s by its summary".formatted(summary.place().jvm(), number(logged),
                        number(told)));
            }
        }
        if (!apart.isEmpty()) {
            return Finding.rejected(SUMMARIES, "%s", String.join("; ", apart));
        }
        return compared == 0 ? Finding.unknown(SUMMARIES, "no client JVM has both a log and a summary")
                : Finding.good(SUMMARIES, "%d client JVM%s", compared, compared == 1 ? "" : "s");
    }

    private static TimeRange within(TimeRange outer, TimeRange inner) {
        return new TimeRange(Math.max(outer.fromMs(), inner.fromMs()), Math.min(outer.toMs(), inner.toMs()));
    }

    private double loggedBy(String jvm) {
        return successesOf(jvm).mapToDouble(group -> group.steady().count()).sum();
    }

    /** @return number of successful requests that began in the slots of a JVM's own phase, which others do not share */
    private double loggedBy(String jvm, TimeRange phase) {
        long origin = measured.timeline().originMs();
        return successesOf(jvm).map(Measurements.Group::series).mapToDouble(series ->
                LongStream.range(Math.max(0, Math.floorDiv(phase.fromMs() - origin, series.slotMs())),
                        Math.min(series.slots(), -Math.floorDiv(origin - phase.toMs(), series.slotMs())))
                        .map(slot -> series.count((int) slot)).sum()).sum();
    }

    private Stream<Measurements.Group> successesOf(String jvm) {
        return measured.groups().stream().filter(group -> group.labels().get(0).startsWith("CSndReq#OK#")
                && !group.labels().get(0).endsWith(":service") && group.labels().get(1).equals(jvm));
    }

    private long slotMs() {
        return measured.groups().stream().mapToLong(group -> group.series().slotMs()).max().orElse(1);
    }

    private static String number(double count) {
        return Figures.grouped(Figures.rounded(count, 0));
    }

    private Finding whole() {
        List<FileCount> files = measured.files();
        long lines = files.stream().mapToLong(FileCount::lines).sum();
        long malformed = files.stream().mapToLong(FileCount::malformed).sum();
        long dropped = files.stream().mapToLong(FileCount::dropped).sum();
        List<String> truncated = files.stream().filter(FileCount::truncated).map(file -> file.log().place().jvm())
                .toList();
        List<String> empty = files.stream()
                .filter(file -> file.log().firstStartMs().isEmpty() && file.log().sample() > 0)
                .map(file -> file.log().place().jvm()).toList();
        if (malformed == 0 && dropped == 0 && truncated.isEmpty() && empty.isEmpty() && measured.copies().isEmpty()
                && measured.tooFar() == 0) {
            String recorded = measured.sampling().isWhole() ? "" : "; " + measured.sampling().words();
            return Finding.good(TOPIC, "%d log%s, %s lines%s", files.size(), files.size() == 1 ? "" : "s",
                    Figures.grouped(Long.toString(lines)), recorded);
        }
        StringBuilder text = new StringBuilder();
        if (!measured.sampling().isWhole()) {
            text.append(measured.sampling().words());
        }
        append(text, malformed, " malformed lines");
        append(text, dropped, " records dropped by their writer");
        append(text, measured.tooFar(), " records with an impossible time stamp");
        append(text, measured.copies().size(), " logs that are copies of others: " + String.join(", ",
                measured.copies()));
        text.append(truncated.isEmpty() ? "" : (text.isEmpty() ? "" : ", ") + "cut off: "
                + String.join(", ", truncated));
        text.append(empty.isEmpty() ? "" : (text.isEmpty() ? "" : ", ") + "empty: " + String.join(", ", empty));
        return Finding.warning(TOPIC, "%s", text);
    }

    private static void append(StringBuilder text, long count, String what) {
        if (count > 0) {
            text.append(text.isEmpty() ? "" : ", ").append(count).append(what);
        }
    }
}
