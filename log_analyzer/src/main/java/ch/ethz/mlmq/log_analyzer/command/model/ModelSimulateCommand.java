package ch.ethz.mlmq.log_analyzer.command.model;

import ch.ethz.mlmq.log_analyzer.command.options.ConfidenceOption;
import ch.ethz.mlmq.log_analyzer.command.options.LogOptions;
import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.model.measured.MeasuredStations;
import ch.ethz.mlmq.log_analyzer.model.measured.RunStations;
import ch.ethz.mlmq.log_analyzer.model.measured.RunTimes;
import ch.ethz.mlmq.log_analyzer.model.network.GroupCommit;
import ch.ethz.mlmq.log_analyzer.model.network.Servers;
import ch.ethz.mlmq.log_analyzer.model.simulation.SimulatedSystem;
import ch.ethz.mlmq.log_analyzer.model.simulation.Simulation;
import ch.ethz.mlmq.log_analyzer.model.simulation.Times;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.scan.TimeSelection;
import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import ch.ethz.mlmq.log_analyzer.statistics.Intervals;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.stat.StatUtils;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Simulates systems without a closed formula. */
@Command(name = "simulate", sortOptions = false, description = {
    "Simulates the events of clients, network, workers, connections and database. The same seed gives the same "
            + "figures.",
    "With -d the times are those of a run, unless an option changes them. Without -d the system has workers only, "
            + "with times of --service."})
final class ModelSimulateCommand implements Callable<Integer> {
    private static final double US_PER_SECOND = 1e6;
    private static final long FEWEST = 200_000; // requests
    private static final long FEWEST_OF_A_CLIENT = 20;

    @Mixin
    private LogOptions logs;

    /** The senders of requests. */
    private static final class Load {
        @Option(names = {"-clients", "--clients"}, paramLabel = "N",
                description = "Clients that wait for responses. Default: as in the run.")
        private Integer clients;

        @Option(names = {"--rate", "-rate"}, paramLabel = "RATE",
                description = "Rate of arrivals, which do not wait for responses, instead of -clients, e.g. 9000/s.")
        private String rate;
    }

    @ArgGroup
    private Load load;

    @Option(names = {"--service", "-service"}, paramLabel = "TIME",
            description = "Mean time of a worker for a request, e.g. 80us.")
    private String service;

    @Option(names = {"--cv", "-cv"}, paramLabel = "C",
            description = "Coefficient of variation of the times of workers and database. Default: 1; with -d the "
                    + "database's as measured.")
    private Double cv;

    @Option(names = {"--io-threads", "-io-threads"}, paramLabel = "N",
            description = "I/O threads of each broker, with -d. Default: as in the run. 0: no request waits for an "
                    + "I/O thread.")
    private Integer ioThreads;

    @Option(names = {"--databases", "-databases"}, paramLabel = "N",
            description = "Databases that share the data. Default: no limit but the connections.")
    private Integer databases;

    @Option(names = {"--database-servers", "-database-servers"}, paramLabel = "N",
            description = "Statements that each database executes at once, such as one for each processor. Default: 1.")
    private int servers = 1;

    @Option(names = {"--pause", "-pause"}, paramLabel = "TIME",
            description = "Stops a broker, or with --databases a database, once for this time, e.g. 20s for a "
                    + "fail-over.")
    private String pause;

    @Mixin
    private WhatIfOptions whatIf;

    @Option(names = {"--requests", "-requests"}, paramLabel = "N",
            description = "Requests in each replication. Default: 200000, or 20 for each client if that is more.")
    private Long requests;

    @Option(names = {"--replications", "-replications"}, paramLabel = "N", description = "Replications, 2 or more. "
            + "Default: 10.")
    private int replications = 10;

    @Option(names = {"--seed", "-seed"}, paramLabel = "N", description = "Seed of random numbers. Default: 1.")
    private long seed = 1;

    @Mixin
    private ConfidenceOption confidence;

    @Mixin
    private ModelOutput output;

    /** The stations of a run and its times. */
    private record Measured(MeasuredStations stations, RunTimes times) {

        Optional<Times> spreadOfBatches() {
            return stations.batches().fit().map(stations.batches()::spread);
        }
    }

    @Override
    public Integer call() throws IOException {
        check();
        if (logs.areGiven()) {
            simulateTheRun();
        } else {
            simulateWhatIsGiven();
        }
        return 0;
    }

    private void check() {
        whatIf.check();
        OptionValues.notNegative("--cv", cv == null ? 1 : cv);
        if (requests != null && (requests < 1_000 || requests > 1_000_000_000) || replications < 2
                || replications > 1_000) {
            throw new UsageException("--requests must lie between 1000 and 1000000000, --replications between 2 and "
                    + "1000.");
        }
        WhatIfOptions.requireCount("-clients", load == null ? null : load.clients, WhatIfOptions.MOST_CLIENTS);
        if (databases != null && (databases < 1 || databases > WhatIfOptions.MOST_CLIENTS) || servers < 1
                || servers > WhatIfOptions.MOST_CLIENTS || ioThreads != null && (ioThreads < 0 || ioThreads > 1_000)) {
            throw new UsageException("--databases and --database-servers must be 1 or more, --io-threads between 0 "
                    + "and 1000.");
        }
    }

    private void simulateTheRun() throws IOException {
        if (service != null) {
            throw new UsageException("--service cannot be used with -d: the run has the times.");
        }
        try (Run run = logs.open()) {
            TimeSelection cut = logs.cut(run);
            MeasuredStations measured = MeasuredStations.of(run, cut);
            simulate(whatIf.asked(measured.stations()), Optional.of(new Measured(measured, RunTimes.of(run, cut))));
        }
    }

    private void simulateWhatIsGiven() throws IOException {
        if (load == null || service == null && whatIf.batch().isEmpty()) {
            throw new UsageException("model simulate takes -d, or --service (or --batch) with -clients or --rate.");
        }
        if (ioThreads != null) {
            throw new UsageException("--io-threads needs the times of -d.");
        }
        double time = service == null ? 0
                : OptionValues.positive("--service", OptionValues.seconds("--service", service));
        int clients = load.clients == null ? 0 : load.clients;
        RunStations asked = whatIf.asked(new RunStations(new RunStations.Load(clients, Double.NaN, Double.NaN, 0, 0),
                new RunStations.Demands(0, time, 0), new Servers(1, 1, 1), Optional.empty(), List.of()));
        // Without a database no request waits for a connection; with one, connections take the time.
        boolean shared = databases != null;
        Servers each = asked.servers();
        int pool = shared ? Math.max(each.pool(), each.workers()) : each.workers();
        simulate(new RunStations(asked.load(), new RunStations.Demands(0, shared ? 0 : time, shared ? time : 0),
                new Servers(each.brokers(), each.workers(), pool), asked.batch(), List.of()), Optional.empty());
    }

    private void simulate(RunStations stations, Optional<Measured> measured) throws IOException {
        SimulatedSystem setup = setup(stations, measured);
        long settled = setup.load().clients() * FEWEST_OF_A_CLIENT;
        long length = requests == null ? Math.max(FEWEST, settled) : requests;
        List<Simulation.Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < replications; i++) {
            outcomes.add(Simulation.run(setup, length, seed + i));
        }
        List<String> remarks = new ArrayList<>(stations.remarks());
        remarks.add("%d replications of %d requests, seed %d; Student's t over replications.".formatted(replications,
                length, seed));
        measured.flatMap(run -> run.stations().processorsShort(outcomes.stream()
                .mapToDouble(Simulation.Outcome::throughput).average().orElseThrow(), stations.servers().brokers()))
                .ifPresent(remarks::add);
        if (length < settled) {
            remarks.add(("Each client made fewer than %d requests, so the figures may be of the warm-up. Give "
                    + "--requests %d or more.").formatted(FEWEST_OF_A_CLIENT, settled));
        }
        remarks.add("Think and network times are exponential, %s; %s.".formatted(
                stations.batch().isPresent() ? batchesInWords(measured) : timesInWords(measured),
                threadsInWords(setup.io())));
        if (pause != null && outcomes.stream().anyMatch(each -> Double.isNaN(each.recovery()))) {
            remarks.add("In some replications the queue of the stopped part lasted to the end. Give more --requests, "
                    + "unless the part has too little capacity left.");
        }
        output.write(table(outcomes, setup), remarks, List.of());
    }

    private SimulatedSystem setup(RunStations stations, Optional<Measured> measured) {
        RunStations.Demands demands = stations.demands();
        Optional<SimulatedSystem.Io> io = io(measured.map(Measured::times).filter(RunTimes::tellIo));
        double atIo = io.flatMap(threads -> measured).map(run -> run.times().atIo()).orElse(0.0);
        double network = io.isPresent() ? Math.max(0, demands.network() - atIo) : demands.network();
        Times database = databaseTimes(measured).map(times -> Times.measured(times, demands.database()))
                .orElseGet(() -> Times.gamma(demands.database(), variation()));
        return new SimulatedSystem(load(stations),
                new SimulatedSystem.Demands(Times.gamma(network, 1), Times.gamma(demands.worker(), variation()),
                        database), stations.servers())
                .with(stations.batch().map(batch -> batches(batch, measured)).orElse(null))
                .with(io.orElse(null)).with(shards(demands))
                .withPause(pause == null ? 0
                        : OptionValues.positive("--pause", OptionValues.seconds("--pause", pause)));
    }

    private SimulatedSystem.Load load(RunStations stations) {
        Times think = Times.gamma(stations.load().thinking(), 1);
        if (load == null) {
            return SimulatedSystem.Load.closed(stations.load().clients(), think);
        }
        return load.rate == null ? SimulatedSystem.Load.closed(load.clients, think)
                : new SimulatedSystem.Load(0, OptionValues.rate("--rate", load.rate), think);
    }

    /** @param times of the run, if they include I/O threads */
    private Optional<SimulatedSystem.Io> io(Optional<RunTimes> times) {
        int threads = ioThreads != null ? ioThreads : times.map(each -> each.ioThreads().orElse(0)).orElse(0);
        if (threads == 0) {
            return Optional.empty();
        }
        RunTimes each = times.orElseThrow(() -> new DataException("--io-threads needs BRcvReq in the logs of "
                + "brokers, and stats_<broker>.csv."));
        return Optional.of(new SimulatedSystem.Io(Times.measured(each.receive(),
                each.receive().mean() / US_PER_SECOND), Times.gamma(each.send(), 1), threads));
    }

    private SimulatedSystem.Batches batches(GroupCommit batch, Optional<Measured> measured) {
        Optional<Times> spread = cv == null ? measured.flatMap(Measured::spreadOfBatches)
                : Optional.of(Times.gamma(1, cv));
        return new SimulatedSystem.Batches(batch, spread.orElse(null));
    }

    /** @return null if only connections can be short */
    private SimulatedSystem.Shards shards(RunStations.Demands demands) {
        double share = demands.held() > 0 ? demands.database() / demands.held() : 1;
        return databases == null ? null : new SimulatedSystem.Shards(databases, servers, share);
    }

    /** @return the run's distribution; empty if it has none, or others were requested */
    private Optional<Distribution> databaseTimes(Optional<Measured> measured) {
        return measured.map(run -> run.times().database()).filter(times -> cv == null && times.count() > 0);
    }

    private double variation() {
        return cv == null ? 1 : cv;
    }

    private Table table(List<Simulation.Outcome> outcomes, SimulatedSystem setup) {
        Table table = Table.of("figure", "value", "low", "high");
        figures(setup).forEach((name, of) -> {
            double[] values = outcomes.stream().mapToDouble(of).toArray();
            double mean = StatUtils.mean(values);
            Interval interval = Intervals.ofMean(values.length, mean, Math.sqrt(StatUtils.variance(values)),
                    confidence.level());
            table.add(name, mean, interval.low(), interval.high());
        });
        return table;
    }

    private Map<String, ToDoubleFunction<Simulation.Outcome>> figures(SimulatedSystem setup) {
        Map<String, ToDoubleFunction<Simulation.Outcome>> figures = new LinkedHashMap<>();
        figures.put("throughput", Simulation.Outcome::throughput);
        figures.put("response_us", each -> each.response().mean() * US_PER_SECOND);
        figures.put("response_p50_us", each -> each.response().p50() * US_PER_SECOND);
        figures.put("response_p99_us", each -> each.response().p99() * US_PER_SECOND);
        figures.put("response_p99.9_us", each -> each.response().p999() * US_PER_SECOND);
        figures.put("waiting_us", each -> each.waiting() * US_PER_SECOND);
        figures.put("workers_busy_percent", each -> each.busy().workers() * 100);
        figures.put("batch", Simulation.Outcome::batch);
        if (setup.io() != null) {
            figures.put("io_threads_busy_percent", each -> each.busy().ioThreads() * 100);
        }
        if (setup.shards() != null) {
            figures.put("databases_busy_percent", each -> each.busy().databases() * 100);
        }
        if (pause != null) {
            figures.put("longest_response_s", each -> each.response().longest());
            figures.put("recovery_s", Simulation.Outcome::recovery);
        }
        return figures;
    }

    private String timesInWords(Optional<Measured> measured) {
        return (databaseTimes(measured).isPresent() ? "times of the database are as measured, " : "")
                + "times of workers have cv " + Figures.plain(variation());
    }

    private String batchesInWords(Optional<Measured> measured) {
        if (cv != null) {
            return "a batch's time has cv %s about a + b n".formatted(Figures.plain(cv));
        }
        return measured.flatMap(run -> run.stations().batches().fit())
                .map(found -> "a batch's time varies about a + b n as measured, with cv %s".formatted(
                        Figures.rounded(found.cv(), 2))).orElse("a batch takes a + b n");
    }

    private static String threadsInWords(SimulatedSystem.Io io) {
        if (io == null) {
            return "no request waits for an I/O thread";
        }
        return "a request takes %s us of %d I/O thread%s".formatted(Figures.rounded(
                (io.receive().mean() + io.send().mean()) * US_PER_SECOND, 1), io.threads(),
                io.threads() == 1 ? "" : "s");
    }
}
