package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.run.JvmSeries;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What was sampled every second: lengths of queues, and rates of the statistics files. */
final class SampleCharts {
    private static final List<String> COUNTERS = List.of("requests", "sends", "dequeues_and_peeks");
    private static final int MS_PER_SECOND = 1000;
    /** The gauges that count what waits somewhere. */
    private static final Pattern QUEUE = Pattern.compile("queue|waiting|^responses$");

    private SampleCharts() {
    }

    /** @return empty where the run has no gauges of queues */
    static Optional<Chart> queues(Run run, long originMs, String title) throws IOException {
        List<JvmSeries> waiting = JvmSeries.gauges(run, name -> QUEUE.matcher(name).find());
        List<JvmSeries> brokers = waiting.stream().filter(series -> series.place().role().equals("broker")).toList();
        List<JvmSeries> queues = brokers.isEmpty() ? waiting : brokers;
        List<JvmSeries> longest = queues.stream().filter(series -> !series.points().isEmpty())
                .sorted(Comparator.comparingDouble(SampleCharts::sum).reversed()).limit(Gnuplot.COLOURS.size()).toList();
        Map<String, Map<Long, Double>> lines = new LinkedHashMap<>();
        longest.forEach(series -> lines.put(series.place().jvm() + " " + series.name(), bySecond(series, originMs)));
        String told = longest.size() < queues.size() ? title + " (longest " + longest.size() + " of " + queues.size() + ")" : title;
        return chart("queues", lines, "Queues · " + told, "waiting requests");
    }

    /** @return rates of all brokers together, or of all clients where no broker counted; empty where nobody did */
    static Optional<Chart> rates(Run run, long originMs, String title) throws IOException {
        for (String role : List.of("broker", "client")) {
            Map<String, Map<Long, Double>> lines = new LinkedHashMap<>();
            for (JvmSeries series : JvmSeries.rates(run, role, COUNTERS)) {
                Map<Long, Double> sum = lines.computeIfAbsent(series.name().replace('_', ' '), unseen -> new TreeMap<>());
                bySecond(series, originMs).forEach((second, rate) -> sum.merge(second, rate, Double::sum));
            }
            if (lines.values().stream().anyMatch(line -> line.values().stream().anyMatch(rate -> rate > 0))) {
                return chart("rates", lines, "Rates · " + title, "rate of all " + role + "s [1/s]");
            }
        }
        return Optional.empty();
    }

    private static Optional<Chart> chart(String name, Map<String, Map<Long, Double>> lines, String title, String y) {
        TreeSet<Long> seconds = lines.values().stream().flatMap(line -> line.keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        if (seconds.isEmpty()) {
            return Optional.empty();
        }
        List<String> columns = new ArrayList<>(List.of("seconds"));
        columns.addAll(lines.keySet());
        Table data = new Table(columns);
        for (long second : seconds) {
            List<Object> row = new ArrayList<>(List.of(second));
            lines.values().forEach(line -> row.add(line.get(second)));
            data.add(row);
        }
        TimeAxis axis = TimeAxis.fitting(seconds.last());
        List<String> pieces = new ArrayList<>();
        int series = 0;
        for (String line : lines.keySet()) {
            pieces.add(TimeCharts.line(axis.column(), "($" + (series + 2) + ")", seconds.size(), series, line));
            series++;
        }
        return Optional.of(new Chart(name, data, Gnuplot.labels(title, axis.label(), y) + axis.range(seconds.last()) + "set yrange [0:*]\n"
                + Gnuplot.plot(pieces)));
    }

    private static Map<Long, Double> bySecond(JvmSeries series, long originMs) {
        Map<Long, Double> values = new TreeMap<>();
        series.points().forEach(point -> values.put(Math.max(0, Math.floorDiv(Math.round(point[0]) - originMs, MS_PER_SECOND)), point[1]));
        return values;
    }

    private static double sum(JvmSeries series) {
        return series.points().stream().mapToDouble(point -> point[1]).sum();
    }
}
