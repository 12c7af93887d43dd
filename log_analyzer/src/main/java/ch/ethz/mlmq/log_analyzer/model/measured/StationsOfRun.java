package ch.ethz.mlmq.log_analyzer.model.measured;

import ch.ethz.mlmq.log_analyzer.analysis.Breakdown;
import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.model.network.BrokerCatalogue;
import ch.ethz.mlmq.log_analyzer.model.network.GroupCommit;
import ch.ethz.mlmq.log_analyzer.model.network.Servers;
import ch.ethz.mlmq.log_analyzer.run.BrokerLoad;
import ch.ethz.mlmq.log_analyzer.run.InteractiveLaw;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the times of stations from a run. */
final class StationsOfRun {
    private static final double US_PER_SECOND = 1e6;
    private static final double SHARED = 1.2;
    private static final double NOT_STEADY = 0.1;
    private static final String WORKERS = "broker.workers";
    private static final String CONNECTIONS = "broker.db.connections";
    private static final String BATCH = "broker.batch.max";
    private static final int MOST_CLIENTS = 100_000;

    private final Run run;
    private final Measurements measured;
    private final BatchTimes batches;
    private final List<Map<String, String>> settings;
    private final List<String> remarks = new ArrayList<>();

    /** @param measured grouped by action @param batches of the same time */
    StationsOfRun(Run run, Measurements measured, BatchTimes batches) throws IOException {
        this.run = run;
        this.measured = measured;
        this.batches = batches;
        settings = run.settings().entrySet().stream().filter(jvm -> jvm.getKey().startsWith("broker_"))
                .map(Map.Entry::getValue).toList();
    }

    RunStations read() throws IOException {
        InteractiveLaw law = law();
        Breakdown all = Breakdown.measured(measured).filter(each -> stage(each, "worker") > 0)
                .orElseThrow(() -> new DataException(
                "The measurement interval has no BProcReq: give the performance logs of the brokers."));
        Servers servers = servers();
        if (Math.abs(law.deviation()) > NOT_STEADY) {
            remarks.add("The run violates an assumption. " + law.words());
        }
        double database = all.stages().stream().filter(each -> each.name().startsWith("database: "))
                .mapToDouble(Breakdown.Stage::mean).sum() / US_PER_SECOND;
        double worker = stage(all, "worker");
        double kept = worker + database + stage(all, "waiting for a connection");
        Optional<BatchTimes.Fit> fit = batches.fit().filter(found -> found.sizes().mean() > SHARED);
        double share = costOfKept(kept, fit);
        double network = law.responseTime() - kept - stage(all, "request queue");
        if (network < 0) {
            throw new DataException("Brokers report longer times of requests than clients: the logs are of different "
                    + "runs, or many requests timed out.");
        }
        return new RunStations(load(law), new RunStations.Demands(network, worker * share, database * share), servers,
                fit.map(found -> new GroupCommit(found.fixed(), found.each(), mostInBatch())), remarks);
    }

    private InteractiveLaw law() throws IOException {
        InteractiveLaw law = InteractiveLaw.of(run).orElseThrow(() -> new DataException(
                "The model is for clients that wait for responses, but the load of this run is open, or its think "
                        + "time is unknown."));
        if (!(law.clients() >= 1 && law.clients() <= MOST_CLIENTS)) {
            throw new DataException("The summaries have %s clients, but the model needs 1 to %d.".formatted(
                    Figures.rounded(law.clients(), 0), MOST_CLIENTS));
        }
        return law;
    }

    private static RunStations.Load load(InteractiveLaw law) {
        return new RunStations.Load((int) Math.round(law.clients()), law.throughput(), law.responseTime(),
                law.thinkTime(), law.clients() / law.throughput() - law.responseTime() - law.thinkTime());
    }

    private Servers servers() {
        int workers = number(WORKERS);
        if (settings.stream().anyMatch(each -> each.containsKey(CONNECTIONS))) {
            return new Servers(settings.size(), workers, number(CONNECTIONS));
        }
        remarks.add("The run has no broker.db.connections, so the model takes a connection for each worker.");
        return new Servers(settings.size(), workers, workers);
    }

    private int number(String key) {
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
     * @param kept time for which a worker kept a request [s]
     * @return the request's own part of it: under group commit each request carries the time of its whole batch
     */
    private double costOfKept(double kept, Optional<BatchTimes.Fit> fit) throws IOException {
        double cost = batches.areKnown() ? batches.cost() : busyWorkers();
        if (cost > 0 && kept > SHARED * cost) {
            String shared = "Group commit: a request was kept %s us and cost %s us of a worker, so the batch of a "
                    + "request had about %s requests. ";
            remarks.add(shared.formatted(Figures.plain(kept * US_PER_SECOND), Figures.plain(cost * US_PER_SECOND),
                    Figures.rounded(kept / cost, 1)) + fit.map(StationsOfRun::words).orElse("The model takes this "
                            + "cost for all numbers of clients, so it predicts too much with fewer and too little "
                            + "with more. The logs do not have the times of batches of several sizes; give them with "
                            + "--batch a,b."));
            return cost / kept;
        }
        if (mostInBatch() > 1 && batches.areKnown()) {
            remarks.add("Batches were not measured: a worker takes up to " + mostInBatch() + " requests at once, but "
                    + "in this run seldom more than one. With more clients the model predicts too little; a run with "
                    + "more clients measures batches.");
        }
        return 1;
    }

    private static String words(BatchTimes.Fit fit) {
        return ("Fit: a batch of n takes %s us + %s us n, with a mean error of %s %% over sizes; all batches have a "
                + "mean of %s requests.").formatted(
                Figures.plain(fit.fixed() * US_PER_SECOND), Figures.plain(fit.each() * US_PER_SECOND),
                Figures.rounded(100 * fit.error(), 1), Figures.rounded(fit.sizes().mean(), 1));
    }

    /** @return workers' busy time per request [s], 0 if there are no statistics */
    private double busyWorkers() throws IOException {
        List<BrokerLoad> loads = BrokerLoad.of(run, measured.steadyFromMs(), measured.steadyToMs());
        double requests = loads.stream().mapToDouble(BrokerLoad::requests).sum();
        return requests > 0 ? loads.stream().mapToDouble(BrokerLoad::busyWorkers).sum() / requests : 0;
    }

    /** @return the largest batch a worker may take */
    private int mostInBatch() {
        return settings.stream().map(each -> each.getOrDefault(BATCH, BrokerCatalogue.defaultOf(BATCH)))
                .filter(each -> each.matches("[1-9]\\d{0,2}")).mapToInt(Integer::parseInt).min()
                .orElse(Integer.parseInt(BrokerCatalogue.defaultOf(BATCH)));
    }

    /** @return mean time of a stage [s] */
    private static double stage(Breakdown breakdown, String name) {
        return breakdown.stages().stream().filter(each -> each.name().equals(name)).mapToDouble(Breakdown.Stage::mean)
                .sum() / US_PER_SECOND;
    }
}
