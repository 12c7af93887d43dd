package ch.ethz.mlmq.log_analyzer.run;

import ch.ethz.mlmq.log_analyzer.source.StoredFile;
import ch.ethz.mlmq.log_analyzer.vocabulary.MarkKinds;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * An event of a run, recorded by the Testmaster.
 *
 * @param ms      since 1970
 * @param name    of the kind of event, such as {@code died}
 * @param jvm     of the event, or empty
 * @param message for people
 */
public record RunEvent(long ms, String name, String jvm, String message) {
    /** The event of a JVM that ended without being told to. */
    public static final String DIED = "died";
    private static final int MOST = 10_000;
    private static final Pattern MS = Pattern.compile("\\d{1,15}");

    /** @return events in order of time; malformed lines are left out */
    static List<RunEvent> in(StoredFile file, Consumer<String> complaints) throws IOException {
        List<RunEvent> events = new ArrayList<>();
        CSVFormat format = CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true).build();
        try (CSVParser lines = format.parse(new InputStreamReader(file.openWholeLines(complaints),
                StandardCharsets.UTF_8))) {
            for (CSVRecord line : lines) {
                if (events.size() == MOST) {
                    complaints.accept("it has more than " + MOST + " events");
                    break;
                }
                if (line.isConsistent() && MS.matcher(line.get("ms")).matches()) {
                    events.add(new RunEvent(Long.parseLong(line.get("ms")), line.get("name"), line.get("jvm"),
                            line.get("message")));
                }
            }
        } catch (IllegalStateException | UncheckedIOException e) {
            complaints.accept("a quote has no end, or the text after it is damaged");
        }
        return List.copyOf(events);
    }

    /** @return true if charts over time mark it */
    public boolean isMark() {
        return MarkKinds.of(name).isPresent();
    }

    /** @return true if something ended unexpectedly */
    public boolean isDeath() {
        return MarkKinds.of(name).filter(MarkKinds.DEATH::equals).isPresent();
    }
}
