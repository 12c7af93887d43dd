package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** A chart of a model's figures over one number, with a line for each combination of other numbers. */
public final class SweepChart {
    private static final int LEGEND_COLUMNS = 3;
    private static final int USUAL_LINES = 2;

    private SweepChart() {
    }

    /** What a chart shows. @param durations true if its figures are times [us]; the ordinate then gets their unit */
    public record Labels(String name, String title, String abscissa, String ordinate, boolean durations) {
    }

    /** A line of a chart. @param figures one for each number of the abscissa; NaN for none */
    public record Line(String name, double[] figures) {
    }

    /** A measured figure beside the lines. @param at its number on the abscissa */
    public record Point(String name, double at, double figure) {
    }

    /** @param numbers of the abscissa, ascending */
    public static Chart of(Labels labels, double[] numbers, List<Line> lines, List<Point> points) {
        List<String> columns = new ArrayList<>(List.of(labels.abscissa()));
        lines.forEach(line -> columns.add(line.name()));
        points.forEach(point -> columns.add(point.name()));
        Table data = new Table(columns);
        for (int i = 0; i < numbers.length; i++) {
            List<Object> row = new ArrayList<>(List.of(Figures.significant(numbers[i])));
            for (Line line : lines) {
                row.add(Figures.significant(line.figures()[i]));
            }
            row.addAll(Collections.nCopies(points.size(), null));
            data.add(row);
        }
        for (int i = 0; i < points.size(); i++) {
            List<Object> row = new ArrayList<>(Collections.nCopies(columns.size(), null));
            row.set(0, Figures.significant(points.get(i).at()));
            row.set(1 + lines.size() + i, Figures.significant(points.get(i).figure()));
            data.add(row);
        }
        DurationUnit unit = DurationUnit.fitting(labels.durations() ? median(lines) : 1);
        List<String> pieces = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            pieces.add(Pen.of(i).line("1", unit.of(i + 2), numbers.length, lines.get(i).name()));
        }
        for (int i = 0; i < points.size(); i++) {
            int series = lines.size() + i;
            pieces.add("data skip 1 using 1:%s with points pointtype 7 pointsize 0.8 linecolor rgb %s title %s"
                    .formatted(unit.of(series + 2), Gnuplot.colour(series), Gnuplot.quoted(points.get(i).name())));
        }
        String ordinate = labels.ordinate() + (labels.durations() ? " [" + unit.name() + "]" : "");
        boolean positive = lines.stream().flatMapToDouble(line -> Arrays.stream(line.figures()))
                .anyMatch(figure -> figure > 0);
        return new Chart(labels.name(), data, Gnuplot.labels(labels.title(), labels.abscissa(), ordinate)
                + Gnuplot.logarithmic("y", positive) + "set format y '%g'\n" + Gnuplot.plot(pieces),
                Math.max(0, (lines.size() + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS - USUAL_LINES));
    }

    private static double median(List<Line> lines) {
        double[] all = lines.stream().flatMapToDouble(line -> Arrays.stream(line.figures()))
                .filter(figure -> figure > 0).sorted().toArray();
        return all.length == 0 ? 1 : all[all.length / 2];
    }
}
