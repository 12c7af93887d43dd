package ch.ethz.mlmq.log_analyzer.model;

import ch.ethz.mlmq.log_analyzer.analysis.Breakdown;
import ch.ethz.mlmq.log_analyzer.errors.DataException;
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

/**
 * What a request needed of each station in one run, in seconds.
 *
 * @param clients    there were
 * @param throughput of them [1/s]
 * @param response   mean, as the clients saw it
 * @param think      mean time between an answer and the next request
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
public record RunStations(int clients, double throughput, double response, double think, double network, double worker,
        double database, int workers, int pool, int brokers, Optional<Simulation.Batch> batch, List<String> remarks) {
    private static final double US_PER_SECOND = 1e6;
    private static final double SHARED = 1.2;
    private static final double NOT_STEADY = 0.1;
    private static final String DEFAULT_BATCH = "512";

    public static RunStations of(Run run, Cut cut) throws IOException {
        return MeasuredStations.of(run, cut).stations();
    }

    /** @param measured grouped by action @param batches of the same time */
    static RunStations of(Run run, Measurements measured, BatchTimes batches) throws IOException {
        InteractiveLaw law = InteractiveLaw.of(run).orElseThrow(() -> new DataException(
                "The model is for clients that wait for answers; this run's load was open, or it does not tell "
                        + "their think time."));
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
        if (cost > 0 && kept > SHARED * cost) {
            // under group commit each request carries the time of its whole batch
            String told = "Group commit: a request was kept %s us and cost %s us of a worker, so batches had about %s "
                    + "requests. ";
            remarks.add(told.formatted(Figures.plain(kept * US_PER_SECOND), Figures.plain(cost * US_PER_SECOND),
                    Figures.rounded(kept / cost, 1)) + fit.map(RunStations::words)
                            .orElse("The model takes that cost at "
                    + "all numbers of clients: with fewer it promises too much, with more too little. "
                    + "The logs do not tell what batches of several sizes take; --batch a,b does."));
            worker *= cost / kept;
            database *= cost / kept;
        }
        double network = law.responseTime() - kept - stage(all, "request queue") / US_PER_SECOND;
        if (network < 0) {
            throw new DataException("Brokers say that requests took longer than the clients waited: the logs do not "
                    + "belong together, or many requests timed out.");
        }
        return new RunStations((int) Math.round(law.clients()), law.throughput(), law.responseTime(), law.thinkTime(),
                network, worker, database, workers, pool, settings.size(), fit.map(found -> new Simulation.Batch(
                found.fixed(), found.each(), most(settings))), remarks);
    }

    private static String words(BatchTimes.Fit fit) {
        return ("Fitted: a batch of n takes %s us + %s us n, sizes off by %s %% on average; %s requests in a "
                + "batch.").formatted(
                Figures.plain(fit.fixed() * US_PER_SECOND), Figures.plain(fit.each() * US_PER_SECOND),
                Figures.rounded(100 * fit.error(), 1), Figures.rounded(fit.mean(), 1));
    }

    /** @return the largest batch a worker may take */
    private static int most(List<Map<String, String>> settings) {
        return settings.stream().map(each -> each.getOrDefault("broker.batch.max", DEFAULT_BATCH))
                .filter(each -> each.matches("[1-9]\\d{0,5}")).mapToInt(Integer::parseInt).min()
                .orElse(Integer.parseInt(DEFAULT_BATCH));
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
                .filter(each -> each.matches("[1-9]\\d{0,5}"))
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
            // a worker keeps a connection for the whole batch
            return Station.batches(name, batch.get().fixed() / brokers, batch.get().each() / brokers,
                    batch.get().most(), Math.min(workers, pool));
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

    /** @return how busy workers and connections are at some throughput of all brokers [1/s], 0..1 */
    public double[] busy(double throughput) {
        double each = throughput / brokers;
        if (batch.isPresent()) {
            // as long as workers are idle, batches are of one request; then all are busy, and batches grow
            double busy = Math.min(Math.min(workers, pool), each * (batch.get().fixed() + batch.get().each()));
            return new double[] {busy / workers, busy / pool};
        }
        return new double[] {each * (worker + database) / workers, each * database / pool};
    }

    /** @return clients, network, and each broker */
    public ClosedNetwork closedNetwork() {
        List<Station> stations = new ArrayList<>();
        stations.add(Station.delay("clients", think));
        stations.add(Station.delay("network", network));
        for (int i = 0; i < brokers; i++) {
            stations.add(broker("broker " + i));
        }
        return new ClosedNetwork(stations);
    }
}
