package ch.ethz.mlmq.log_analyzer.model.measured;

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
 * What a request needed of each station in one run.
 *
 * @param batch   what a batch takes where workers take what waits; empty where they take one request at a time, or
 *                the logs do not tell
 * @param remarks what of the run does not suit the model
 */
public record RunStations(Load load, Demands demands, Servers servers, Optional<GroupCommit> batch,
        List<String> remarks) {
    /** Steps of the answer for the run's own clients: milliseconds, as each resample asks for it several times. */
    private static final double QUICK = 1e6;
    /** Of a broker's waiting in the time between two batches: no more is ever fitted. */
    private static final double MOST_FITTED = 4;
    private static final int MOST_ROUNDS = 60;

    /**
     * The clients, and what they saw.
     *
     * @param clients    there were
     * @param throughput of them [1/s]
     * @param response   mean, as the clients saw it [s]
     * @param think      mean time between an answer and the next request, as the settings have it [s]
     * @param overhead   so much longer it was, by the interactive law; negative where it was shorter [s]
     */
    public record Load(int clients, double throughput, double response, double think, double overhead) {

        /** @return time between an answer and the next request, as it was [s] */
        public double thinking() {
            return Math.max(0, think + overhead);
        }
    }

    /**
     * How long a request took, alone, in seconds.
     *
     * @param network  outside of the broker, and its I/O threads, queueing there included
     * @param worker   at a worker, without pool and database
     * @param database of a connection to the database
     */
    public record Demands(double network, double worker, double database) {

        /** @return of a worker, which waits for the database */
        public double held() {
            return worker + database;
        }
    }

    /**
     * What the model says of the run it is of.
     *
     * @param throughput [1/s]
     * @param response   mean [s]
     */
    public record Itself(double throughput, double response) {
    }

    /**
     * Workers hold a request while the database has it, so both are one station, as fast with n requests as n requests
     * would go round between worker and database without anybody else (K. M. Chandy, U. Herzog, L. Woo, <i>Parametric
     * Analysis of Queuing Networks</i>, IBM Journal 19, 1975: the flow-equivalent server). With fewer connections than
     * workers they wait for one another there.
     *
     * @return the station of one of so many brokers, which have an equal share of the requests each
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

    /** @return how busy workers and connections are at some throughput of all brokers [1/s], 0..1 */
    public double[] busy(double throughput) {
        double each = throughput / servers.brokers();
        if (batch.isPresent()) {
            double busy = batch.get().busyAt(each, servers.holders());
            return new double[] {busy / servers.workers(), busy / servers.pool()};
        }
        return new double[] {each * demands.held() / servers.workers(), each * demands.database() / servers.pool()};
    }

    /** @return how busy both were in the run, by what a request cost them (utilisation law), 0..1 */
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

    /** @return what the model says of the very run */
    public Itself itself() {
        ClosedNetwork network = closedNetwork();
        int clients = load.clients();
        double steps = (double) clients * clients * (servers.brokers() - 1);
        double predicted = steps <= QUICK ? network.throughput(clients) : network.approximate(clients, 0).throughput();
        return new Itself(predicted, clients / predicted - load.thinking());
    }

    /**
     * The stations with which the model says of the run what was measured: where workers take batches, by how long a
     * request waits for one; and as far as that does not do, by the network, which is what no other station explains.
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

    /** The stations with nothing fitted to the run but what its stations took; a wait as the theory has it. */
    public RunStations unfitted(RunStations fitted) {
        Optional<GroupCommit> theory = fitted.batch().map(group -> group.waiting(Math.max(GroupCommit.LEAST_WAITING,
                Math.min(GroupCommit.MOST_WAITING, group.waiting()))));
        Load steady = new Load(load.clients(), load.throughput(), load.response(), load.think(), 0);
        return new RunStations(steady, demands, servers, theory.or(() -> batch), remarks);
    }

    private boolean meetsTheRun() {
        return Math.abs(itself().response() / load.response() - 1) < 1e-3;
    }

    /** @return the stations, of those between 0 and most of what is to be found, that come nearest to the run */
    private RunStations solved(DoubleFunction<RunStations> stations, double most) {
        double response = load.response();
        if (stations.apply(0).itself().response() >= response) {
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
