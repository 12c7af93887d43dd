package ch.ethz.mlmq.log_analyzer.run;

import ch.ethz.mlmq.log_analyzer.statistics.MannKendall;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/**
 * Checks whether a queue keeps growing in the measurement interval: requests in the brokers' queues, requests of open
 * load that wait in the clients, messages in all queues. A growing queue has no mean, so the figures of such a run hold
 * only for its duration.
 *
 * @param queue       the queue that grows most clearly
 * @param trend       its slope [1/s]
 * @param growth      over the measurement interval
 * @param mean        mean number that waited
 * @param probability of such a trend by chance
 * @param stray       deviation of a random walk with the same steps and duration. A queue of random arrivals at exactly
 * its capacity is such a walk, and moves as far without a cause
 */
public record Steadiness(String queue, double trend, double growth, double mean, double probability, double stray) {
    /** Name of the figure: 1 steady, 0 not. */
    public static final String FIGURE = "queue steady";
    public static final String TREND = "queue trend [1/s]";
    private static final double CHANCE = 0.05;
    private static final double WORTH_A_WORD = 0.1;
    private static final double STRAYS = 2;
    private static final int MEANS = 20;
    /** Ratio of a normal distribution's deviation to its median absolute deviation. */
    private static final double DEVIATION = 1.4826;
    private static final double MS_PER_SECOND = 1000;

    /**
     * @param perSecond number that waited in each queue, a value a second
     * @return the result for the one that grows most clearly; empty if all have too few values
     */
    public static Optional<Steadiness> of(Map<String, double[]> perSecond) {
        List<Steadiness> all = new ArrayList<>();
        perSecond.forEach((name, values) -> {
            TreeMap<Double, Double> byMs = new TreeMap<>();
            for (int i = 0; i < values.length; i++) {
                byMs.put(i * MS_PER_SECOND, values[i]);
            }
            of(name, byMs).ifPresent(all::add);
        });
        return clearest(all);
    }

    /** @return empty if the run has no gauges of queues, or too few in this time */
    public static Optional<Steadiness> of(Run run, TimeRange steady) throws IOException {
        List<JvmSeries> gauges = JvmSeries.gauges(run, name -> name.equals("queue") || name.equals("waiting"));
        List<Steadiness> all = new ArrayList<>();
        // Requests that wait in a broker for a message are not a backlog.
        of("requests in the brokers", sum(gauges, "broker", "queue", steady)).ifPresent(all::add);
        of("requests in the clients", sum(gauges, "client", "waiting", steady)).ifPresent(all::add);
        if (run.summaries().stream().anyMatch(summary -> summary.json().at("received").numberOr(0) > 0)) {
            of("messages in the queues", messages(run, steady)).ifPresent(all::add);
        }
        return clearest(all);
    }

    private static Optional<Steadiness> clearest(List<Steadiness> all) {
        return all.stream().min(Comparator.comparing(Steadiness::isSteady)
                .thenComparing(each -> each.trend > 0 ? each.probability : 1));
    }

    /**
     * @return true if it does not grow by more than chance, a tenth of it, one request, and twice the deviation of a
     * random walk
     */
    public boolean isSteady() {
        double least = Math.max(Math.max(1, WORTH_A_WORD * mean), STRAYS * stray);
        return !(probability < CHANCE && growth > least);
    }

    /** @return the result in one line */
    public String words() {
        return "%s: %s on average, %s%s /s, so strong a trend by chance: %s %%".formatted(queue,
                Figures.rounded(mean, 1), trend > 0 ? "+" : "", Figures.rounded(trend, 3),
                Figures.rounded(100 * probability, 1));
    }

    private static Optional<Steadiness> of(String name, TreeMap<Double, Double> byMs) {
        byMs.values().removeIf(value -> !Double.isFinite(value));
        if (byMs.size() < MannKendall.FEWEST) {
            return Optional.empty();
        }
        double[] values = byMs.values().stream().mapToDouble(Double::doubleValue).toArray();
        double seconds = (byMs.lastKey() - byMs.firstKey()) / MS_PER_SECOND;
        double mean = Arrays.stream(values).average().orElseThrow();
        MannKendall trend = MannKendall.of(values);
        double growth = trend.slope() * (values.length - 1);
        return Optional.of(new Steadiness(name, growth / seconds, growth, mean, trend.probability(), stray(values)));
    }

    /**
     * Estimates the deviation from steps between means of m neighbours, in which noise that does not add up cancels
     * out. Those of a random walk have (2 m^2 + 1) / (3 m) times the variance of its own steps. Pauses of a second do
     * not change their median.
     */
    private static double stray(double... values) {
        int each = Math.max(1, values.length / MEANS);
        double[] means = IntStream.range(0, values.length / each).mapToDouble(i ->
                Arrays.stream(values, i * each, (i + 1) * each).average().orElseThrow()).toArray();
        double[] steps = IntStream.range(1, means.length).mapToDouble(i -> means[i] - means[i - 1]).toArray();
        Median median = new Median();
        double middle = median.evaluate(steps);
        double spread = median.evaluate(Arrays.stream(steps).map(step -> Math.abs(step - middle)).toArray());
        double ofOneStep = DEVIATION * spread / Math.sqrt((2.0 * each * each + 1) / (3 * each));
        return ofOneStep * Math.sqrt(values.length - 1);
    }

    /** Interpolates at each full second, because JVMs do not sample at the same time. */
    private static TreeMap<Double, Double> sum(List<JvmSeries> gauges, String role, String name, TimeRange steady) {
        List<JvmSeries> wanted = gauges.stream().filter(each -> each.place().role().equals(role)
                && each.name().equals(name) && each.points().size() > 1).toList();
        double from = wanted.stream().mapToDouble(each -> each.points().get(0)[0]).max().orElse(steady.toMs());
        double to = wanted.stream().mapToDouble(each -> each.points().get(each.points().size() - 1)[0]).min().orElse(0);
        TreeMap<Double, Double> sums = new TreeMap<>();
        for (double ms = Math.max(from, steady.fromMs()); ms < Math.min(to + 1, steady.toMs()); ms += MS_PER_SECOND) {
            double at = ms;
            sums.put(ms, wanted.stream().mapToDouble(each -> each.at(at)).sum());
        }
        return sums;
    }

    private static TreeMap<Double, Double> messages(Run run, TimeRange steady) throws IOException {
        TreeMap<Double, Double> sums = new TreeMap<>();
        for (QueueSeries series : run.queueLengths()) {
            series.points().stream().filter(point -> steady.contains(point[0]))
                    .forEach(point -> sums.merge(point[0], point[1], Double::sum));
        }
        return sums;
    }
}
