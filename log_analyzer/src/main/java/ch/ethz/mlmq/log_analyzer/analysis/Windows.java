package ch.ethz.mlmq.log_analyzer.analysis;

import ch.ethz.mlmq.log_analyzer.scan.Grouping;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.scan.PerformanceLogs;
import ch.ethz.mlmq.log_analyzer.scan.TimeSelection;
import ch.ethz.mlmq.log_analyzer.statistics.Summary;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The requests of each window of a run, with percentiles among all of them: a failed one is longer than all others. */
public final class Windows {
    private static final double PER_CENT = 100;

    private final Measurements measured;
    private final double[] percents;
    private final Map<Long, Long> all = new HashMap<>();
    private final Map<Long, Summary> successful = new HashMap<>();

    private Windows(Measurements measured, double[] percents) {
        this.measured = measured;
        this.percents = percents;
        for (Measurements.Group group : requests(measured)) {
            for (Measurements.Window window : group.windows()) {
                all.merge(window.number(), window.summary().count(), Long::sum);
                if (isSuccess(group)) {
                    successful.put(window.number(), window.summary());
                }
            }
        }
    }

    /**
     * @param types    prefixes of the actions that count
     * @param percents of the percentiles, 0..100
     */
    public static Windows read(PerformanceLogs logs, TimeSelection cut, long windowMs, List<String> types,
            double... percents) throws IOException {
        Grouping grouping = new Grouping(types, List.of(Grouping.Key.STATUS));
        Windows plain = new Windows(logs.readWindows(cut, windowMs, grouping, window -> percents), percents);
        boolean none = plain.all.entrySet().stream().allMatch(window ->
                window.getValue() == plain.countOfSuccessful(window.getKey()));
        // A second pass if requests failed: they move the ranks of percentiles among the successful ones.
        return none ? plain : new Windows(logs.readWindows(cut, windowMs, grouping, window ->
                plain.percentsAmongSuccessful(window)), percents);
    }

    public Measurements measured() {
        return measured;
    }

    /** @return number of requests in a window */
    public long count(long window) {
        return all.getOrDefault(window, 0L);
    }

    /** @return the successful requests of a window; empty if there are none */
    public Optional<Summary> successful(long window) {
        return Optional.ofNullable(successful.get(window));
    }

    /** @return a percentile among all requests of a window [us]; infinite among failed ones, NaN without requests */
    public double percentile(long window, int index) {
        long count = count(window);
        if (count == 0) {
            return Double.NaN;
        }
        return rank(percents[index], count) <= countOfSuccessful(window)
                ? successful.get(window).percentiles().get(index) : Double.POSITIVE_INFINITY;
    }

    private long countOfSuccessful(long window) {
        return successful(window).map(Summary::count).orElse(0L);
    }

    /** @return the per cent of the successful requests that have the ranks which the wanted ones have among all */
    private double[] percentsAmongSuccessful(long window) {
        return Arrays.stream(percents).map(percent -> Math.min(PER_CENT,
                PER_CENT * (rank(percent, count(window)) - 0.5) / Math.max(1, countOfSuccessful(window)))).toArray();
    }

    private static double rank(double percent, long all) {
        return Math.ceil(percent / PER_CENT * all);
    }

    private static List<Measurements.Group> requests(Measurements measured) {
        return measured.groups().stream().filter(group -> !group.labels().get(0).endsWith(":service")).toList();
    }

    private static boolean isSuccess(Measurements.Group group) {
        return group.labels().get(0).equals("OK") || group.labels().get(0).equals("-");
    }
}
