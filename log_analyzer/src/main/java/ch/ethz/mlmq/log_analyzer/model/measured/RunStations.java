package ch.ethz.mlmq.log_analyzer.model.measured;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.model.network.ClosedNetwork;
import ch.ethz.mlmq.log_analyzer.model.network.GroupCommit;
import ch.ethz.mlmq.log_analyzer.model.network.Servers;
import ch.ethz.mlmq.log_analyzer.model.network.Station;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;
import org.apache.commons.math3.analysis.solvers.BrentSolver;

/**
 * Demands of a request at each station in one run.
 *
 * @param batch   times of batches, if workers take batches; empty if they take one request at a time, or the logs do
 * not tell
 * @param remarks on properties of the run that violate the model's assumptions
 */
public record RunStations(Load load, Demands demands, Servers servers, Optional<GroupCommit> batch,
        List<String> remarks) {
    /** Steps of the solution for the run's own clients: milliseconds, because each resample needs it several times. */
    private static final double QUICK = 1e6;
    /** Upper bound of the fitted wait for a batch, in times between two batches. */
    private static final double MOST_FITTED = 4;
    private static final int MOST_ROUNDS = 60;

    /**
     * The clients with their throughput and times.
     *
     * @param clients    number of clients
     * @param throughput of them [1/s]
     * @param response   mean, at the clients [s]
     * @param think      mean time between a response and the next request, from the settings [s]
     * @param overhead   additional think time by the interactive law; negative if it was shorter [s]
     */
    public record Load(int clients, double throughput, double response, double think, double overhead) {

        /** @return actual time between a response and the next request [s] */
        public double thinking() {
            return Math.max(0, think + overhead);
        }
    }

    /**
     * Times of a request without waiting, in seconds.
     *
     * @param network  outside of the broker, and its I/O threads, including queueing there
     * @param worker   at a worker, without pool and database
     * @param database of a connection to the database
     */
    public record Demands(double network, double worker, double database) {

        /** @return time of a worker, including its wait for the database */
        public double held() {
            return worker + database;
        }
    }

    /**
     * The model's prediction for its own run.
     *
     * @param throughput [1/s]
     * @param response   mean [s]
     */
    public record Itself(double throughput, double response) {
    }

    /**
     * Makes the station of one of the brokers, each with an equal share of the requests. A worker holds its request
     * while the database executes it, so worker and database are one flow-equivalent server (K. M. Chandy, U. Herzog,
     * L. Woo, <i>Parametric Analysis of Queuing Networks</i>, IBM Journal 19, 1975): its speed with n requests is that
     * of n requests that circulate between worker and database alone. With fewer connections than workers they wait for
     * one another there.
     */
    public Station broker(String name) {
        if (batch.isPresent()) {
            return Station.batches(name, batch.get(), servers.holders(), servers.brokers());
        }
        List<Station> inside = new ArrayList<>();
        if (demands.worker() > 0) {
            inside.add(Station.delay("worker", demands.worker()));
        }
        if (demands.database() > 0) {
            inside.add(Station.queue("database", demands.database(), servers.pool()));
        }
        int workers = servers.workers();
        double[] rates = new ClosedNetwork(inside).exact(workers, -1).stream()
                .mapToDouble(ClosedNetwork.Answer::throughput).toArray();
        return Station.loadDependent(name, 1 / rates[0] / servers.brokers(),
                n -> rates[Math.min(n, workers) - 1] / rates[0]);
    }

    /** @return utilisations of workers and connections at a throughput of all brokers [1/s], 0..1 */
    public double[] busy(double throughput) {
        double each = throughput / servers.brokers();
        if (batch.isPresent()) {
            double busy = batch.get().busyAt(each, servers.holders());
            return new double[] {busy / servers.workers(), busy / servers.pool()};
        }
        return new double[] {each * demands.held() / servers.workers(), each * demands.database() / servers.pool()};
    }

    /** @return utilisations of both in the run, by the utilisation law, 0..1 */
    public double[] busyThen() {
        double each = load.throughput() / servers.brokers();
        double busy = each * demands.held();
        return new double[] {busy / servers.workers(),
            (batch.isPresent() ? busy : each * demands.database()) / servers.pool()};
    }

    /** @return clients, network, and each broker */
    public ClosedNetwork closedNetwork() {
        List<Station> stations = new ArrayList<>();
        stations.add(Station.delay("clients", load.thinking()));
        stations.add(Station.delay("network", demands.network()));
        for (int i = 0; i < servers.brokers(); i++) {
            stations.add(broker("broker " + i));
        }
        return new ClosedNetwork(stations);
    }

    /** @return the model's prediction for the run itself */
    public Itself itself() {
        ClosedNetwork network = closedNetwork();
        int clients = load.clients();
        double steps = (double) clients * clients * (servers.brokers() - 1);
        double predicted = steps <= QUICK ? network.throughput(clients) : network.approximate(clients, 0).throughput();
        return new Itself(predicted, clients / predicted - load.thinking());
    }

    /**
     * Fits the stations to the run's measurements: first the wait for a batch, if workers take batches; then the
     * network, which stands for everything that no other station explains.
     */
    public RunStations fitted() {
        RunStations fitted = this;
        if (batch.isPresent()) {
            fitted = solved(share -> with(batch.get().waiting(share)), MOST_FITTED);
        }
        if (!fitted.meetsTheRun()) {
            RunStations nearest = fitted;
            fitted = solved(nearest::withNetwork, load.response());
        }
        return fitted;
    }

    /** Makes stations with the run's station times only; the wait for a batch is that of the theory. */
    public RunStations unfitted(RunStations fitted) {
        Optional<GroupCommit> theory = fitted.batch().map(group -> group.waiting(Math.max(GroupCommit.LEAST_WAITING,
                Math.min(GroupCommit.MOST_WAITING, group.waiting()))));
        Load steady = new Load(load.clients(), load.throughput(), load.response(), load.think(), 0);
        return new RunStations(steady, demands, servers, theory.or(() -> batch), remarks);
    }

    private boolean meetsTheRun() {
        return Math.abs(itself().response() / load.response() - 1) < 1e-3;
    }

    /** @return the stations that come nearest to the run, for values between 0 and {@code most} */
    private RunStations solved(DoubleFunction<RunStations> stations, double most) {
        double response = load.response();
        double least = stations.apply(0).itself().response();
        if (Double.isNaN(least) || Double.isNaN(response)) {
            throw new DataException("The logs lack the times that a model of this run needs.");
        }
        if (least >= response) {
            return stations.apply(0);
        }
        if (stations.apply(most).itself().response() <= response) {
            return stations.apply(most);
        }
        return stations.apply(new BrentSolver(1e-6, most * 1e-6).solve(MOST_ROUNDS, found ->
                stations.apply(found).itself().response() / response - 1, 0, most));
    }

    private RunStations with(GroupCommit group) {
        return new RunStations(load, demands, servers, Optional.of(group), remarks);
    }

    private RunStations withNetwork(double seconds) {
        return new RunStations(load, new Demands(seconds, demands.worker(), demands.database()), servers, batch,
                remarks);
    }
}
