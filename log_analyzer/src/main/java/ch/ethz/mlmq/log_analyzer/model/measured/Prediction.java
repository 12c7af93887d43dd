package ch.ethz.mlmq.log_analyzer.model.measured;

import ch.ethz.mlmq.log_analyzer.model.network.ClosedNetwork;
import ch.ethz.mlmq.log_analyzer.model.network.GroupCommit;
import ch.ethz.mlmq.log_analyzer.model.network.OpenNetwork;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;

/**
 * Predictions of a run's stations for other numbers of clients, or for rates, with intervals: the bootstrap of the
 * run's windows goes through the whole model. Intervals of throughput and response time are for the measurements of
 * another run of the same length, which varies as this one did, so they are wider by a factor of root two. They contain
 * the run's own variation, but not errors of the model.
 */
public final class Prediction {
    /** Steps of the exact solution that all resamples together may take: about half a second. */
    private static final double MOST_STEPS = 5e6;
    private static final int FEWEST = 40;
    private static final int MOST = 200;
    private static final long SEED = 20_251_122;
    private static final double ANOTHER_RUN = Math.sqrt(2);

    /** One figure with its interval. */
    public record Figure(double value, Interval interval) {
    }

    /**
     * A prediction for one load.
     *
     * @param load       number of clients, or rate [1/s]
     * @param throughput [1/s] @param response mean [s]
     * @param inside     utilisations of each broker's workers and connections, 0..1
     */
    public record Point(double load, Figure throughput, Figure response, Figure workers, Figure connections) {
    }

    private record Raw(double throughput, double response, double workers, double connections) {
    }

    private final MeasuredStations measured;
    private final UnaryOperator<RunStations> asked;
    private final boolean approximate;
    private final double level;

    /** @param asked converts the run's stations to the requested ones @param level of the intervals, 0..1 */
    public Prediction(MeasuredStations measured, UnaryOperator<RunStations> asked, boolean approximate, double level) {
        this.measured = measured;
        this.asked = asked;
        this.approximate = approximate;
        this.level = level;
    }

    /** @param clients ascending @return a point for each of them */
    public List<Point> closed(List<Integer> clients) {
        RunStations stations = asked.apply(measured.stations());
        int most = clients.get(clients.size() - 1);
        double steps = (double) most * most * (stations.servers().brokers() + 2);
        // The exact solution is resampled if there is time for it, else Schweitzer's, whose ratios are nearly the same.
        boolean quick = approximate || steps * FEWEST > MOST_STEPS;
        int resamples = quick ? FEWEST * 2 : (int) Math.min(MOST, MOST_STEPS / steps);
        List<Raw> exact = closed(stations, clients, approximate);
        List<Raw> base = quick && !approximate ? closed(stations, clients, true) : exact;
        List<List<Raw>> drawn = new ArrayList<>();
        for (int i = 0; i < resamples; i++) {
            drawn.add(closed(asked.apply(measured.resampled(SEED + i)), clients, quick));
        }
        return points(clients.stream().map(Integer::doubleValue).toList(), exact, base, drawn);
    }

    /** @param rates of Poisson arrivals [1/s], each below the capacity */
    public List<Point> open(List<Double> rates) {
        RunStations stations = asked.apply(measured.stations());
        List<Raw> exact = open(stations, rates);
        List<List<Raw>> drawn = new ArrayList<>();
        for (int i = 0; i < MOST; i++) {
            drawn.add(open(asked.apply(measured.resampled(SEED + i)), rates));
        }
        return points(rates, exact, exact, drawn);
    }

    /**
     * @param of computes a batch's time from the requested batch, which must exist @return the time with its interval
     */
    public Figure ofBatch(ToDoubleFunction<GroupCommit> of) {
        double value = of.applyAsDouble(asked.apply(measured.stations()).batch().orElseThrow());
        double[] drawn = new double[MOST];
        for (int i = 0; i < MOST; i++) {
            drawn[i] = of.applyAsDouble(asked.apply(measured.varied(SEED + i)).batch().orElseThrow());
        }
        return new Figure(value, Interval.ofMiddle(level, drawn));
    }

    private static List<Raw> closed(RunStations stations, List<Integer> clients, boolean approximate) {
        ClosedNetwork network = stations.closedNetwork();
        List<ClosedNetwork.Answer> answers;
        if (approximate) {
            answers = clients.stream().map(n -> network.approximate(n, 0)).toList();
        } else {
            List<ClosedNetwork.Answer> all = network.exact(clients.get(clients.size() - 1), 0);
            answers = clients.stream().map(n -> all.get(n - 1)).toList();
        }
        return answers.stream().map(each -> raw(stations, each.throughput(), each.response())).toList();
    }

    private static List<Raw> open(RunStations stations, List<Double> rates) {
        OpenNetwork network = new OpenNetwork(stations.closedNetwork().stations().stream().skip(1).toList());
        return rates.stream().map(rate -> {
            // A resample may be slower than the rate: then there is no solution, and the interval has no end.
            double response = rate < network.capacity() ? network.at(rate).response() : Double.POSITIVE_INFINITY;
            return raw(stations, rate, response);
        }).toList();
    }

    private static Raw raw(RunStations stations, double throughput, double response) {
        double[] busy = stations.busy(throughput);
        return new Raw(throughput, response, busy[0], busy[1]);
    }

    private List<Point> points(List<Double> loads, List<Raw> exact, List<Raw> base, List<List<Raw>> drawn) {
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < loads.size(); i++) {
            int at = i;
            Raw value = exact.get(i);
            Raw of = base.get(i);
            List<Raw> others = drawn.stream().map(each -> each.get(at)).toList();
            points.add(new Point(loads.get(i), figure(Raw::throughput, value, of, others, ANOTHER_RUN),
                    figure(Raw::response, value, of, others, ANOTHER_RUN), figure(Raw::workers, value, of, others, 1),
                    figure(Raw::connections, value, of, others, 1)));
        }
        return points;
    }

    /** @param wider power of the ratios of the resamples, so that no figure falls below zero */
    private Figure figure(ToDoubleFunction<Raw> of, Raw value, Raw base, List<Raw> drawn, double wider) {
        double exact = of.applyAsDouble(value);
        double about = of.applyAsDouble(base);
        double[] values = drawn.stream().mapToDouble(of).map(each ->
                about > 0 && about < 1e300 ? Math.pow(each / about, wider) * exact : each).toArray();
        return new Figure(exact, Interval.ofMiddle(level, values));
    }
}
