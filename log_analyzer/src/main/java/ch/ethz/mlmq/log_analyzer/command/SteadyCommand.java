package ch.ethz.mlmq.log_analyzer.command;

import ch.ethz.mlmq.log_analyzer.command.options.TableOptions;
import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.run.Steadiness;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Checks whether a queue keeps growing, from a table with its length in each second. */
@Command(name = "steady", sortOptions = false, description = {
    "Tests whether a queue in a table keeps growing, as the check of experiments does.",
    "It prints the queue with the clearest growth, or nothing if the table has too few seconds."})
final class SteadyCommand implements Callable<Integer> {
    @Option(names = "-d", required = true, paramLabel = "CSV",
            description = "CSV with a column for each queue and a line for each second.")
    private Path csv;

    @Mixin
    private TableOptions table;

    @Override
    public Integer call() throws IOException {
        Table found = Table.of("queue", "trend", "growth", "mean", "probability", "steady");
        Optional<Steadiness> clearest = Steadiness.of(values());
        clearest.ifPresent(queue -> found.add(queue.queue(), queue.trend(), queue.growth(), queue.mean(),
                queue.probability(), queue.isSteady() ? 1 : 0));
        table.write(found, clearest.map(Steadiness::words).orElse("The table has too few seconds for the test."));
        return 0;
    }

    private Map<String, double[]> values() throws IOException {
        CSVFormat format = CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true).build();
        try (CSVParser parser = format.parse(Files.newBufferedReader(csv))) {
            List<CSVRecord> lines = parser.getRecords();
            Map<String, double[]> values = new LinkedHashMap<>();
            for (String name : parser.getHeaderNames()) {
                values.put(name, lines.stream().mapToDouble(line -> number(line, name)).toArray());
            }
            return values;
        }
    }

    private double number(CSVRecord line, String name) {
        double number;
        try {
            number = Double.parseDouble(line.get(name));
        } catch (IllegalArgumentException e) {
            number = Double.NaN;
        }
        if (!Double.isFinite(number)) {
            throw new DataException("%s, line %d: %s is not a number.".formatted(csv, line.getRecordNumber() + 1,
                    name));
        }
        return number;
    }
}
