package ch.ethz.mlmq.log_analyzer.model.network;

import ch.ethz.mlmq.log_analyzer.model.waiting.Arrivals;
import java.util.ArrayList;
import java.util.List;

/**
 * The stations of a closed network with Poisson arrivals that do not wait for responses (L. Kleinrock, <i>Queueing
 * Systems</i>, volume 1, section 4.1: each station a birth-death process; J. R. Jackson 1963 for several).
 */
public record OpenNetwork(List<Station> stations) {
    private static final int MOST_INSIDE = 2_000_000;
    private static final double NOTHING = 1e-12;

    /**
     * The solution for a rate.
     *
     * @param rate     [1/s]
     * @param response mean [s]
     */
    public record Answer(double rate, double response, List<Double> utilisations) {
    }

    /** @return the lowest capacity of a station [1/s] */
    public double capacity() {
        return stations.stream().mapToDouble(Station::capacity).min().orElse(Double.POSITIVE_INFINITY);
    }

    /** Solves the network; throws if a station is not faster than the arrivals. */
    public Answer at(double rate) {
        double response = 0;
        List<Double> utilisations = new ArrayList<>();
        for (Station station : stations) {
            boolean delay = station.kind() == Station.Kind.DELAY;
            utilisations.add(delay ? rate * station.demand() : rate / station.capacity());
            response += delay || station.demand() == 0 ? station.demand() : length(station, rate) / rate;
        }
        return new Answer(rate, response, utilisations);
    }

    /** @return mean number of requests at a station */
    private static double length(Station station, double rate) {
        double load = rate * station.demand();
        Arrivals.stable(rate / station.capacity());
        double weight = 1;
        double sum = 1;
        double length = 0;
        double highest = station.capacity() * station.demand();
        for (int n = 1; n < MOST_INSIDE; n++) {
            double speed = station.speed().applyAsDouble(n);
            weight *= load / speed;
            sum += weight;
            length += n * weight;
            double ratio = load / highest;
            if (speed >= highest * (1 - NOTHING)) {
                // The series is geometric from here on.
                double tail = weight * ratio / (1 - ratio);
                length += tail * (n + 1 / (1 - ratio));
                sum += tail;
                break;
            }
            if (sum > 1e200) {
                sum /= 1e200;
                length /= 1e200;
                weight /= 1e200;
            }
        }
        return length / sum;
    }
}
