package ch.ethz.mlmq.log_analyzer.table;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Names of columns and rows of cells: a {@link Number}, a {@link String}, or null for an empty cell. */
public final class Table {
    private final List<String> columns;
    private final List<List<Object>> rows = new ArrayList<>();

    public Table(List<String> columns) {
        this.columns = List.copyOf(columns);
    }

    public static Table of(String... columns) {
        return new Table(List.of(columns));
    }

    /** @param cells one for each column */
    public Table add(List<?> cells) {
        if (cells.size() != columns.size()) {
            throw new IllegalArgumentException(cells.size() + " cells for " + columns.size() + " columns");
        }
        rows.add(Collections.unmodifiableList(new ArrayList<>(cells)));
        return this;
    }

    public Table add(Object... cells) {
        return add(Arrays.asList(cells));
    }

    public List<String> columns() {
        return columns;
    }

    public List<List<Object>> rows() {
        return rows;
    }

    /** @return a cell as text: numbers with at most three decimals */
    static String text(Object cell) {
        if (cell == null) {
            return "";
        }
        if (cell instanceof BigDecimal number) {
            return number.toPlainString();
        }
        return cell instanceof Double number ? Figures.plain(number) : cell.toString();
    }
}
