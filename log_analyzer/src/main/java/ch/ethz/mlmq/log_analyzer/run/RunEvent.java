package ch.ethz.mlmq.log_analyzer.run;

import ch.ethz.mlmq.log_analyzer.source.StoredFile;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * Something that happened in a run, as the Testmaster wrote it down.
 *
 * @param ms      since 1970
 * @param name    of the kind of event, such as {@code died}
 * @param jvm     that it happened to, or empty
 * @param message for people
 */
public record RunEvent(long ms, String name, String jvm, String message) {
    /** The event of a JVM that ended without having been told to. */
    public static final String DIED = "died";
    /** Events that may explain what a chart shows. */
    private static final Set<String> MARKS = Set.of(DIED, "command", "fault", "recovered");

    /** @return in order of time; none where the run kept no {@code events.csv} */
    static List<RunEvent> in(Optional<StoredFile> file) throws IOException {
        if (file.isEmpty()) {
            return List.of();
        }
        List<RunEvent> events = new ArrayList<>();
        CSVFormat format = CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true).build();
        try (CSVParser lines = format.parse(new InputStreamReader(file.get().openBuffered(), StandardCharsets.UTF_8))) {
            for (CSVRecord line : lines) {
                events.add(new RunEvent(Long.parseLong(line.get("ms")), line.get("name"), line.get("jvm"),
                        line.get("message")));
            }
        } catch (IllegalArgumentException e) {
            throw new IOException(file.get().name() + " is not the list of a run's events: " + e.getMessage(), e);
        }
        return List.copyOf(events);
    }

    /** @return whether it is worth a mark in the charts over time */
    public boolean isMark() {
        return MARKS.contains(name);
    }
}
