package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.analysis.Breakdown;
import ch.ethz.mlmq.log_analyzer.analysis.RunFigures;
import ch.ethz.mlmq.log_analyzer.analysis.RunGroup;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Draws several runs in one chart, each over its own time. A group keeps its colour in all charts; repetitions are
 * dashed.
 */
public final class OverlayCharts {
    private static final double MS_PER_SECOND = 1000;
    private static final String TITLE = "runs compared";

    private final Map<String, RunFigures> runs = new LinkedHashMap<>();
    private final List<String> names;
    private final List<Pen> pens = new ArrayList<>();

    /** @param groups the baseline first; repetitions of a group are drawn one by one */
    public OverlayCharts(List<RunGroup> groups) {
        for (int colour = 0; colour < groups.size(); colour++) {
            RunGroup group = groups.get(colour);
            for (int i = 0; i < group.runs().size(); i++) {
                pens.add(new Pen(Gnuplot.colour(colour), i > 0));
                runs.put(group.name() + (group.runs().size() == 1 ? "" : " " + (i + 1)), group.runs().get(i));
            }
        }
        names = List.copyOf(runs.keySet());
    }

    /** @return all charts that the runs allow */
    public List<Chart> draw() {
        List<Chart> charts = new ArrayList<>(List.of(throughput(), responseTime()));
        Map<String, Distribution> distributions = new LinkedHashMap<>();
        List<Pen> theirPens = new ArrayList<>();
        List<Breakdown> breakdowns = new ArrayList<>();
        runs.forEach((name, run) -> {
            if (run.durations().count() > 0) {
                distributions.put(name, run.durations());
                theirPens.add(pens.get(names.indexOf(name)));
            }
            run.breakdown().ifPresent(all -> breakdowns.add(new Breakdown(name, all.total(), all.stages())));
        });
        if (!distributions.isEmpty()) {
            charts.add(SpectrumChart.of(distributions, theirPens, TITLE));
        }
        if (!breakdowns.isEmpty()) {
            charts.add(BreakdownChart.of(breakdowns, TITLE));
        }
        return charts;
    }

    private Chart throughput() {
        Table data = Table.of("run", "seconds", "throughput");
        runs.forEach((name, run) -> windows(run).forEach((number, window) -> data.add(name, seconds(run, number),
                window.map(each -> each.summary().count()).orElse(0L) * MS_PER_SECOND
                        / run.measured().coveredMs(number))));
        return new Chart("throughput", data, Gnuplot.labels("Throughput · " + TITLE, axis().label(),
                "throughput [1/s]") + axis().range(0, length()) + "set yrange [0:*]\n" + Gnuplot.plot(lines("($3)")));
    }

    /** Draws the median and the 99th percentile of each window, on one scale. */
    private Chart responseTime() {
        Table data = Table.of("run", "seconds", "median", "p99");
        runs.forEach((name, run) -> windows(run).forEach((number, window) -> {
            List<Object> times = window.<List<Object>>map(each -> List.of(each.summary().median(), p99(each)))
                    .orElse(List.of(Gnuplot.GAP, Gnuplot.GAP));
            data.add(name, seconds(run, number), times.get(0), times.get(1));
        }));
        int largest = runs.values().stream().flatMap(run -> run.windows().stream()).mapToInt(OverlayCharts::p99).max()
                .orElse(1);
        DurationUnit unit = DurationUnit.fitting(largest);
        List<String> pieces = new ArrayList<>(lines(unit.of(4)));
        for (int i = 0; i < names.size(); i++) {
            pieces.add("data skip 1 using %s:%s with lines linecolor rgb %s linewidth 1 notitle"
                    .formatted(x(i), unit.of(3), pens.get(i).colour()));
        }
        return new Chart("response_time", data, Gnuplot.labels("Response time · " + TITLE, axis().label(),
                "p99, and thin the median [" + unit.name() + "]") + axis().range(0, length()) + "set logscale y\n"
                + Gnuplot.plot(pieces));
    }

    private List<String> lines(String y) {
        List<String> pieces = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            pieces.add("data skip 1 using %s:%s with lines %s title %s"
                    .formatted(x(i), y, pens.get(i).options(), Gnuplot.quoted(names.get(i))));
        }
        return pieces;
    }

    /** @return the place of a row; only rows of that run have one */
    private String x(int run) {
        return "((strcol(1) eq " + Gnuplot.quoted(names.get(run)) + ") ? $2/" + axis().seconds() + ". : NaN)";
    }

    /** @return all windows of a run, empty if it had no answer */
    private static Map<Long, Optional<Measurements.Window>> windows(RunFigures run) {
        Map<Long, Optional<Measurements.Window>> windows = new TreeMap<>();
        long last = run.windows().stream().mapToLong(Measurements.Window::number).max().orElse(0);
        WindowGrid.numbers(run.measured(), last).forEach(number -> windows.put(number, Optional.empty()));
        run.windows().forEach(window -> windows.replace(window.number(), Optional.of(window)));
        return windows;
    }

    private static int p99(Measurements.Window window) {
        return window.summary().percentiles().get(0);
    }

    private static double seconds(RunFigures run, long window) {
        return window * run.measured().timeline().windowMs() / MS_PER_SECOND;
    }

    private TimeAxis axis() {
        return TimeAxis.fitting(length());
    }

    /** @return length of the longest run [s] */
    private double length() {
        return runs.values().stream().mapToDouble(run -> (run.measured().untilMs()
                - run.measured().timeline().originMs()) / MS_PER_SECOND).max().orElse(0);
    }
}
