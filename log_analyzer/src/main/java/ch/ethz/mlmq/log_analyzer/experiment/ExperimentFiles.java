package ch.ethz.mlmq.log_analyzer.experiment;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.run.Json;
import ch.ethz.mlmq.log_analyzer.table.Table;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * Reads and writes an experiment as a table with its design as JSON. The columns are
 * {@code run,point,repetition,state,reason}, one for each factor, and one for each figure.
 */
public final class ExperimentFiles {
    private static final List<String> COLUMNS = List.of("run", "point", "repetition", "state", "reason");
    private static final CSVFormat FORMAT = CSVFormat.DEFAULT.builder().setHeader().setSkipHeaderRecord(true)
            .setIgnoreSurroundingSpaces(true).setIgnoreEmptyLines(true).setCommentMarker('#').build();
    /** Largest number of rows: a grid may have a thousand runs, and each may have been repeated several times. */
    private static final int MOST_ROWS = 20_000;

    private ExperimentFiles() {
    }

    public static Design design(Path file) throws IOException {
        requireFile(file);
        try (InputStream in = Files.newInputStream(file)) {
            return Design.of(Json.read(in));
        } catch (JsonProcessingException e) {
            throw new DataException(file + " is not JSON: " + e.getOriginalMessage());
        }
    }

    public static Trials read(Path table, Design design) throws IOException {
        requireFile(table);
        try (CSVParser parser = CSVParser.parse(table, StandardCharsets.UTF_8, FORMAT)) {
            List<String> names = parser.getHeaderNames();
            List<String> factors = design.factors().stream().map(Factor::name).toList();
            for (String needed : factors) {
                if (!names.contains(needed)) {
                    throw new DataException("%s has no column for the factor %s.".formatted(table, needed));
                }
            }
            if (!names.contains("run") || !names.contains("point")) {
                throw new DataException(table + " needs the columns run and point.");
            }
            List<String> figures = names.stream()
                    .filter(name -> !COLUMNS.contains(name) && !factors.contains(name)).toList();
            List<Trial> trials = new ArrayList<>();
            for (CSVRecord line : parser) {
                if (!line.isConsistent()) {
                    throw new DataException("%s, row %d: %d cells, the first line has %d.".formatted(table,
                            line.getRecordNumber(), line.size(), names.size()));
                }
                if (trials.size() == MOST_ROWS) {
                    throw new DataException("%s has more than %d rows.".formatted(table, MOST_ROWS));
                }
                trials.add(trial(table, line, factors, figures));
            }
            return new Trials(design, List.copyOf(trials));
        } catch (IllegalArgumentException e) {
            throw new DataException(table + ": " + e.getMessage());
        }
    }

    /** @return a table in the form that {@link #read} accepts */
    public static Table table(Trials trials) {
        List<String> columns = new ArrayList<>(COLUMNS);
        trials.design().factors().forEach(factor -> columns.add(factor.name()));
        columns.addAll(trials.columns());
        Table table = new Table(columns);
        for (Trial trial : trials.all()) {
            List<Object> row = new ArrayList<>(List.of(trial.run(), trial.point(), trial.repetition(),
                    trial.state().word(), trial.reason()));
            row.addAll(trial.levels());
            trials.columns().forEach(column -> row.add(Double.isFinite(trial.figure(column))
                    ? BigDecimal.valueOf(trial.figure(column)) : null));
            table.add(row);
        }
        return table;
    }

    private static Trial trial(Path table, CSVRecord line, List<String> factors, List<String> figures) {
        Map<String, Double> values = new LinkedHashMap<>();
        for (String figure : figures) {
            String cell = line.get(figure);
            if (!cell.isEmpty()) {
                values.put(figure, number(table, line, figure, cell));
            }
        }
        String state = cell(line, "state");
        return new Trial(line.get("run"), (int) number(table, line, "point", line.get("point")),
                cell(line, "repetition").isEmpty() ? 1 : (int) number(table, line, "repetition",
                        cell(line, "repetition")),
                state.isEmpty() ? Trial.State.ACCEPTED : Trial.State.named(state), cell(line, "reason"),
                factors.stream().map(line::get).toList(), values);
    }

    private static String cell(CSVRecord line, String column) {
        return line.isMapped(column) ? line.get(column) : "";
    }

    private static double number(Path table, CSVRecord line, String column, String cell) {
        try {
            double number = Double.parseDouble(cell);
            if (Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The exception below reports it.
        }
        throw new DataException("%s, row %d: '%s' is no number, in column %s.".formatted(table, line.getRecordNumber(),
                cell, column));
    }

    private static void requireFile(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new DataException("There is no file " + file + ".");
        }
    }
}
