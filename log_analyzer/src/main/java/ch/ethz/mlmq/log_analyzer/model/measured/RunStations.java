package ch.ethz.mlmq.log_analyzer.model.measured;

import ch.ethz.mlmq.log_analyzer.analysis.Breakdown;
import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.model.network.BrokerCatalogue;
import ch.ethz.mlmq.log_analyzer.model.network.ClosedNetwork;
import ch.ethz.mlmq.log_analyzer.model.network.GroupCommit;
import ch.ethz.mlmq.log_analyzer.model.network.Station;
import ch.ethz.mlmq.log_analyzer.run.BrokerLoad;
import ch.ethz.mlmq.log_analyzer.run.InteractiveLaw;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.scan.Cut;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleFunction;
import org.apache.commons.math3.analysis.solvers.BrentSolver;

/**
 * What a request needed of each station in one run, in seconds.
 *
 * @param clients    there were
 * @param throughput of them [1/s]
 * @param response   mean, as the clients saw it
 * @param think      mean time between an answer and the next request, as the settings have it
 * @param overhead   so much longer it was, by the interactive law; negative where it was shorter
 * @param network    outside of the broker, and its I/O threads, queueing there included
 * @param worker     at a worker, without pool and database
 * @param database   of a connection to the database
 * @param workers    of each broker
 * @param pool       connections of each broker
 * @param brokers    that were there
 * @param batch      what a batch takes where workers take what waits; empty where they take one request at a time, or
 *                   the logs do not tell
 * @param remarks    what of the run does not suit the model
 */
public record RunStations(int clients, double throughput, double response, double think, double overhead,
        double network, double worker, double database, int workers, int pool, int brokers,
        Optional<GroupCommit> batch, List<String> remarks) {
    private static final double US_PER_SECOND = 1e6;
    private static final double SHARED = 1.2;
    private static final double NOT_STEADY = 0.1;
    private static final String BATCH = "broker.batch.max";
    private static final int MOST_CLIENTS = 100_000;
    /** Steps of the answer for the run's own clients: milliseconds, as each resample asks for it several times. */
    private static final double QUICK = 1e6;
    /** Of a broker's waiting in the time between two batches: no more is ever fitted. */
    private static final double MOST_FITTED = 4;
    private static final int MOST_ROUNDS = 60;

    /**
     * What the model says of the run it is of.
     *
     * @param throughput [1/s]
     * @param response   mean [s]
     */
    public record Itself(double throughput, double response) {
    }

    public static RunStations of(Run run, Cut cut) throws IOException {
        return MeasuredStations.of(run, cut).stations();
    }

    /** @param measured grouped by action @param batches of the same time */
    static RunStations of(Run run, Measurements measured, BatchTimes batches) throws IOException {
        InteractiveLaw law = InteractiveLaw.of(run).orElseThrow(() -> new DataException(
                "The model is for clients that wait for answers; this run's load was open, or it does not tell "
                        + "their think time."));
        if (!(law.clients() >= 1 && law.clients() <= MOST_CLIENTS)) {
            throw new DataException("The summaries tell of %s clients; the model takes 1 to %d.".formatted(
                    Figures.rounded(law.clients(), 0), MOST_CLIENTS));
        }
        Breakdown all = Breakdown.measured(measured).filter(each -> stage(each, "worker") > 0)
                .orElseThrow(() -> new DataException(
                "There is no BProcReq in the steady part: the broker's performance log is needed."));
        List<Map<String, String>> settings = run.settings().entrySet().stream()
                .filter(jvm -> jvm.getKey().startsWith("broker_")).map(Map.Entry::getValue).toList();
        int workers = number(settings, "broker.workers");
        List<String> remarks = new ArrayList<>();
        boolean tellsPool = settings.stream().anyMatch(each -> each.containsKey("broker.db.connections"));
        int pool = tellsPool ? number(settings, "broker.db.connections") : workers;
        if (!tellsPool) {
            remarks.add("The run does not tell broker.db.connections; a connection is taken to be there for each "
                    + "worker.");
        }
        if (Math.abs(law.deviation()) > NOT_STEADY) {
            remarks.add("Not what the model assumes: " + law.words());
        }
        double database = all.stages().stream().filter(each -> each.name().startsWith("database: "))
                .mapToDouble(Breakdown.Stage::mean).sum() / US_PER_SECOND;
        double worker = stage(all, "worker") / US_PER_SECOND;
        double kept = worker + database + stage(all, "waiting for a connection") / US_PER_SECOND;
        double cost = batches.areKnown() ? batches.cost() : cost(run, measured);
        Optional<BatchTimes.Fit> fit = batches.fit().filter(found -> found.mean() > SHARED);
        int most = most(settings);
        if (cost > 0 && kept > SHARED * cost) {
            // under group commit each request carries the time of its whole batch
            remarks.add(("Group commit: a request was kept %s us and cost %s us of a worker, so batches had about %s "
                    + "requests. ").formatted(Figures.plain(kept * US_PER_SECOND), Figures.plain(cost * US_PER_SECOND),
                    Figures.rounded(kept / cost, 1)) + fit.map(RunStations::words).orElse("The model takes that cost "
                    + "at all numbers of clients: with fewer it promises too much, with more too little. "
                    + "The logs do not tell what batches of several sizes take; --batch a,b does."));
            worker *= cost / kept;
            database *= cost / kept;
        } else if (most > 1 && batches.areKnown()) {
            remarks.add("Not measured: batches. A worker takes up to " + most + " requests at once, and in this run "
                    + "it found hardly ever more than one. With more clients the model promises too little; a run "
                    + "with more of them tells what batches take.");
        }
        double network = law.responseTime() - kept - stage(all, "request queue") / US_PER_SECOND;
        if (network < 0) {
            throw new DataException("Brokers say that requests took longer than the clients waited: the logs do not "
                    + "belong together, or many requests timed out.");
        }
        return new RunStations((int) Math.round(law.clients()), law.throughput(), law.responseTime(), law.thinkTime(),
                law.clients() / law.throughput() - law.responseTime() - law.thinkTime(), network, worker, database,
                workers, pool, settings.size(),
                fit.map(found -> new GroupCommit(found.fixed(), found.each(), most)), remarks);
    }

    private static String words(BatchTimes.Fit fit) {
        return ("Fitted: a batch of n takes %s us + %s us n, sizes off by %s %% on average; %s requests in a "
                + "batch.").formatted(
                Figures.plain(fit.fixed() * US_PER_SECOND), Figures.plain(fit.each() * US_PER_SECOND),
                Figures.rounded(100 * fit.error(), 1), Figures.rounded(fit.mean(), 1));
    }

    /** @return the largest batch a worker may take */
    private static int most(List<Map<String, String>> settings) {
        return settings.stream().map(each -> each.getOrDefault(BATCH, BrokerCatalogue.defaultOf(BATCH)))
                .filter(each -> each.matches("[1-9]\\d{0,2}")).mapToInt(Integer::parseInt).min()
                .orElse(Integer.parseInt(BrokerCatalogue.defaultOf(BATCH)));
    }

    private static double stage(Breakdown breakdown, String name) {
        return breakdown.stages().stream().filter(each -> each.name().equals(name)).mapToDouble(Breakdown.Stage::mean)
                .sum();
    }

    /** @return busy time of workers a request [s], 0 where the statistics do not tell */
    private static double cost(Run run, Measurements measured) throws IOException {
        List<BrokerLoad> loads = BrokerLoad.of(run, measured.steadyFromMs(), measured.steadyToMs());
        double requests = loads.stream().mapToDouble(BrokerLoad::requests).sum();
        return requests > 0 ? loads.stream().mapToDouble(BrokerLoad::busyWorkers).sum() / requests : 0;
    }

    private static int number(List<Map<String, String>> settings, String key) {
        List<Integer> numbers = settings.stream().map(each -> each.getOrDefault(key, ""))
                .filter(each -> each.matches("[1-9]\\d{0,2}"))
                .map(Integer::valueOf).distinct().toList();
        if (numbers.size() != 1) {
            throw new DataException("The model needs one number at " + key + " for all brokers; the run has "
                    + (numbers.isEmpty() ? "none." : numbers + "."));
        }
        return numbers.get(0);
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
            return Station.batches(name, batch.get(), holders(), brokers);
        }
        List<Station> inside = new ArrayList<>();
        if (worker > 0) {
            inside.add(Station.delay("worker", worker));
        }
        if (database > 0) {
            inside.add(Station.queue("database", database, pool));
        }
        double[] rates = new ClosedNetwork(inside).exact(workers, -1).stream()
                .mapToDouble(ClosedNetwork.Answer::throughput).toArray();
        return Station.loadDependent(name, 1 / rates[0] / brokers, n -> rates[Math.min(n, workers) - 1] / rates[0]);
    }

    /** @return workers of a broker that can have a batch: each keeps a connection for it */
    private int holders() {
        return Math.min(workers, pool);
    }

    /** @return how busy workers and connections are at some throughput of all brokers [1/s], 0..1 */
    public double[] busy(double throughput) {
        double each = throughput / brokers;
        if (batch.isPresent()) {
            double busy = batch.get().busyAt(each, holders());
            return new double[] {busy / workers, busy / pool};
        }
        return new double[] {each * (worker + database) / workers, each * database / pool};
    }

    /** @return how busy both were in the run, by what a request cost them (utilisation law), 0..1 */
    public double[] busyThen() {
        double each = throughput / brokers;
        double busy = each * (worker + database);
        return new double[] {busy / workers, (batch.isPresent() ? busy : each * database) / pool};
    }

    /** @return clients, network, and each broker */
    public ClosedNetwork closedNetwork() {
        List<Station> stations = new ArrayList<>();
        stations.add(Station.delay("clients", thinking()));
        stations.add(Station.delay("network", network));
        for (int i = 0; i < brokers; i++) {
            stations.add(broker("broker " + i));
        }
        return new ClosedNetwork(stations);
    }

    /** @return time between an answer and the next request [s] */
    public double thinking() {
        return Math.max(0, think + overhead);
    }

    /** @return what the model says of the very run */
    public Itself itself() {
        ClosedNetwork network = closedNetwork();
        double steps = (double) clients * clients * (brokers - 1);
        double predicted = steps <= QUICK ? network.throughput(clients) : network.approximate(clients, 0).throughput();
        return new Itself(predicted, clients / predicted - thinking());
    }

    /**
     * The stations with which the model says of the run what was measured: where workers take batches, by how long a
     * request waits for one; and as far as that does not do, by the network, which is what no other station explains.
     */
    public RunStations fitted() {
        RunStations fitted = this;
        if (batch.isPresent()) {
            fitted = solved(share -> with(network, batch.get().waiting(share)), MOST_FITTED);
        }
        if (!fitted.meetsTheRun()) {
            Optional<GroupCommit> group = fitted.batch();
            fitted = solved(time -> with(time, group.orElse(null)), response);
        }
        return fitted;
    }

    /** The stations with nothing fitted to the run but what its stations took; a wait as the theory has it. */
    public RunStations unfitted(RunStations fitted) {
        RunStations theory = fitted.batch().isEmpty() ? this : with(network, fitted.batch().get().waiting(Math.max(
                GroupCommit.LEAST_WAITING, Math.min(GroupCommit.MOST_WAITING, fitted.batch().get().waiting()))));
        return new RunStations(clients, throughput, response, think, 0, network, worker, database, workers, pool,
                brokers, theory.batch(), remarks);
    }

    private boolean meetsTheRun() {
        return Math.abs(itself().response() / response - 1) < 1e-3;
    }

    /** @return the stations, of those between 0 and most of what is to be found, that come nearest to the run */
    private RunStations solved(DoubleFunction<RunStations> stations, double most) {
        if (stations.apply(0).itself().response() >= response) {
            return stations.apply(0);
        }
        if (stations.apply(most).itself().response() <= response) {
            return stations.apply(most);
        }
        return stations.apply(new BrentSolver(1e-6, most * 1e-6).solve(MOST_ROUNDS, found ->
                stations.apply(found).itself().response() / response - 1, 0, most));
    }

    private RunStations with(double time, GroupCommit group) {
        return new RunStations(clients, throughput, response, think, overhead, time, worker, database, workers, pool,
                brokers, Optional.ofNullable(group), remarks);
    }
}
