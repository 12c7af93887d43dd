package ch.ethz.mlmq.log_analyzer.plot.kinds;

import ch.ethz.mlmq.log_analyzer.plot.BusiestGroups;
import ch.ethz.mlmq.log_analyzer.plot.Chart;
import ch.ethz.mlmq.log_analyzer.plot.DurationUnit;
import ch.ethz.mlmq.log_analyzer.plot.Gnuplot;
import ch.ethz.mlmq.log_analyzer.plot.Marks;
import ch.ethz.mlmq.log_analyzer.plot.Pen;
import ch.ethz.mlmq.log_analyzer.plot.Plot;
import ch.ethz.mlmq.log_analyzer.plot.PlottedRun;
import ch.ethz.mlmq.log_analyzer.plot.WindowGrid;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.statistics.Summary;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The median of each group over time, in a band from the first to the last percentile of the windows. */
final class ResponseTimePlot implements Plot {
    /** Ratio of the largest to the smallest value above which only a logarithmic scale shows both. */
    private static final int LOGARITHMIC_FROM = 50;

    @Override
    public String name() {
        return "response_time";
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.ACTIONS);
    }

    @Override
    public Optional<Chart> draw(PlottedRun run) throws IOException {
        BusiestGroups shown = BusiestGroups.of(run.answered());
        double[] percents = run.percents();
        String low = Figures.percent(percents[0]);
        String high = Figures.percent(percents[percents.length - 1]);
        WindowGrid<Summary> grid = new WindowGrid<>(run.measured(), shown.names(),
                shown.groups().stream().map(ResponseTimePlot::summaries).toList());
        Table data = data(grid, low, high);
        double largest = medians(shown).max().orElse(1);
        boolean logarithmic = largest > LOGARITHMIC_FROM * (double) medians(shown).min().orElse(1);
        DurationUnit unit = DurationUnit.fitting(largest);
        List<Pen> pens = Pen.of(shown.names());
        List<String> pieces = new ArrayList<>(bands(shown.names(), pens, grid.axis().column(), unit));
        for (int i = 0; i < shown.groups().size(); i++) {
            pieces.add(pens.get(i).line(grid.axis().column(), unit.of(3 * i + 2), data.rows().size(),
                    shown.names().get(i)));
        }
        Marks marks = run.marks();
        pieces.addAll(marks.legend());
        String y = "response time [" + unit.name() + "], median and " + low + "–" + high + " %";
        return Optional.of(new Chart(name(), data, Gnuplot.labels(shown.title("Response time · " + run.title()),
                grid.axis().label(), y) + grid.range()
                + (logarithmic ? "set logscale y\n" : "set yrange [0:*]\n")
                + marks.script(grid.axis()) + Gnuplot.plot(pieces), marks.lines(shown.groups().size())));
    }

    private static Table data(WindowGrid<Summary> grid, String low, String high) {
        return grid.table(List.of("median", "p" + low, "p" + high), (window, summary) -> summary
                .<List<?>>map(each -> List.of(each.median(), each.percentiles().get(0),
                        each.percentiles().get(each.percentiles().size() - 1)))
                .orElse(List.of(Gnuplot.GAP, Gnuplot.GAP, Gnuplot.GAP)));
    }

    private static List<String> bands(List<String> names, List<Pen> pens, String x, DurationUnit unit) {
        List<Integer> banded = banded(names);
        return banded.stream().map(i -> ("data skip 1 using %s:%s:%s with filledcurves fillcolor rgb %s "
                + "fillstyle transparent solid %s noborder notitle").formatted(x, unit.of(3 * i + 3),
                unit.of(3 * i + 4), pens.get(i).colour(), banded.size() > 2 ? "0.10" : "0.18")).toList();
    }

    /**
     * @return indices of series with a band: service times only if they are alone, as overlapping bands are unreadable
     */
    private static List<Integer> banded(List<String> names) {
        boolean alone = names.stream().allMatch(Pen::isService);
        return IntStream.range(0, names.size()).filter(i -> alone || !Pen.isService(names.get(i))).boxed().toList();
    }

    private static Map<Long, Summary> summaries(Measurements.Group group) {
        return group.windows().stream()
                .collect(Collectors.toMap(Measurements.Window::number, Measurements.Window::summary));
    }

    private static IntStream medians(BusiestGroups shown) {
        return shown.groups().stream().flatMap(group -> group.windows().stream())
                .mapToInt(window -> window.summary().median());
    }
}
