package ch.ethz.mlmq.log_analyzer.analysis;

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

/** Reads a table of a 2^k design: columns of factors, then {@code y}, or {@code y1,y2,...}. */
public final class FactorialCsv {
    private static final CSVFormat FORMAT = CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true)
            .setIgnoreSurroundingSpaces(true).setIgnoreEmptyLines(true).setCommentMarker('#').build();

    private FactorialCsv() {
    }

    public static FactorialTable read(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new DataException("There is no file " + file + ".");
        }
        try (CSVParser parser = CSVParser.parse(file, StandardCharsets.UTF_8, FORMAT)) {
            List<String> names = parser.getHeaderNames();
            List<String> factors = names.stream().filter(name -> !isResponse(name)).toList();
            if (factors.size() == names.size()) {
                throw new DataException(file + " has no column y, or y1, y2 and so on, for the response.");
            }
            if (names.subList(0, factors.size()).stream().anyMatch(FactorialCsv::isResponse)) {
                throw new DataException(file + ": the columns of the response must be the last ones.");
            }
            List<FactorialTable.Row> rows = new ArrayList<>();
            for (CSVRecord line : parser) {
                rows.add(row(file, line, factors.size(), names.size()));
            }
            return new FactorialTable(factors, rows);
        }
    }

    private static FactorialTable.Row row(Path file, CSVRecord line, int factors, int columns) {
        if (line.size() != columns) {
            throw new DataException("%s, row %d: %d cells, the first line has %d.".formatted(file,
                    line.getRecordNumber(), line.size(), columns));
        }
        List<String> levels = new ArrayList<>();
        List<Double> responses = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            if (i < factors) {
                levels.add(line.get(i));
                continue;
            }
            try {
                responses.add(Double.parseDouble(line.get(i)));
            } catch (NumberFormatException e) {
                throw new DataException("%s, row %d: '%s' is not a number.".formatted(file, line.getRecordNumber(),
                        line.get(i)));
            }
        }
        return new FactorialTable.Row(levels, responses);
    }

    private static boolean isResponse(String name) {
        return name.matches("y\\d*");
    }
}
