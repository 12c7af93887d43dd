package ch.ethz.mlmq.log_analyzer.run;

import ch.ethz.mlmq.log_analyzer.source.StoredFile;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * The number of messages in a queue over time.
 *
 * @param name   of the queue, marked if it is a client's own
 * @param points ms since 1970, and messages, in time's order
 */
public record QueueSeries(String name, List<double[]> points) {
    private static final int MOST_POINTS = 1_000_000;

    /** @return each queue that was counted in the run, as far as its file can be read */
    static List<QueueSeries> in(StoredFile file, Consumer<String> complaints) throws IOException {
        Map<String, QueueSeries> queues = new LinkedHashMap<>();
        CSVFormat format = CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true).build();
        try (CSVParser lines = format.parse(new InputStreamReader(file.openWholeLines(complaints),
                StandardCharsets.UTF_8))) {
            int room = MOST_POINTS;
            for (CSVRecord line : lines) {
                OptionalDouble ms = number(line, "ms");
                OptionalDouble messages = number(line, "messages");
                if (line.isConsistent() && ms.isPresent() && messages.isPresent() && room-- > 0) {
                    String name = line.get("queue") + (line.get("queue_of").isEmpty() ? "" : " (own)");
                    queues.computeIfAbsent(name, unseen -> new QueueSeries(name, new ArrayList<>())).points()
                            .add(new double[] {ms.getAsDouble(), messages.getAsDouble()});
                }
            }
        } catch (IllegalStateException | UncheckedIOException e) {
            complaints.accept("a quote has no end, or the text after it is damaged");
        }
        return List.copyOf(queues.values());
    }

    /** Reads a number; a line without it is malformed, whoever wrote it. */
    private static OptionalDouble number(CSVRecord line, String name) {
        try {
            double number = line.isSet(name) ? Double.parseDouble(line.get(name)) : Double.NaN;
            return Double.isFinite(number) ? OptionalDouble.of(number) : OptionalDouble.empty();
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }
}
