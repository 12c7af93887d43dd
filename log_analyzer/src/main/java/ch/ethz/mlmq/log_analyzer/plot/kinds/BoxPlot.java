package ch.ethz.mlmq.log_analyzer.plot.kinds;

import ch.ethz.mlmq.log_analyzer.plot.BusiestGroups;
import ch.ethz.mlmq.log_analyzer.plot.Chart;
import ch.ethz.mlmq.log_analyzer.plot.DurationUnit;
import ch.ethz.mlmq.log_analyzer.plot.Gnuplot;
import ch.ethz.mlmq.log_analyzer.plot.Plot;
import ch.ethz.mlmq.log_analyzer.plot.PlottedRun;
import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Draws half of the durations of each group as a box, the first and last requested percentile as whiskers. */
final class BoxPlot implements Plot {
    private static final double[] BOX = {25, 50, 75};
    /** Ratio of the longest whisker to the median above which a linear scale would show nothing else. */
    private static final int LOGARITHMIC_FROM = 20;
    /** Largest number of boxes whose names are not slanted. */
    private static final int FEW_BOXES = 4;
    /** Width of the chart between its margins in characters, and its smallest useful rest. */
    private static final int LEAST_WIDTH = 60;
    private static final int USUAL_MARGIN = 8;

    @Override
    public String name() {
        return "box";
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.ACTIONS);
    }

    @Override
    public Optional<Chart> draw(PlottedRun run) throws IOException {
        String title = run.title();
        return run.answeredInSteadyPart().map(measured -> draw(BusiestGroups.all(measured), run.percents(), title));
    }

    private Chart draw(BusiestGroups shown, double[] percents, String title) {
        double lowest = percents[0];
        double highest = percents[percents.length - 1];
        int longest = shown.groups().stream().mapToInt(group -> group.steady().percentile(highest)).max().orElse(1);
        double median = shown.largestMedian();
        DurationUnit unit = DurationUnit.fitting(median);
        return new Chart(name(), data(shown, lowest, highest), Gnuplot.labels(
                shown.title("Durations by group · " + title), "", "duration [" + unit.name() + "], whiskers "
                + Figures.percent(lowest) + "–" + Figures.percent(highest) + " %") + roomFor(shown.names())
                + (longest > LOGARITHMIC_FROM * median ? "set logscale y\n" : "set yrange [0:*]\n") + """
                set xtics %s noenhanced nomirror
                set xrange [-0.6:%d.6]
                set key off
                set boxwidth 0.4
                set style fill solid 0.25 border
                """.formatted(shown.groups().size() > FEW_BOXES ? "rotate by 25 right" : "",
                        shown.groups().size() - 1)
                + Gnuplot.plot(List.of(
                ("data skip 1 using 0:%s:%s:%s:%s:xtic(1) with candlesticks whiskerbars 0.5 linecolor rgb %s "
                        + "linewidth 1.4").formatted(unit.of(3), unit.of(2), unit.of(6), unit.of(5), Gnuplot.colour(0)),
                "data skip 1 using 0:%1$s:%1$s:%1$s:%1$s with candlesticks linecolor rgb %2$s linewidth 2.4"
                        .formatted(unit.of(4), Gnuplot.colour(1)))));
    }

    private static Table data(BusiestGroups shown, double lowest, double highest) {
        Table data = Table.of("group", "p" + Figures.percent(lowest), "p25", "median", "p75",
                "p" + Figures.percent(highest));
        List<String> names = shown.names();
        for (int i = 0; i < names.size(); i++) {
            Distribution durations = shown.groups().get(i).steady();
            int[] box = durations.percentiles(BOX);
            data.add(names.get(i), durations.percentile(lowest), box[0], box[1], box[2],
                    durations.percentile(highest));
        }
        return data;
    }

    /** Makes a margin for slanting names, which begin left of their boxes, so that the first ones are not cut off. */
    private static String roomFor(List<String> names) {
        double margin = IntStream.range(0, names.size())
                .mapToDouble(i -> 0.9 * names.get(i).length() - (i + 0.6) / names.size() * LEAST_WIDTH).max().orElse(0);
        return names.size() > FEW_BOXES && margin > USUAL_MARGIN ? "set lmargin " + (int) Math.ceil(margin) + "\n" : "";
    }
}
