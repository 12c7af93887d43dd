package ch.ethz.mlmq.log_analyzer.plot.kinds;

import ch.ethz.mlmq.log_analyzer.plot.BusiestGroups;
import ch.ethz.mlmq.log_analyzer.plot.Chart;
import ch.ethz.mlmq.log_analyzer.plot.DurationUnit;
import ch.ethz.mlmq.log_analyzer.plot.Gnuplot;
import ch.ethz.mlmq.log_analyzer.plot.Pen;
import ch.ethz.mlmq.log_analyzer.plot.Plot;
import ch.ethz.mlmq.log_analyzer.plot.PlottedRun;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Draws the share of durations of the measurement interval up to each length. */
final class CdfPlot implements Plot {
    private static final int POINTS = 400;

    @Override
    public String name() {
        return "cdf";
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.ACTIONS);
    }

    @Override
    public Optional<Chart> draw(PlottedRun run) throws IOException {
        String title = run.title();
        return run.answeredInSteadyPart().map(measured -> draw(BusiestGroups.steady(measured), title));
    }

    private Chart draw(BusiestGroups shown, String title) {
        DurationUnit unit = DurationUnit.fitting(shown.largestMedian());
        List<Pen> pens = Pen.of(shown.names());
        List<String> pieces = new ArrayList<>();
        for (int i = 0; i < shown.groups().size(); i++) {
            pieces.add(pens.get(i).line(unit.of(i + 2), "1", POINTS, shown.names().get(i)));
        }
        return new Chart(name(), data(shown), Gnuplot.labels(shown.title("Cumulative distribution · " + title),
                "duration [" + unit.name() + "]", "share that is at most so long [%]")
                + Gnuplot.logarithmic("x", shown.groups().stream().anyMatch(group -> group.steady().max() > 0))
                + "set yrange [0:100]\n" + Gnuplot.plot(pieces));
    }

    private static Table data(BusiestGroups shown) {
        double[] percents = IntStream.rangeClosed(0, POINTS).mapToDouble(i -> 100.0 * i / POINTS).toArray();
        List<String> columns = new ArrayList<>(List.of("percent"));
        columns.addAll(shown.names());
        Table data = new Table(columns);
        List<int[]> values = shown.groups().stream().map(group -> group.steady().percentiles(percents)).toList();
        for (int i = 0; i < percents.length; i++) {
            List<Object> row = new ArrayList<>(List.of(percents[i]));
            for (int[] each : values) {
                row.add(each[i]);
            }
            data.add(row);
        }
        return data;
    }
}
