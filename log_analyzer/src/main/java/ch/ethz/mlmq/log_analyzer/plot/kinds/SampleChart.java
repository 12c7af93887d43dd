package ch.ethz.mlmq.log_analyzer.plot.kinds;

import ch.ethz.mlmq.log_analyzer.plot.Chart;
import ch.ethz.mlmq.log_analyzer.plot.Gnuplot;
import ch.ethz.mlmq.log_analyzer.plot.Marks;
import ch.ethz.mlmq.log_analyzer.plot.Pen;
import ch.ethz.mlmq.log_analyzer.plot.PlottedRun;
import ch.ethz.mlmq.log_analyzer.plot.TimeAxis;
import ch.ethz.mlmq.log_analyzer.run.TimeRange;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Draws samples over the time of the run.
 *
 * @param name  of the chart
 * @param kind  beginning of the title
 * @param y     label of the axis
 * @param run   the run with the samples
 */
record SampleChart(String name, String kind, String y, PlottedRun run) {
    /** A line of context: the others add up to it. */
    static final String ALL_QUEUES = "all queues";
    private static final int MS_PER_SECOND = 1000;
    /** Ratio of the axis's end to the highest number. */
    private static final double ROOM = 1.05;

    /** @return empty if no line has a point */
    Optional<Chart> draw(SampledLines lines) throws IOException {
        Table data = data(lines);
        if (data.rows().isEmpty()) {
            return Optional.empty();
        }
        double length = seconds(run.covered().toMs());
        TimeAxis axis = TimeAxis.fitting(length);
        List<String> names = lines.names();
        List<String> pieces = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            Pen pen = names.get(i).equals(ALL_QUEUES) ? Pen.OF_CONTEXT : Pen.of(i);
            pieces.add(pen.line(axis.column(), "($" + (i + 2) + ")", data.rows().size(), names.get(i)));
        }
        Marks marks = run.marks();
        pieces.addAll(marks.legend());
        return Optional.of(new Chart(name, data, Gnuplot.labels(kind + run.title() + lines.remark(), axis.label(), y)
                + axis.range(seconds(run.covered().fromMs()), length)
                + "set yrange [0:" + end(lines, length) + "]\n"
                + marks.script(axis) + Gnuplot.plot(pieces), marks.lines(names.size())));
    }

    /** @param points ms since 1970, and a number @return those in the time shown, by second of the axis */
    Map<Long, Double> inside(List<double[]> points) {
        TimeRange shown = run.covered();
        return bySecond(points.stream().filter(point -> shown.contains(point[0])).toList());
    }

    /**
     * @return what lies in the time shown, and the points next to it: what is counted every ten seconds has hardly any
     */
    Map<Long, Double> withNeighbours(List<double[]> points) {
        TimeRange shown = run.covered();
        int from = (int) points.stream().filter(point -> point[0] < shown.fromMs()).count() - 1;
        int to = (int) points.stream().filter(point -> point[0] <= shown.toMs()).count() + 1;
        return bySecond(points.subList(Math.max(0, from), Math.min(points.size(), to)));
    }

    private Map<Long, Double> bySecond(List<double[]> points) {
        Map<Long, Double> values = new TreeMap<>();
        points.forEach(point -> values.put(Math.floorDiv((long) (point[0] - run.originMs()), MS_PER_SECOND),
                point[1]));
        return values;
    }

    private static Table data(SampledLines lines) {
        List<String> columns = new ArrayList<>(List.of("seconds"));
        columns.addAll(lines.names());
        Table data = new Table(columns);
        List<String> names = lines.names();
        List<Set<Long>> holes = lines.holes();
        TreeSet<Long> seconds = lines.bySecond().values().stream().flatMap(line -> line.keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        holes.forEach(seconds::addAll);
        for (long second : seconds) {
            List<Object> row = new ArrayList<>(List.of(second));
            for (int i = 0; i < holes.size(); i++) {
                row.add(holes.get(i).contains(second) ? Gnuplot.GAP
                        : lines.bySecond().get(names.get(i)).get(second));
            }
            data.add(row);
        }
        return data;
    }

    /** @return the end of the axis: gnuplot finds it itself, except for lines that go on beyond the end */
    private static String end(SampledLines lines, double length) {
        double highest = lines.highest();
        return lines.goOnBeyond(length) && highest > 0 ? Figures.plain(ROOM * highest) : "*";
    }

    private double seconds(long ms) {
        return (ms - run.originMs()) / (double) MS_PER_SECOND;
    }
}
