package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.scan.Grouping;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.statistics.Summary;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What changes over time: response time and throughput. */
final class TimeCharts {
    private static final int FEW_POINTS = 60;
    /** Where the largest is so many times the smallest, only a logarithmic scale shows both. */
    private static final int LOGARITHMIC_FROM = 50;

    private TimeCharts() {
    }

    /** The median of each group in a band from the first to the last percentile of the windows. */
    static Chart responseTime(Measurements measured, double[] percents, Marks marks, String title) {
        Shown shown = Shown.of(measured);
        WindowGrid<Summary> grid = new WindowGrid<>(measured, shown.names(),
                shown.groups().stream().map(TimeCharts::summaries).toList());
        int last = percents.length - 1;
        String low = Figures.percent(percents[0]);
        String high = Figures.percent(percents[last]);
        Table data = grid.table(List.of("median", "p" + low, "p" + high), (window, summary) -> summary
                .<List<?>>map(each -> List.of(each.median(), each.percentiles().get(0), each.percentiles().get(last)))
                .orElse(List.of(Gnuplot.GAP, Gnuplot.GAP, Gnuplot.GAP)));
        double largest = medians(shown).max().orElse(1);
        boolean logarithmic = largest > LOGARITHMIC_FROM * (double) medians(shown).min().orElse(1);
        DurationUnit unit = DurationUnit.fitting(largest);
        String x = grid.axis().column();
        List<Pen> pens = Pen.of(shown.names());
        List<String> pieces = new ArrayList<>();
        List<Integer> banded = banded(shown.names());
        for (int i : banded) {
            pieces.add(("data skip 1 using %s:%s:%s with filledcurves fillcolor rgb %s "
                    + "fillstyle transparent solid %s noborder notitle").formatted(x, unit.of(3 * i + 3),
                    unit.of(3 * i + 4), pens.get(i).colour(), banded.size() > 2 ? "0.10" : "0.18"));
        }
        for (int i = 0; i < shown.groups().size(); i++) {
            pieces.add(line(x, unit.of(3 * i + 2), data.rows().size(), pens.get(i), shown.names().get(i)));
        }
        pieces.addAll(marks.legend());
        String y = "response time [" + unit.name() + "], median and " + low + "–" + high + " %";
        return new Chart("response_time", data, Gnuplot.labels(shown.title("Response time · " + title), grid.axis()
                .label(), y) + grid.range() + (logarithmic ? "set logscale y\n" : "set yrange [0:*]\n")
                + marks.script(grid.axis()) + Gnuplot.plot(pieces), marks.lines(shown.groups().size()));
    }

    /** @return which series get a band: service times only where they stand alone, bands upon bands say nothing */
    private static List<Integer> banded(List<String> names) {
        boolean alone = names.stream().allMatch(Pen::isService);
        return IntStream.range(0, names.size()).filter(i -> alone || !Pen.isService(names.get(i))).boxed().toList();
    }

    /** Requests a second: by outcome, where the actions have several and nothing else was asked for; else by group. */
    static Chart throughput(Measurements measured, boolean byOutcome, Marks marks, String title) {
        Map<String, List<Measurements.Group>> outcomes = measured.groups().stream()
                .filter(group -> !group.name().endsWith(":service"))
                .collect(Collectors.groupingBy(group -> Grouping.statusOf(group.name()), TreeMap::new,
                Collectors.toList()));
        boolean split = byOutcome && outcomes.size() > 1;
        Shown shown = Shown.of(measured.without(":service"));
        List<String> names = split ? mostFrequent(outcomes) : shown.names();
        List<Map<Long, Long>> counts = split
                ? names.stream().map(name -> counts(outcomes.get(name))).toList()
                : shown.groups().stream().map(group -> counts(List.of(group))).toList();
        WindowGrid<Long> grid = new WindowGrid<>(measured, names, counts);
        Table data = grid.table(List.of(""), (window, count) ->
                List.of(count.orElse(0L) * 1000.0 / measured.coveredMs(window)));
        List<String> pieces = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            pieces.add(line(grid.axis().column(), "($" + (i + 2) + ")", data.rows().size(), Pen.of(i), names.get(i)));
        }
        pieces.addAll(marks.legend());
        String estimated = measured.sampling().isWhole() ? "" : " (" + measured.sampling().shortly() + ")";
        String left = names.size() < outcomes.size() ? " (most frequent " + names.size() + " of " + outcomes.size()
                + ")" : "";
        return new Chart("throughput", data,
                Gnuplot.labels("Throughput · " + (split ? title + left : shown.title(title)) + estimated,
                grid.axis().label(), "throughput [1/s]") + grid.range() + "set yrange [0:*]\n"
                + marks.script(grid.axis()) + Gnuplot.plot(pieces), marks.lines(names.size()));
    }

    /** @return as many outcomes as there are colours; success first, so that it has the same colour in every picture */
    private static List<String> mostFrequent(Map<String, List<Measurements.Group>> outcomes) {
        Comparator<String> byCount = Comparator.comparingLong(name -> outcomes.get(name).stream()
                .mapToLong(Shown::count).sum());
        return outcomes.keySet().stream().sorted(Comparator.comparing((String name) -> !name.equals("OK"))
                .thenComparing(byCount.reversed())).limit(Gnuplot.COLOURS.size()).toList();
    }

    /** @return a line, with points where there are few */
    static String line(String x, String y, int points, Pen pen, String name) {
        boolean few = points <= FEW_POINTS;
        return "data skip 1 using %s:%s with %s %s%s title %s".formatted(x, y, few ? "linespoints" : "lines",
                pen.options(), few ? " pointtype 7 pointsize 0.35" : "", Gnuplot.quoted(name));
    }

    private static Map<Long, Summary> summaries(Measurements.Group group) {
        return group.windows().stream()
                .collect(Collectors.toMap(Measurements.Window::number, Measurements.Window::summary));
    }

    private static Map<Long, Long> counts(List<Measurements.Group> groups) {
        return groups.stream().flatMap(group -> group.windows().stream())
                .collect(Collectors.toMap(Measurements.Window::number, window -> window.summary().count(), Long::sum));
    }

    private static IntStream medians(Shown shown) {
        return shown.groups().stream().flatMap(group -> group.windows().stream())
                .mapToInt(window -> window.summary().median());
    }
}
