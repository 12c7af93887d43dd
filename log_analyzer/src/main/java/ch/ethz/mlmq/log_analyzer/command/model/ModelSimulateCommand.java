package ch.ethz.mlmq.log_analyzer.command.model;

import ch.ethz.mlmq.log_analyzer.command.options.ConfidenceOption;
import ch.ethz.mlmq.log_analyzer.command.options.LogOptions;
import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.model.measured.BatchTimes;
import ch.ethz.mlmq.log_analyzer.model.measured.MeasuredStations;
import ch.ethz.mlmq.log_analyzer.model.measured.RunStations;
import ch.ethz.mlmq.log_analyzer.model.measured.RunTimes;
import ch.ethz.mlmq.log_analyzer.model.simulation.SimulatedSystem;
import ch.ethz.mlmq.log_analyzer.model.simulation.Simulation;
import ch.ethz.mlmq.log_analyzer.model.simulation.Times;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.scan.Cut;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where no closed form holds. */
@Command(name = "simulate", sortOptions = false, description = {
    "Simulates clients, network, workers, connections and database, event by event; the same seed gives the same "
            + "figures.",
    "With -d the times are a run's, as far as no option says otherwise; without it --service is all there is."})
final class ModelSimulateCommand implements Callable<Integer> {
    private static final double US_PER_SECOND = 1e6;
    private static final long FEWEST = 200_000; // requests
    private static final long FEWEST_OF_A_CLIENT = 20;

    @Mixin
    private LogOptions logs;

    @Option(names = {"-clients", "--clients"}, paramLabel = "N",
            description = "That wait for answers. Default: the run's.")
    private Integer clients;

    @Option(names = {"--rate", "-rate"}, paramLabel = "RATE",
            description = "Arrivals that do not wait for answers instead, e.g. 9000/s.")
    private String rate;

    @Option(names = {"--service", "-service"}, paramLabel = "TIME",
            description = "Mean time of a worker for a request, e.g. 80us.")
    private String service;

    @Option(names = {"--cv", "-cv"}, paramLabel = "C",
            description = "Coefficient of variation of the times of worker and database. Default: 1; of the "
                    + "database of -d as measured.")
    private Double cv;

    @Option(names = {"--io-threads", "-io-threads"}, paramLabel = "N",
            description = "Of each broker, with -d. Default: the run's; 0: nobody waits for them.")
    private Integer ioThreads;

    @Option(names = {"--databases", "-databases"}, paramLabel = "N",
            description = "Databases that share the data. Default: connections are all that can be short.")
    private Integer databases;

    @Option(names = {"--database-servers", "-database-servers"}, paramLabel = "N",
            description = "What each database does at once, such as its processors. Default: 1.")
    private int servers = 1;

    @Option(names = {"--pause", "-pause"}, paramLabel = "TIME",
            description = "A broker, or with --databases a database, stands still for so long once, e.g. 20s: a "
                    + "fail-over.")
    private String pause;

    @Mixin
    private WhatIfOptions whatIf;

    @Option(names = {"--requests", "-requests"}, paramLabel = "N",
            description = "In each replication. Default: 200000, or 20 of each client if that is more.")
    private Long requests;

    @Option(names = {"--replications", "-replications"}, paramLabel = "N", description = "2 or more. Default: 10.")
    private int replications = 10;

    @Option(names = {"--seed", "-seed"}, paramLabel = "N", description = "Default: 1.")
    private long seed = 1;

    @Mixin
    private ConfidenceOption confidence;

    @Mixin
    private ModelOutput output;

    @Override
    public Integer call() throws IOException {
        whatIf.check();
        Given.notNegative("--cv", cv == null ? 1 : cv);
        if (requests != null && (requests < 1_000 || requests > 1_000_000_000) || replications < 2
                || replications > 1_000) {
            throw new UsageException("--requests must lie between 1000 and 1000000000, --replications between 2 and "
                    + "1000.");
        }
        if (clients != null && rate != null || clients != null
                && (clients < 1 || clients > WhatIfOptions.MOST_CLIENTS)) {
            throw new UsageException("model simulate takes either -clients, 1 to %d, or --rate."
                    .formatted(WhatIfOptions.MOST_CLIENTS));
        }
        if (databases != null && (databases < 1 || databases > WhatIfOptions.MOST_CLIENTS) || servers < 1
                || servers > WhatIfOptions.MOST_CLIENTS || ioThreads != null && (ioThreads < 0 || ioThreads > 1_000)) {
            throw new UsageException("--databases and --database-servers must be 1 or more, --io-threads between 0 "
                    + "and 1000.");
        }
        if (logs.areGiven()) {
            if (service != null) {
                throw new UsageException("--service is for a simulation without -d.");
            }
            try (Run run = logs.open()) {
                Cut cut = logs.cut(run);
                MeasuredStations measured = MeasuredStations.of(run, cut);
                simulate(whatIf.asked(measured.stations()), RunTimes.of(run, cut), measured);
            }
            return 0;
        }
        boolean isGiven = (service != null || whatIf.batch().isPresent()) && (clients != null || rate != null);
        if (!isGiven) {
            throw new UsageException("model simulate takes -d, or --service (or --batch) with -clients or --rate.");
        }
        if (ioThreads != null) {
            throw new UsageException("--io-threads needs the times of -d.");
        }
        double time = service == null ? 0 : Given.positive("--service", Given.seconds("--service", service));
        RunStations one = whatIf.asked(new RunStations(clients == null ? 0 : clients, Double.NaN, Double.NaN, 0, 0,
                0, time, 0, 1, 1, 1, Optional.empty(), List.of()));
        // without a database nobody waits for a connection; with some, they are what takes the time
        boolean shared = databases != null;
        simulate(new RunStations(one.clients(), one.throughput(), one.response(), one.think(), 0, 0, shared ? 0 : time,
                shared ? time : 0, one.workers(), shared ? Math.max(one.pool(), one.workers()) : one.workers(),
                one.brokers(), one.batch(), List.of()), null, null);
        return 0;
    }

    /** @param times of the run @param measured in the run; both null without one */
    private void simulate(RunStations stations, RunTimes times, MeasuredStations measured) throws IOException {
        int closed = rate != null ? 0 : clients == null ? stations.clients() : clients;
        List<String> remarks = new ArrayList<>(stations.remarks());
        int threads = ioThreads != null ? ioThreads
                : times == null || !times.tellIo() ? 0 : times.ioThreads().orElse(0);
        SimulatedSystem.Io io = null;
        double network = stations.network();
        if (threads > 0 && times.tellIo()) {
            io = new SimulatedSystem.Io(Times.measured(times.receive(), times.receive().mean() / US_PER_SECOND),
                    Times.gamma(times.send(), 1), threads);
            network = Math.max(0, network - times.atIo());
        } else if (threads > 0) {
            throw new DataException("--io-threads needs BRcvReq in the brokers' logs, and "
                    + "stats_<broker>.csv beside them.");
        }
        double vary = cv == null ? 1 : cv;
        boolean asMeasured = cv == null && times != null && times.database().count() > 0;
        Times database = asMeasured ? Times.measured(times.database(), stations.database())
                : Times.gamma(stations.database(), vary);
        double held = stations.worker() + stations.database();
        double share = held > 0 ? stations.database() / held : 1;
        Optional<BatchTimes.Fit> fit = measured == null ? Optional.empty() : measured.batches().fit();
        Times spread = stations.batch().isEmpty() ? null : cv != null ? Times.gamma(1, cv)
                : fit.map(found -> measured.batches().spread(found)).orElse(null);
        SimulatedSystem setup = new SimulatedSystem(closed, rate == null ? 0 : Given.rate("--rate", rate),
                Times.gamma(stations.thinking(), 1), Times.gamma(network, 1), Times.gamma(stations.worker(), vary),
                database, stations.workers(), stations.pool(), stations.brokers(), stations.batch().orElse(null),
                spread, io, databases == null ? null : new SimulatedSystem.Shards(databases, servers, share),
                pause == null ? 0 : Given.positive("--pause", Given.seconds("--pause", pause)));
        long enough = Math.max(FEWEST, closed * FEWEST_OF_A_CLIENT);
        long length = requests == null ? enough : requests;
        List<Simulation.Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < replications; i++) {
            outcomes.add(Simulation.run(setup, length, seed + i));
        }
        Map<String, ToDoubleFunction<Simulation.Outcome>> figures = new LinkedHashMap<>();
        figures.put("throughput", Simulation.Outcome::throughput);
        figures.put("response_us", each -> each.response() * US_PER_SECOND);
        figures.put("response_p50_us", each -> each.p50() * US_PER_SECOND);
        figures.put("response_p99_us", each -> each.p99() * US_PER_SECOND);
        figures.put("response_p99.9_us", each -> each.p999() * US_PER_SECOND);
        figures.put("waiting_us", each -> each.waiting() * US_PER_SECOND);
        figures.put("workers_busy_percent", each -> each.busy() * 100);
        figures.put("batch", Simulation.Outcome::batch);
        if (io != null) {
            figures.put("io_threads_busy_percent", each -> each.io() * 100);
        }
        if (databases != null) {
            figures.put("databases_busy_percent", each -> each.databases() * 100);
        }
        if (pause != null) {
            figures.put("longest_response_s", Simulation.Outcome::longest);
            figures.put("recovery_s", Simulation.Outcome::recovery);
        }
        Table table = Table.of("figure", "value", "low", "high");
        figures.forEach((name, of) -> {
            double[] values = outcomes.stream().mapToDouble(of).toArray();
            double mean = StatUtils.mean(values);
            Interval interval = Intervals.ofMean(values.length, mean, Math.sqrt(StatUtils.variance(values)),
                    confidence.level());
            table.add(name, mean, interval.low(), interval.high());
        });
        remarks.add("%d replications of %d requests, seed %d; Student's t over replications.".formatted(replications,
                length, seed));
        if (measured != null) {
            measured.processorsShort(outcomes.stream().mapToDouble(Simulation.Outcome::throughput).average()
                    .orElseThrow(), stations.brokers()).ifPresent(remarks::add);
        }
        if (length < closed * FEWEST_OF_A_CLIENT) {
            remarks.add(("That is less than %d requests of each client: the figures may be those of the beginning. "
                    + "Give --requests %d or more.").formatted(FEWEST_OF_A_CLIENT, closed * FEWEST_OF_A_CLIENT));
        }
        String served = stations.batch().isPresent() ? batchInWords(fit)
                : (asMeasured ? "the database's times are as measured, " : "") + "worker times have cv "
                + Figures.plain(vary);
        remarks.add("Think and network times are exponential, %s; %s.".formatted(served, io == null
                ? "nobody waits for I/O threads" : "a request takes %s us of %d I/O thread%s".formatted(Figures.rounded(
                        times.receive().mean() + times.send() * US_PER_SECOND, 1), threads, threads == 1 ? "" : "s")));
        if (pause != null && outcomes.stream().anyMatch(each -> Double.isNaN(each.recovery()))) {
            remarks.add("In some replications requests waited for what had stopped until the end: more --requests, "
                    + "or too little left of its capacity.");
        }
        output.write(table, remarks, List.of());
    }

    private String batchInWords(Optional<BatchTimes.Fit> fit) {
        return cv != null ? "a batch's time has cv %s about a + b n".formatted(Figures.plain(cv))
                : fit.map(found -> "a batch's time varies about a + b n as measured, with cv %s".formatted(
                        Figures.rounded(found.cv(), 2))).orElse("a batch takes a + b n");
    }
}
