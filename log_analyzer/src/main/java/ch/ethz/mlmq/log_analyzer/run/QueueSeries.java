package ch.ethz.mlmq.log_analyzer.run;

import ch.ethz.mlmq.log_analyzer.source.StoredFile;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * How many messages were in a queue over time.
 *
 * @param name   of the queue, with a word where it is a client's own
 * @param points ms since 1970, and messages, in time's order
 */
public record QueueSeries(String name, List<double[]> points) {

    /** @return each queue that was counted in the run */
    public static List<QueueSeries> of(Run run) throws IOException {
        Optional<StoredFile> file = run.queueLengths();
        if (file.isEmpty()) {
            return List.of();
        }
        Map<String, QueueSeries> queues = new LinkedHashMap<>();
        CSVFormat format = CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true).build();
        try (CSVParser lines = format.parse(new InputStreamReader(file.get().openWholeLines(),
                StandardCharsets.UTF_8))) {
            for (CSVRecord line : lines) {
                String name = line.get("queue") + (line.get("queue_of").isEmpty() ? "" : " (own)");
                double[] point = {Double.parseDouble(line.get("ms")), Double.parseDouble(line.get("messages"))};
                queues.computeIfAbsent(name, unseen -> new QueueSeries(name, new ArrayList<>())).points().add(point);
            }
        }
        return List.copyOf(queues.values());
    }
}
