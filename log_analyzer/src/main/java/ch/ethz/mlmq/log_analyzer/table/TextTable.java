package ch.ethz.mlmq.log_analyzer.table;

import java.util.List;

/** A table for people: columns aligned, words to the left, numbers to the right, thousands separated. */
final class TextTable {
    private TextTable() {
    }

    static String of(Table table) {
        int columns = table.columns().size();
        List<List<String>> cells = table.rows().stream().map(row -> row.stream().map(TextTable::text).toList())
                .toList();
        int[] widths = new int[columns];
        boolean[] figures = new boolean[columns];
        for (int i = 0; i < columns; i++) {
            int column = i;
            widths[i] = Math.max(table.columns().get(i).length(),
                    cells.stream().mapToInt(row -> row.get(column).length()).max().orElse(0));
            figures[i] = table.rows().stream().anyMatch(row -> row.get(column) instanceof Number);
        }
        StringBuilder out = new StringBuilder(line(table.columns(), widths, figures));
        cells.forEach(row -> out.append(line(row, widths, figures)));
        return out.toString();
    }

    private static String line(List<String> cells, int[] widths, boolean[] figures) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String blank = " ".repeat(widths[i] - cells.get(i).length());
            line.append(i == 0 ? "" : "  ").append(figures[i] ? blank + cells.get(i) : cells.get(i) + blank);
        }
        return line.toString().stripTrailing() + "\n";
    }

    private static String text(Object cell) {
        if (cell instanceof Double number) {
            return Figures.forPeople(number);
        }
        return cell instanceof Number ? Figures.grouped(Table.text(cell)) : Table.text(cell);
    }
}
