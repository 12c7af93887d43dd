package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.statistics.Summary;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** What changes over time: response time and throughput, a line for each group. */
final class TimeCharts {
    private static final int MS_PER_SECOND = 1000;
    private static final int FEW_WINDOWS = 60;
    /** Where the largest is so many times the smallest, only a logarithmic scale shows both. */
    private static final int LOGARITHMIC_FROM = 50;

    private TimeCharts() {
    }

    /** The median in a band between the first and the last percentile of the windows. */
    static Chart responseTime(Measurements measured, double[] percents, String title) {
        WindowGrid grid = WindowGrid.of(measured);
        int last = percents.length - 1;
        String low = Figures.percent(percents[0]);
        String high = Figures.percent(percents[last]);
        Table data = grid.table(List.of("median", "p" + low, "p" + high), (window, summary) -> summary
                .map(each -> List.of(each.median(), each.percentiles().get(0), each.percentiles().get(last)))
                .orElse(Arrays.asList(null, null, null)));
        double smallest = medians(grid).min().orElse(1);
        double largest = medians(grid).max().orElse(1);
        TimeUnit unit = TimeUnit.fitting(largest);
        TimeAxis axis = TimeAxis.fitting(measured.endMs() - measured.timeline().originMs());
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < grid.groups().size(); i++) {
            lines.add(("data skip 1 using ($1/%d):($%d/%d.):($%d/%d.) with filledcurves fillcolor rgb '%s' "
                    + "fillstyle transparent solid 0.18 noborder notitle").formatted(axis.seconds(), 3 * i + 3,
                    unit.micros(), 3 * i + 4, unit.micros(), Gnuplot.colour(i)));
        }
        for (int i = 0; i < grid.groups().size(); i++) {
            lines.add(line(data, axis, 3 * i + 2, unit.micros(), i, grid.groups().get(i).name()));
        }
        return new Chart("response_time", data, """
                set title %s
                set xlabel %s
                set ylabel 'response time [%s], median and %s–%s %%'
                %s
                plot %s
                """.formatted(Gnuplot.quoted(title(title, grid)), xlabel(axis), unit.name(), low, high,
                largest > LOGARITHMIC_FROM * smallest ? "set logscale y" : "set yrange [0:*]",
                String.join(", \\\n  ", lines)));
    }

    /** Requests a second. */
    static Chart throughput(Measurements measured, String title) {
        WindowGrid grid = WindowGrid.of(measured);
        Table data = grid.table(List.of("per second"), (window, summary) -> List.of(
                summary.map(Summary::count).orElse(0L) * (double) MS_PER_SECOND / measured.coveredMs(window)));
        TimeAxis axis = TimeAxis.fitting(measured.endMs() - measured.timeline().originMs());
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < grid.groups().size(); i++) {
            lines.add(line(data, axis, i + 2, 1, i, grid.groups().get(i).name()));
        }
        return new Chart("throughput", data, """
                set title %s
                set xlabel %s
                set ylabel 'throughput [1/s]'
                set yrange [0:*]
                plot %s
                """.formatted(Gnuplot.quoted(title(title, grid)), xlabel(axis), String.join(", \\\n  ", lines)));
    }

    private static String line(Table data, TimeAxis axis, int column, int divisor, int series, String name) {
        boolean few = data.rows().size() <= FEW_WINDOWS;
        return "data skip 1 using ($1/%d):($%d/%d.) with %s linecolor rgb '%s' linewidth 1.8%s title %s".formatted(
                axis.seconds(), column, divisor, few ? "linespoints" : "lines", Gnuplot.colour(series),
                few ? " pointtype 7 pointsize 0.35" : "", Gnuplot.quoted(name));
    }

    private static String xlabel(TimeAxis axis) {
        return Gnuplot.quoted("time since the start [" + axis.name() + "]");
    }

    private static String title(String title, WindowGrid grid) {
        return grid.left() == 0 ? title : title + " (busiest " + grid.groups().size() + " of "
                + (grid.groups().size() + grid.left()) + ")";
    }

    private static IntStream medians(WindowGrid grid) {
        return grid.groups().stream().flatMap(group -> group.windows().stream())
                .mapToInt(window -> window.summary().median());
    }
}
