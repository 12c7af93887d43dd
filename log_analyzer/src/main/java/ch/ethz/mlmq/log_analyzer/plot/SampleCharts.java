package ch.ethz.mlmq.log_analyzer.plot;

import ch.ethz.mlmq.log_analyzer.run.JvmSeries;
import ch.ethz.mlmq.log_analyzer.run.Phase;
import ch.ethz.mlmq.log_analyzer.run.QueueSeries;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What was sampled now and then: queues in the brokers, messages in the queues, rates of the statistics files.
 *
 * @param run   whose samples they are
 * @param shown what the performance logs cover, so that all time axes of a run agree
 * @param originMs where the time of their axes is 0
 * @param marks over that time
 * @param title of the run
 */
record SampleCharts(Run run, Phase shown, long originMs, Marks marks, String title) {
    private static final List<String> COUNTERS = List.of("requests", "sends", "dequeues_and_peeks");
    private static final int MS_PER_SECOND = 1000;
    /** The gauges that count what waits somewhere. */
    private static final Pattern QUEUE = Pattern.compile("queue|waiting|^responses$");
    /** So many times as long as usually from one sample to the next, nobody sampled in between. */
    private static final int HOLE = 3;
    private static final String ALL_QUEUES = "all queues";

    /** @return requests that wait in the brokers; empty where the run has no gauges of queues */
    Optional<Chart> queues() throws IOException {
        List<JvmSeries> waiting = JvmSeries.gauges(run, name -> QUEUE.matcher(name).find());
        List<JvmSeries> brokers = waiting.stream().filter(series -> series.place().role().equals("broker")).toList();
        Map<String, Map<Long, Double>> lines = new LinkedHashMap<>();
        for (JvmSeries series : brokers.isEmpty() ? waiting : brokers) {
            lines.put(series.place().jvm() + " " + series.name(), bySecond(inside(series.points())));
        }
        return chart("queues", longest(lines, Gnuplot.COLOURS.size()), "Queues · ", "waiting requests");
    }

    /** @return messages in the queues; empty where the run did not count them */
    Optional<Chart> messages() throws IOException {
        Map<String, Map<Long, Double>> lines = new LinkedHashMap<>();
        Map<Long, Double> all = new TreeMap<>();
        for (QueueSeries series : run.queueLengths()) {
            Map<Long, Double> line = bySecond(withNeighbours(series.points()));
            line.forEach((second, messages) -> all.merge(second, messages, Double::sum));
            lines.put(series.name(), line);
        }
        Lines longest = longest(lines, Gnuplot.COLOURS.size() - 1);
        if (lines.size() > 1) {
            longest.bySecond().put(ALL_QUEUES, all);
        }
        return chart("messages", longest, "Messages in queues · ", "messages");
    }

    /** @return rates of all brokers together, or of all clients where no broker counted; empty where nobody did */
    Optional<Chart> rates() throws IOException {
        for (String role : List.of("broker", "client")) {
            Map<String, Map<Long, Double>> lines = new LinkedHashMap<>();
            for (JvmSeries counter : JvmSeries.counters(run, role, COUNTERS)) {
                String name = counter.name().replace('_', ' ');
                Map<Long, Double> sum = lines.computeIfAbsent(name, unseen -> new TreeMap<>());
                for (long second = first(); second < first() + seconds(); second++) {
                    double ms = originMs + second * (double) MS_PER_SECOND;
                    sum.merge(second, counter.at(ms + MS_PER_SECOND) - counter.at(ms), Double::sum);
                }
            }
            if (lines.values().stream().anyMatch(line -> line.values().stream().anyMatch(rate -> rate > 0))) {
                return chart("rates", new Lines(lines, ""), "Rates · ", "rate of all " + role + "s [1/s]");
            }
        }
        return Optional.empty();
    }

    /**
     * @param bySecond a number for each second, by the name of the line
     * @param remark   for the title, where something has no line because more lines than colours say nothing
     */
    private record Lines(Map<String, Map<Long, Double>> bySecond, String remark) {
    }

    /** The longest on average, and of those that are always empty at most one. */
    private static Lines longest(Map<String, Map<Long, Double>> lines, int most) {
        Comparator<String> bySum = Comparator.comparingDouble(name -> sum(lines.get(name)));
        List<String> sorted = lines.keySet().stream().sorted(bySum.reversed()).toList();
        long used = Math.max(1, sorted.stream().filter(name -> sum(lines.get(name)) > 0).count());
        Map<String, Map<Long, Double>> longest = new LinkedHashMap<>();
        sorted.stream().limit(Math.min(used, most)).forEach(name -> longest.put(name, lines.get(name)));
        return new Lines(longest, longest.size() == used ? "" : " (longest " + most + " of " + used + ")");
    }

    private static double sum(Map<Long, Double> line) {
        return line.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    private Optional<Chart> chart(String name, Lines lines, String kind, String y) {
        TreeSet<Long> seconds = lines.bySecond().values().stream().flatMap(line -> line.keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        if (seconds.isEmpty()) {
            return Optional.empty();
        }
        List<String> names = List.copyOf(lines.bySecond().keySet());
        List<String> columns = new ArrayList<>(List.of("seconds"));
        columns.addAll(names);
        Table data = new Table(columns);
        List<Set<Long>> holes = lines.bySecond().values().stream().map(SampleCharts::holes).toList();
        holes.forEach(seconds::addAll);
        for (long second : seconds) {
            List<Object> row = new ArrayList<>(List.of(second));
            for (int i = 0; i < names.size(); i++) {
                row.add(holes.get(i).contains(second) ? Gnuplot.GAP : lines.bySecond().get(names.get(i)).get(second));
            }
            data.add(row);
        }
        double length = (shown.toMs() - originMs) / (double) MS_PER_SECOND;
        TimeAxis axis = TimeAxis.fitting(length);
        List<String> pieces = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            Pen pen = names.get(i).equals(ALL_QUEUES) ? Pen.OF_CONTEXT : Pen.of(i);
            pieces.add(TimeCharts.line(axis.column(), "($" + (i + 2) + ")", seconds.size(), pen, names.get(i)));
        }
        pieces.addAll(marks.legend());
        return Optional.of(new Chart(name, data, Gnuplot.labels(kind + title + lines.remark(), axis.label(), y)
                + axis.range((shown.fromMs() - originMs) / (double) MS_PER_SECOND, length) + "set yrange [0:"
                + highest(lines, length) + "]\n"
                + marks.script(axis) + Gnuplot.plot(pieces), marks.lines(names.size())));
    }

    /** @return seconds without a sample, one in each hole of a line */
    private static Set<Long> holes(Map<Long, Double> line) {
        long[] seconds = line.keySet().stream().mapToLong(Long::longValue).sorted().toArray();
        long[] steps = IntStream.range(1, seconds.length).mapToLong(i -> seconds[i] - seconds[i - 1]).sorted()
                .toArray();
        Set<Long> holes = new TreeSet<>();
        for (int i = 1; i < seconds.length; i++) {
            if (seconds[i] - seconds[i - 1] > HOLE * steps[steps.length / 2]) {
                holes.add(seconds[i - 1] + 1);
            }
        }
        return holes;
    }

    /** Where the axis ends: gnuplot finds that itself, but for lines that go on beyond the end. */
    private static String highest(Lines lines, double length) {
        boolean goesOn = lines.bySecond().values().stream()
                .anyMatch(line -> line.keySet().stream().anyMatch(second -> second > length));
        double highest = lines.bySecond().values().stream().flatMap(line -> line.values().stream())
                .mapToDouble(Double::doubleValue).max().orElse(0);
        return goesOn && highest > 0 ? Figures.plain(1.05 * highest) : "*";
    }

    private Map<Long, Double> bySecond(List<double[]> points) {
        Map<Long, Double> values = new TreeMap<>();
        points.forEach(point -> values.put(Math.floorDiv((long) (point[0] - originMs), MS_PER_SECOND), point[1]));
        return values;
    }

    private List<double[]> inside(List<double[]> points) {
        return points.stream().filter(point -> shown.contains(point[0])).toList();
    }

    /**
     * @return what lies in the time shown, and the points next to it: what is counted every ten seconds has hardly any
     */
    private List<double[]> withNeighbours(List<double[]> points) {
        int from = (int) points.stream().filter(point -> point[0] < shown.fromMs()).count() - 1;
        int to = (int) points.stream().filter(point -> point[0] <= shown.toMs()).count() + 1;
        return points.subList(Math.max(0, from), Math.min(points.size(), to));
    }

    private long first() {
        return Math.floorDiv(shown.fromMs() - originMs, MS_PER_SECOND);
    }

    private long seconds() {
        return (shown.toMs() - shown.fromMs()) / MS_PER_SECOND;
    }
}
