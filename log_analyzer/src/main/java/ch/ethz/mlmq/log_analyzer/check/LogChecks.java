package ch.ethz.mlmq.log_analyzer.check;

import ch.ethz.mlmq.log_analyzer.scan.FileCount;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import java.util.List;

/** Whether the logs are whole. */
final class LogChecks {
    private static final String TOPIC = "Logs complete";

    private final Measurements measured;

    LogChecks(Measurements measured) {
        this.measured = measured;
    }

    List<Finding> findings() {
        List<FileCount> files = measured.files();
        long lines = files.stream().mapToLong(FileCount::lines).sum();
        long malformed = files.stream().mapToLong(FileCount::malformed).sum();
        long dropped = files.stream().mapToLong(FileCount::dropped).sum();
        List<String> truncated = files.stream().filter(FileCount::truncated).map(file -> file.log().place().jvm())
                .toList();
        List<String> empty = files.stream()
                .filter(file -> file.log().firstStartMs().isEmpty() && file.log().sample() > 0)
                .map(file -> file.log().place().jvm()).toList();
        if (malformed == 0 && dropped == 0 && truncated.isEmpty() && empty.isEmpty()) {
            String recorded = measured.sampling().isWhole() ? "" : "; " + measured.sampling().words();
            return List.of(Finding.good(TOPIC, "%d logs, %s lines%s", files.size(),
                    Figures.grouped(Long.toString(lines)), recorded));
        }
        StringBuilder text = new StringBuilder();
        if (!measured.sampling().isWhole()) {
            text.append(measured.sampling().words());
        }
        append(text, malformed, " malformed lines");
        append(text, dropped, " records dropped by their writer");
        text.append(truncated.isEmpty() ? "" : (text.isEmpty() ? "" : ", ") + "cut off: "
                + String.join(", ", truncated));
        text.append(empty.isEmpty() ? "" : (text.isEmpty() ? "" : ", ") + "empty: " + String.join(", ", empty));
        return List.of(Finding.warning(TOPIC, "%s", text));
    }

    private static void append(StringBuilder text, long count, String what) {
        if (count > 0) {
            text.append(text.isEmpty() ? "" : ", ").append(count).append(what);
        }
    }
}
