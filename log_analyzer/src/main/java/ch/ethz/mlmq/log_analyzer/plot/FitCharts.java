package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.model.fit.Observations;
import ch.ethz.mlmq.log_analyzer.model.fit.ServiceTimeFit;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Charts of fitted service times: what was measured, and what the model leaves. */
public final class FitCharts {
    private static final int STEPS = 60;
    private static final int MOST_LINES = 12;
    private static final int LEGEND_COLUMNS = 3;
    private static final int USUAL_LINES = 2;

    private FitCharts() {
    }

    /** @return residuals of each form, row by row */
    public static Chart residuals(List<ServiceTimeFit> fits) {
        List<String> columns = new ArrayList<>(List.of("fitted"));
        fits.forEach(fit -> columns.add(fit.form()));
        Table data = new Table(columns);
        List<String> pieces = new ArrayList<>();
        for (ServiceTimeFit fit : fits) {
            double[] residuals = fit.residuals();
            int series = pieces.size();
            for (int i = 0; i < residuals.length; i++) {
                List<Object> row = new ArrayList<>(Collections.nCopies(columns.size(), null));
                row.set(0, Figures.significant(fit.fitted()[i]));
                row.set(series + 1, residuals[i] * 100);
                data.add(row);
            }
            pieces.add("data skip 1 using ($1*1e6):%d with points pointtype %d pointsize 0.6 linecolor rgb %s title %s"
                    .formatted(series + 2, series % 2 == 0 ? 7 : 5, Gnuplot.colour(series),
                    Gnuplot.quoted(fit.form())));
        }
        return new Chart("fit_residuals", data, Gnuplot.labels("Residuals of the fit",
                "fitted service time [µs]", "measured less fitted [% of measured]")
                + "set logscale x\nset xzeroaxis linecolor rgb %s linewidth 1.2\n".formatted(Gnuplot.GREY)
                + Gnuplot.plot(pieces));
    }

    /**
     * Draws measured points and the fitted curve over one column, with a line for each combination of the others that
     * the form has; of more than twelve combinations it draws twelve.
     *
     * @param over name of the column
     */
    public static Chart curves(String name, ServiceTimeFit fit, Observations table, String over) {
        List<String> others = fit.columns().stream().filter(column -> !column.equals(over)).toList();
        Map<String, List<Integer>> all = lines(table, others);
        List<String> names = List.copyOf(all.keySet());
        int shown = Math.min(MOST_LINES, names.size());
        Map<String, List<Integer>> lines = new LinkedHashMap<>();
        for (int i = 0; i < shown; i++) {
            String line = names.get(shown == 1 ? 0 : Math.round(i * (names.size() - 1f) / (shown - 1)));
            lines.put(line, all.get(line));
        }
        List<String> columns = new ArrayList<>(List.of(over));
        lines.keySet().forEach(line -> columns.addAll(List.of(("measured " + line).strip(),
                ("fitted " + line).strip())));
        Table data = new Table(columns);
        List<String> pieces = new ArrayList<>();
        int series = 0;
        int x = table.names().indexOf(over);
        for (Map.Entry<String, List<Integer>> line : lines.entrySet()) {
            int column = 1 + 2 * series;
            for (int row : line.getValue()) {
                add(data, table.rows().get(row)[x], column, 1 / fit.measured()[row]);
            }
            Observations grid = grid(table, line.getValue(), x);
            double[] times = fit.at(grid);
            for (int i = 0; i < times.length; i++) {
                add(data, grid.rows().get(i)[x], column + 1, 1 / times[i]);
            }
            pieces.add("data skip 1 using 1:%d with lines linecolor rgb %s linewidth 1.8 title %s".formatted(
                    column + 2, Gnuplot.colour(series),
                    Gnuplot.quoted(line.getKey().isEmpty() ? "fitted" : line.getKey())));
            pieces.add("data skip 1 using 1:%d with points pointtype %d pointsize 0.6 linecolor rgb %s notitle"
                    .formatted(column + 1, series / Gnuplot.COLOURS.size() % 2 == 0 ? 7 : 5, Gnuplot.colour(series)));
            series++;
        }
        String part = shown < names.size() ? " (" + shown + " of " + names.size() + " lines)" : "";
        return new Chart(name, data, Gnuplot.labels("Measured (points) and fitted by " + fit.form() + part, over,
                "throughput of a busy broker [1/s]") + "set logscale y\nset format y '%g'\n" + Gnuplot.plot(pieces),
                Math.max(0, (shown + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS - USUAL_LINES));
    }

    /** @return the column of the form with the most different numbers; of equal ones the last */
    public static String widest(ServiceTimeFit fit, Observations table) {
        return fit.columns().stream().max(Comparator.comparingLong(column -> table.rows().stream()
                .mapToDouble(row -> row[table.names().indexOf(column)]).distinct().count()).thenComparing(
                        Comparator.comparing(fit.columns()::indexOf))).orElse("");
    }

    /** @return the rows of each combination of these columns, ascending */
    private static Map<String, List<Integer>> lines(Observations table, List<String> others) {
        Comparator<double[]> ascending = Arrays::compare;
        Map<double[], List<Integer>> rows = IntStream.range(0, table.rows().size()).boxed().collect(
                Collectors.groupingBy(row -> others.stream().mapToDouble(other ->
                        table.rows().get(row)[table.names().indexOf(other)]).toArray(), () -> new TreeMap<>(ascending),
                        Collectors.toList()));
        Map<String, List<Integer>> named = new LinkedHashMap<>();
        rows.forEach((numbers, each) -> named.put(IntStream.range(0, numbers.length)
                .mapToObj(i -> others.get(i) + " " + Figures.plain(numbers[i])).collect(Collectors.joining(", ")),
                each));
        return named;
    }

    /** @return the first of these rows with other numbers in one column, from their smallest to their largest */
    private static Observations grid(Observations table, List<Integer> rows, int column) {
        double[] numbers = rows.stream().mapToDouble(row -> table.rows().get(row)[column]).sorted().toArray();
        double from = numbers[0];
        double to = numbers[numbers.length - 1];
        List<double[]> grid = new ArrayList<>();
        for (int i = 0; i <= STEPS; i++) {
            double[] row = table.rows().get(rows.get(0)).clone();
            row[column] = from + (to - from) * i / STEPS;
            grid.add(row);
        }
        return new Observations(table.names(), grid);
    }

    private static void add(Table data, double x, int column, double figure) {
        List<Object> row = new ArrayList<>(Collections.nCopies(data.columns().size(), null));
        row.set(0, Figures.significant(x));
        row.set(column, Figures.significant(figure));
        data.add(row);
    }
}
