package ch.ethz.mlmq.log_analyzer.command.model;

import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.plot.Chart;
import ch.ethz.mlmq.log_analyzer.plot.SweepChart;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Figures of a model for all combinations of several numbers. The axis with the most numbers is the abscissa of charts,
 * and each combination of the others is a line.
 */
final class Sweep {
    private static final int MOST_POINTS = 10_000;
    private static final int MOST_LINES = 12;

    private final List<String> figures;
    private final int abscissa;
    private final List<Axis> axes;
    private final List<Line> lines;

    /** Numbers of one kind. @param name of the column @param values ascending; more than one if it is swept */
    record Axis(String name, List<Double> values) {
    }

    /** A combination of all axes but the abscissa. @param points each number of the abscissa, then its figures */
    private record Line(String label, List<double[]> numbers, List<double[]> points) {
    }

    /**
     * @param figures names of columns
     * @param model   takes a number of each axis, and returns each figure; NaN for one that does not exist
     */
    Sweep(List<Axis> axes, List<String> figures, Function<double[], double[]> model) {
        this.axes = axes;
        this.figures = figures;
        abscissa = IntStream.range(0, axes.size()).boxed()
                .max(Comparator.comparingInt((Integer i) -> axes.get(i).values().size()).thenComparing(
                        Comparator.reverseOrder())).orElseThrow();
        List<double[]> combinations = combinations();
        int each = axes.get(abscissa).values().size();
        if (combinations.size() > MOST_LINES || (long) combinations.size() * each > MOST_POINTS) {
            throw new UsageException(("The sweep has %d lines of %d points; at most %d lines and %d points are "
                    + "possible. Give fewer numbers.").formatted(combinations.size(), each, MOST_LINES, MOST_POINTS));
        }
        lines = combinations.stream().map(numbers -> line(numbers, model)).toList();
    }

    static boolean isOne(List<Axis> axes) {
        return axes.stream().anyMatch(axis -> axis.values().size() > 1);
    }

    private List<double[]> combinations() {
        List<double[]> combinations = List.of(new double[axes.size()]);
        for (int i = 0; i < axes.size(); i++) {
            int axis = i;
            List<Double> values = i == abscissa ? List.of(0.0) : axes.get(i).values();
            combinations = combinations.stream().flatMap(before -> values.stream().map(value -> {
                double[] numbers = before.clone();
                numbers[axis] = value;
                return numbers;
            })).toList();
        }
        return combinations;
    }

    private Line line(double[] numbers, Function<double[], double[]> model) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < axes.size(); i++) {
            if (i != abscissa && axes.get(i).values().size() > 1) {
                words.add(axes.get(i).name() + " " + Figures.plain(numbers[i]));
            }
        }
        List<double[]> all = new ArrayList<>();
        List<double[]> points = new ArrayList<>();
        for (double value : axes.get(abscissa).values()) {
            double[] here = numbers.clone();
            here[abscissa] = value;
            all.add(here);
            points.add(model.apply(here));
        }
        return new Line(String.join(", ", words), all, points);
    }

    /** @return a row for each point: the numbers of all axes, then the figures */
    Table table() {
        List<String> columns = new ArrayList<>(axes.stream().map(Axis::name).toList());
        columns.addAll(figures);
        Table table = new Table(columns);
        for (Line line : lines) {
            for (int i = 0; i < line.points().size(); i++) {
                List<Object> row = new ArrayList<>();
                Arrays.stream(line.numbers().get(i)).forEach(number -> row.add(Figures.significant(number)));
                Arrays.stream(line.points().get(i)).forEach(figure -> row.add(Figures.significant(figure)));
                table.add(row);
            }
        }
        return table;
    }

    /**
     * Draws figures. A figure that is the same in all combinations is one line.
     *
     * @param shown indices of figures
     */
    Chart chart(SweepChart.Labels labels, int... shown) {
        return chart(labels, List.of(), shown);
    }

    /** Draws figures beside measured points. */
    Chart chart(SweepChart.Labels labels, List<SweepChart.Point> measured, int... shown) {
        List<SweepChart.Line> drawn = new ArrayList<>();
        for (int figure : shown) {
            String name = figures.get(figure).replace('_', ' ');
            List<double[]> each = lines.stream().map(line -> figure(line, figure)).toList();
            if (each.stream().allMatch(other -> Arrays.equals(other, each.get(0)))) {
                drawn.add(new SweepChart.Line(name, each.get(0)));
                continue;
            }
            for (int i = 0; i < each.size(); i++) {
                String label = lines.get(i).label();
                drawn.add(new SweepChart.Line(shown.length == 1 ? label : name + ", " + label, each.get(i)));
            }
        }
        double[] numbers = axes.get(abscissa).values().stream().mapToDouble(Double::doubleValue).toArray();
        return SweepChart.of(labels, numbers, drawn, measured);
    }

    boolean hasOneLine() {
        return lines.size() == 1;
    }

    /** @return name of the column that is the abscissa */
    String abscissa() {
        return axes.get(abscissa).name();
    }

    private static double[] figure(Line line, int figure) {
        return line.points().stream().mapToDouble(point -> point[figure]).toArray();
    }
}
