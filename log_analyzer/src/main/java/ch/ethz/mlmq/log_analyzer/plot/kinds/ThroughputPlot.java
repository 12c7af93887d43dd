package ch.ethz.mlmq.log_analyzer.plot.kinds;

import ch.ethz.mlmq.log_analyzer.plot.BusiestGroups;
import ch.ethz.mlmq.log_analyzer.plot.Chart;
import ch.ethz.mlmq.log_analyzer.plot.Gnuplot;
import ch.ethz.mlmq.log_analyzer.plot.Marks;
import ch.ethz.mlmq.log_analyzer.plot.Pen;
import ch.ethz.mlmq.log_analyzer.plot.Plot;
import ch.ethz.mlmq.log_analyzer.plot.PlottedRun;
import ch.ethz.mlmq.log_analyzer.plot.WindowGrid;
import ch.ethz.mlmq.log_analyzer.scan.Grouping;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Requests a second over time: by outcome, where the actions have several and nothing else was asked for; else by
 * group.
 */
final class ThroughputPlot implements Plot {
    private static final double MS_PER_SECOND = 1000;

    /** The lines of the chart. @param title with a remark on those left out */
    private record Lines(String title, List<String> names, List<Map<Long, Long>> counts) {
    }

    @Override
    public String name() {
        return "throughput";
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.ACTIONS);
    }

    @Override
    public Optional<Chart> draw(PlottedRun run) throws IOException {
        Measurements measured = run.requests().without(":service");
        Lines lines = lines(run, measured);
        WindowGrid<Long> grid = new WindowGrid<>(measured, lines.names(), lines.counts());
        Table data = grid.table(List.of(""), (window, count) ->
                List.of(count.orElse(0L) * MS_PER_SECOND / measured.coveredMs(window)));
        List<String> pieces = new ArrayList<>();
        for (int i = 0; i < lines.names().size(); i++) {
            pieces.add(Pen.of(i).line(grid.axis().column(), "($" + (i + 2) + ")", data.rows().size(),
                    lines.names().get(i)));
        }
        Marks marks = run.marks();
        pieces.addAll(marks.legend());
        String estimated = measured.sampling().isWhole() ? "" : " (" + measured.sampling().shortly() + ")";
        return Optional.of(new Chart(name(), data, Gnuplot.labels("Throughput · " + lines.title() + estimated,
                grid.axis().label(), "throughput [1/s]") + grid.range() + "set yrange [0:*]\n"
                + marks.script(grid.axis()) + Gnuplot.plot(pieces), marks.lines(lines.names().size())));
    }

    private static Lines lines(PlottedRun run, Measurements measured) throws IOException {
        Map<String, List<Measurements.Group>> outcomes = measured.groups().stream().collect(Collectors.groupingBy(
                group -> Grouping.statusOf(group.name()), TreeMap::new, Collectors.toList()));
        if (run.byOutcome() && outcomes.size() > 1) {
            List<String> names = mostFrequent(outcomes);
            String left = names.size() == outcomes.size() ? ""
                    : " (most frequent " + names.size() + " of " + outcomes.size() + ")";
            return new Lines(run.title() + left, names,
                    names.stream().map(name -> counts(outcomes.get(name))).toList());
        }
        BusiestGroups shown = BusiestGroups.of(measured);
        return new Lines(shown.title(run.title()), shown.names(),
                shown.groups().stream().map(group -> counts(List.of(group))).toList());
    }

    /** @return as many outcomes as there are colours; success first, so that it has the same colour in every picture */
    private static List<String> mostFrequent(Map<String, List<Measurements.Group>> outcomes) {
        Comparator<String> byCount = Comparator.comparingLong(name -> outcomes.get(name).stream()
                .mapToLong(BusiestGroups::count).sum());
        return outcomes.keySet().stream().sorted(Comparator.comparing((String name) -> !name.equals("OK"))
                .thenComparing(byCount.reversed())).limit(Gnuplot.COLOURS.size()).toList();
    }

    private static Map<Long, Long> counts(List<Measurements.Group> groups) {
        return groups.stream().flatMap(group -> group.windows().stream())
                .collect(Collectors.toMap(Measurements.Window::number, window -> window.summary().count(), Long::sum));
    }
}
