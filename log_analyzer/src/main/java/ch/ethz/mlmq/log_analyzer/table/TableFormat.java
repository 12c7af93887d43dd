package ch.ethz.mlmq.log_analyzer.table;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/** Writes a {@link Table} for a program or for people. */
public enum TableFormat {
    CSV, JSON, TEXT;

    public String write(Table table) throws IOException {
        return switch (this) {
            case CSV -> csv(table);
            case JSON -> json(table);
            case TEXT -> TextTable.of(table);
        };
    }

    private static String csv(Table table) throws IOException {
        StringBuilder out = new StringBuilder();
        CSVPrinter printer = new CSVPrinter(out, CSVFormat.DEFAULT.builder().setRecordSeparator('\n').build());
        printer.printRecord(table.columns());
        for (List<Object> row : table.rows()) {
            printer.printRecord(row.stream().map(Table::text).toList());
        }
        return out.toString();
    }

    /** Writes an array of objects, one a line; empty cells are left out. */
    private static String json(Table table) throws IOException {
        List<String> objects = new ArrayList<>();
        for (List<Object> row : table.rows()) {
            StringWriter object = new StringWriter();
            try (JsonGenerator json = new JsonFactory().createGenerator(object)) {
                json.writeStartObject();
                for (int i = 0; i < row.size(); i++) {
                    writeCell(json, table.columns().get(i), row.get(i));
                }
                json.writeEndObject();
            }
            objects.add(object.toString());
        }
        return "[\n" + String.join(",\n", objects) + "\n]\n";
    }

    private static void writeCell(JsonGenerator json, String column, Object cell) throws IOException {
        String text = Table.text(cell);
        if (text.isEmpty()) {
            return;
        }
        json.writeFieldName(column);
        if (cell instanceof Number) {
            json.writeNumber(text);
        } else {
            json.writeString(text);
        }
    }
}
