package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.analysis.Comparison;
import ch.ethz.mlmq.log_analyzer.analysis.Metric;
import ch.ethz.mlmq.log_analyzer.analysis.RunGroup;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Draws several runs in one chart. */
public final class ComparisonCharts {
    private static final String NO_INTERVAL = "title 'no interval'";

    private ComparisonCharts() {
    }

    /**
     * Draws the change of each figure from the baseline in per cent with its interval: a row for each figure, a colour
     * for each run.
     *
     * @param groups the baseline first
     */
    public static Chart comparison(List<Comparison.Difference> differences, List<RunGroup> groups) {
        String baseline = groups.get(0).name();
        List<String> runs = groups.stream().skip(1).map(RunGroup::name).distinct().toList();
        List<String> figures = differences.stream().map(each -> each.metric().name()).distinct().sorted().toList();
        Table data = Table.of("row", "figure", "run", "percent", "percent_low", "percent_high");
        List<String> pieces = new ArrayList<>();
        for (int run = 0; run < runs.size(); run++) {
            for (Comparison.Difference each : differences) {
                if (each.group().equals(runs.get(run)) && !Double.isNaN(each.percent())
                        && !Double.isInfinite(each.percent())) {
                    double offset = (run + 1.0) / (runs.size() + 1) - 0.5;
                    double row = figures.size() - 1 - figures.indexOf(each.metric().name()) - offset * 0.7;
                    data.add(row, each.metric().name(), each.group(), each.percent(), each.percentLow(),
                            each.percentHigh());
                }
            }
            String name = Gnuplot.quoted(runs.get(run));
            pieces.add(("data skip 1 using ((strcol(3) eq %1$s) ? $4 : NaN):1:5:6 with xerrorbars pointtype %2$d "
                    + "pointsize 0.8 linewidth 1.6 linecolor rgb %3$s title %1$s").formatted(name,
                    run % 2 == 0 ? 7 : 5, Gnuplot.colour(run + 1)));
            boolean doubtful = differences.stream().anyMatch(each -> !each.interval().isKnown());
            if (doubtful) {
                pieces.add(("data skip 1 using (strcol(3) eq %s && strcol(5) eq '' ? $4 : NaN):1 with points pointtype "
                        + "%d pointsize 1 linewidth 1.6 linecolor rgb %s %s").formatted(name, run % 2 == 0 ? 6 : 4,
                        Gnuplot.colour(run + 1), run == 0 ? NO_INTERVAL : "notitle"));
            }
        }
        List<String> tics = new ArrayList<>();
        for (int i = 0; i < figures.size(); i++) {
            tics.add(Gnuplot.quoted(figures.get(i)) + " " + (figures.size() - 1 - i));
        }
        return new Chart("comparison", data, Gnuplot.labels("Change from " + baseline,
                "change [%], with its interval", "") + """
                set yrange [-0.6:%s.6]
                set ytics (%s) noenhanced nomirror
                set arrow 1 from first 0, graph 0 to first 0, graph 1 nohead linecolor rgb %s linewidth 1.2 back
                """.formatted(figures.size() - 1, String.join(", ", tics), Gnuplot.GREY) + Gnuplot.plot(pieces));
    }

    /**
     * Draws a figure over a parameter that was varied. @param value of the parameter for the group at the same index
     */
    public static Chart parameter(List<RunGroup> groups, List<Double> values, String parameter, Metric metric,
            double confidence) {
        List<Integer> order = IntStream.range(0, groups.size()).boxed()
                .sorted(Comparator.comparing(values::get)).toList();
        Table data = Table.of(parameter, metric.name(), "low", "high", "run");
        double largest = 0;
        boolean doubtful = false;
        for (int index : order) {
            RunGroup group = groups.get(index);
            Interval interval = group.interval(metric, confidence);
            double value = group.estimate(metric).value();
            data.add(values.get(index), Double.isFinite(value) ? value : Gnuplot.GAP, interval.low(), interval.high(),
                    group.name());
            largest = Double.isFinite(value) ? Math.max(largest, value) : largest;
            doubtful |= !interval.isKnown();
        }
        boolean time = metric.unit().equals("us");
        DurationUnit unit = time ? DurationUnit.fitting(largest) : new DurationUnit(metric.unit(), 1);
        List<String> pieces = new ArrayList<>(List.of(
                "data skip 1 using 1:%s with lines linecolor rgb %s linewidth 1.8 notitle".formatted(unit.of(2),
                Gnuplot.colour(0)),
                "data skip 1 using 1:%s:%s:%s with yerrorbars pointtype 7 pointsize 0.6 linewidth 1.6 linecolor rgb %s "
                        .formatted(unit.of(2), unit.of(3), unit.of(4), Gnuplot.colour(0)) + "notitle"));
        if (doubtful) {
            pieces.add(("data skip 1 using 1:(strcol(3) eq '' ? %s : NaN) with points pointtype 6 pointsize 1 "
                    + "linewidth 1.6 linecolor rgb %s %s").formatted(unit.of(2), Gnuplot.colour(0), NO_INTERVAL));
        }
        return new Chart("parameter_" + metric.name().replace('.', '_'), data, Gnuplot.labels(
                metric.name() + " over " + parameter, parameter, metric.name() + " [" + unit.name() + "], "
                + Figures.percent(confidence * 100) + " % intervals")
                + "set yrange [0:*]\nset offsets graph 0.05, graph 0.05\n" + (doubtful ? "" : "set key off\n")
                + Gnuplot.plot(pieces));
    }
}
