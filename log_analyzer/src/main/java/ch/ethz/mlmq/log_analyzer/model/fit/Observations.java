package ch.ethz.mlmq.log_analyzer.model.fit;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * Observations for the fit of a model: columns of numbers by name.
 *
 * @param names of the columns
 * @param rows  a number for each column; NaN if the table has none
 */
public record Observations(List<String> names, List<double[]> rows) {
    private static final CSVFormat FORMAT = CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true)
            .setIgnoreSurroundingSpaces(true).setIgnoreEmptyLines(true).setCommentMarker('#').build();
    /**
     * Limits the rows, because a fit is repeated over all of them a thousand times; a table of configurations is far
     * smaller.
     */
    private static final int MOST_ROWS = 10_000;

    /** Reads a table. Columns of words become NaN, and are refused if a form needs them. */
    public static Observations read(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new DataException("There is no file " + file + ".");
        }
        try (CSVParser parser = CSVParser.parse(file, StandardCharsets.UTF_8, FORMAT)) {
            List<String> names = parser.getHeaderNames();
            List<double[]> rows = new ArrayList<>();
            for (CSVRecord line : parser) {
                if (line.size() != names.size()) {
                    throw new DataException("%s, row %d: %d cells, the first line has %d.".formatted(file,
                            line.getRecordNumber(), line.size(), names.size()));
                }
                if (rows.size() == MOST_ROWS) {
                    throw new DataException("%s has more than %d rows. A fit takes one row for each configuration."
                            .formatted(file, MOST_ROWS));
                }
                rows.add(line.stream().mapToDouble(Observations::number).toArray());
            }
            return new Observations(names, rows);
        } catch (IllegalArgumentException e) {
            throw new DataException(file + ": " + e.getMessage());
        }
    }

    /** @return a column's number in each row; all of them are finite */
    double[] column(String name) {
        int index = names.indexOf(name);
        if (index < 0) {
            throw new DataException("There is no column %s. There are: %s.".formatted(name, String.join(", ", names)));
        }
        double[] column = rows.stream().mapToDouble(row -> row[index]).toArray();
        for (int i = 0; i < column.length; i++) {
            if (!Double.isFinite(column[i])) {
                throw new DataException("Row %d has no number in column %s.".formatted(i + 1, name));
            }
        }
        return column;
    }

    /** @return the service time of each row [s]; none of them is zero or less */
    public double[] times(String column) {
        return positive(column);
    }

    /** @return one over the throughput of each row, the time that a message takes of a busy broker [s] */
    public double[] timesOfThroughput(String column) {
        double[] times = positive(column);
        for (int i = 0; i < times.length; i++) {
            times[i] = 1 / times[i];
        }
        return times;
    }

    double[] positive(String column) {
        double[] numbers = column(column);
        for (int i = 0; i < numbers.length; i++) {
            if (!(numbers[i] > 0)) {
                throw new DataException("Row %d: %s is %s. It must be more than 0.".formatted(i + 1, column,
                        numbers[i]));
            }
        }
        return numbers;
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }
}
