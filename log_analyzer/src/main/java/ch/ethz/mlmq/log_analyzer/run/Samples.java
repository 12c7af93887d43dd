package ch.ethz.mlmq.log_analyzer.run;

import ch.ethz.mlmq.log_analyzer.source.Place;
import ch.ethz.mlmq.log_analyzer.source.StoredFile;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * A file with a line of numbers a second.
 *
 * @param place   who was measured
 * @param columns names of the columns; the first is the time [ms]
 * @param rows    one number for each column, in time's order, NaN for what was not measured; a line that was cut off is
 *                left out
 */
public record Samples(Place place, List<String> columns, List<double[]> rows) {
    /** The statistics file has no header; these are its columns. */
    static final List<String> STATISTICS = List.of("ms", "sends", "dequeues_and_peeks", "requests", "socket_ns",
            "worker_ns", "persistence_ns");

    /** @param columns names of the columns; empty where the first line tells them */
    static Samples read(StoredFile file, Place place, List<String> columns) throws IOException {
        List<String> names = new ArrayList<>(columns);
        List<double[]> rows = new ArrayList<>();
        try (CSVParser parser = CSVFormat.DEFAULT.parse(new InputStreamReader(file.openWholeLines(),
                StandardCharsets.UTF_8))) {
            for (CSVRecord line : parser) {
                if (names.isEmpty()) {
                    line.forEach(names::add);
                } else if (line.size() >= names.size()) {
                    numbers(line, names.size(), rows);
                }
            }
        }
        return new Samples(place, List.copyOf(names), List.copyOf(rows));
    }

    /** @return index of the column with this name, -1 where there is none */
    public int column(String name) {
        return columns.indexOf(name);
    }

    private static void numbers(CSVRecord line, int count, List<double[]> rows) {
        double[] row = new double[count];
        for (int i = 0; i < count; i++) {
            try {
                row[i] = Double.parseDouble(line.get(i));
            } catch (NumberFormatException e) {
                // not a line of this file, whoever wrote it
                return;
            }
            if (Double.isInfinite(row[i]) || i == 0 && Double.isNaN(row[i])) {
                return;
            }
        }
        rows.add(row);
    }
}
