package ch.ethz.mlmq.log_analyzer.model.network;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * N clients that wait for responses, in a product-form network of one class.
 *
 * <p>{@link #exact}: normalisation constants by convolution (J. P. Buzen, <i>Computational Algorithms for Closed
 * Queueing Networks with Exponential Servers</i>, CACM 16, 1973). This equals exact mean value analysis (M. Reiser, S.
 * S. Lavenberg, <i>Mean-Value Analysis of Closed Multichain Queuing Networks</i>, JACM 27, 1980), without its loss of
 * digits at stations of several servers. {@link #approximate}: P. J. Schweitzer's fixed point (1979), stations of
 * several servers after A. Seidmann et al. (1987): a queue of D/m and a delay of D (m − 1)/m.
 *
 * <p>Assumes: service times that depend only on the number of requests at the station, exponential at queues that are
 * first come first served; demands that do not change with the number of clients.
 */
public record ClosedNetwork(List<Station> stations) {
    /** Limits the exact solution, which takes about K N² / 2 steps for K stations. */
    private static final double MOST_STEPS = 4e8;
    private static final int MOST_ROUNDS = 100_000;
    private static final double SETTLED = 1e-10;

    /**
     * The solution for a number of clients.
     *
     * @param clients      N
     * @param throughput   X [1/s]
     * @param response     R: mean time at all stations except the {@code thinking} one [s]
     * @param residences   mean time at each station [s]
     * @param utilisations of each station, 0..1: of its highest throughput; mean number of requests at a delay
     */
    public record Answer(int clients, double throughput, double response, double[] residences, double[] utilisations) {
    }

    /** @return true if {@link #exact} finishes within seconds */
    public boolean isSmall(int clients) {
        return (double) clients * clients * stations.size() <= MOST_STEPS;
    }

    /** @return the station with the lowest capacity */
    public Station bottleneck() {
        return stations.stream().min(Comparator.comparingDouble(Station::capacity)).orElseThrow();
    }

    /**
     * @return approximate number of clients from which they wait: demands over the bottleneck's (Jain 1991, (33.10))
     */
    public double knee() {
        return stations.stream().mapToDouble(Station::demand).sum() * bottleneck().capacity();
    }

    /** @param thinking index of the station that is not part of the response time, -1 for none */
    public List<Answer> exact(int most, int thinking) {
        if (!isSmall(most)) {
            throw new DataException(("%d clients at %d stations are too many for the exact solution; use "
                    + "--approximate.").formatted(most, stations.size()));
        }
        double[][] factors = stations.stream().map(station -> logFactors(station, most)).toArray(double[][]::new);
        int count = stations.size();
        // These are constants without each station: products of those before and behind it.
        double[][] before = new double[count + 1][];
        double[][] behind = new double[count + 1][];
        double[] nothing = new double[most + 1];
        Arrays.fill(nothing, Double.NEGATIVE_INFINITY);
        nothing[0] = 0;
        before[0] = nothing;
        behind[count] = nothing;
        for (int i = 0; i < count; i++) {
            before[i + 1] = convolve(before[i], factors[i]);
        }
        for (int i = count - 1; i > 0; i--) {
            behind[i] = convolve(behind[i + 1], factors[i]);
        }
        double[] all = before[count];
        double[][] lengths = new double[count][most + 1];
        for (int i = 0; i < count; i++) {
            double[] others = convolve(before[i], behind[i + 1]);
            for (int n = 1; n <= most; n++) {
                for (int j = 1; j <= n; j++) {
                    lengths[i][n] += j * Math.exp(factors[i][j] + others[n - j] - all[n]);
                }
            }
        }
        List<Answer> answers = new ArrayList<>();
        for (int n = 1; n <= most; n++) {
            double throughput = Math.exp(all[n - 1] - all[n]);
            double[] residences = new double[count];
            for (int i = 0; i < count; i++) {
                residences[i] = lengths[i][n] / throughput;
            }
            answers.add(answer(n, throughput, residences, thinking));
        }
        return answers;
    }

    /**
     * Computes the throughput of {@link #exact} for a number of clients, in about as many steps if only one station is
     * not a delay.
     *
     * @return [1/s]
     */
    public double throughput(int clients) {
        double delay = stations.stream().filter(each -> each.kind() == Station.Kind.DELAY)
                .mapToDouble(Station::demand).sum();
        double[] queues = stations.stream().filter(each -> each.kind() != Station.Kind.DELAY && each.demand() > 0)
                .map(each -> logFactors(each, clients)).reduce(ClosedNetwork::convolve)
                .orElseThrow(() -> new DataException("The model has no station at which requests wait."));
        double[] delays = logFactors(Station.delay("all", Math.max(Double.MIN_NORMAL, delay)), clients);
        return Math.exp(convolved(queues, delays, clients - 1) - convolved(queues, delays, clients));
    }

    /** @param thinking as for {@link #exact} */
    public Answer approximate(int clients, int thinking) {
        int count = stations.size();
        double[] lengths = new double[count];
        Arrays.fill(lengths, (double) clients / count);
        double[] residences = new double[count];
        for (int round = 0; round < MOST_ROUNDS; round++) {
            double total = 0;
            for (int i = 0; i < count; i++) {
                residences[i] = residence(stations.get(i), lengths[i] * (clients - 1) / clients);
                total += residences[i];
            }
            double change = 0;
            for (int i = 0; i < count; i++) {
                double length = clients * residences[i] / total;
                change = Math.max(change, Math.abs(length - lengths[i]));
                lengths[i] = length;
            }
            if (change < SETTLED * clients) {
                return answer(clients, clients / total, residences.clone(), thinking);
            }
        }
        throw new DataException("The approximation for %d clients did not converge.".formatted(clients));
    }

    private static double residence(Station station, double met) {
        if (station.kind() == Station.Kind.DELAY) {
            return station.demand();
        }
        if (station.kind() == Station.Kind.QUEUE) {
            double share = station.demand() / station.width();
            // Requests in the delay part are not in line: an arrival meets the others only.
            double waiting = Math.max(0, met - (station.width() - 1) / station.width() * Math.min(met,
                    station.width()));
            return share * (1 + waiting) + station.demand() - share;
        }
        int n = (int) Math.floor(met) + 1;
        double part = met + 1 - n;
        double now = n * station.demand() / station.speed().applyAsDouble(n);
        double next = (n + 1) * station.demand() / station.speed().applyAsDouble(n + 1);
        return now + part * (next - now);
    }

    private Answer answer(int clients, double throughput, double[] residences, int thinking) {
        double response = 0;
        double[] utilisations = new double[residences.length];
        for (int i = 0; i < residences.length; i++) {
            response += i == thinking ? 0 : residences[i];
            Station station = stations.get(i);
            utilisations[i] = station.kind() == Station.Kind.DELAY ? throughput * residences[i]
                    : throughput / station.capacity();
        }
        return new Answer(clients, throughput, response, residences, utilisations);
    }

    /** @return log of D^n / Π speed(j) for n = 0..most */
    private static double[] logFactors(Station station, int most) {
        double[] factors = new double[most + 1];
        for (int n = 1; n <= most; n++) {
            factors[n] = factors[n - 1] + Math.log(station.demand()) - Math.log(station.speed().applyAsDouble(n));
        }
        return factors;
    }

    private static double[] convolve(double[] one, double[] other) {
        double[] result = new double[one.length];
        for (int n = 0; n < result.length; n++) {
            result[n] = convolved(one, other, n);
        }
        return result;
    }

    /** Adds up logarithms, beginning with the largest, so that no constant overflows or underflows. */
    private static double convolved(double[] one, double[] other, int n) {
        double largest = Double.NEGATIVE_INFINITY;
        for (int j = 0; j <= n; j++) {
            largest = Math.max(largest, one[j] + other[n - j]);
        }
        double sum = 0;
        for (int j = 0; j <= n && largest > Double.NEGATIVE_INFINITY; j++) {
            double exponent = one[j] + other[n - j] - largest;
            sum += exponent > -40 ? Math.exp(exponent) : 0;
        }
        return largest == Double.NEGATIVE_INFINITY ? largest : largest + Math.log(sum);
    }
}
