package ch.ethz.mlmq.log_analyzer.command;

import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.model.RunStations;
import ch.ethz.mlmq.log_analyzer.model.Simulation;
import ch.ethz.mlmq.log_analyzer.model.Times;
import ch.ethz.mlmq.log_analyzer.run.Run;
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
    "Simulates clients, network, workers, connections and database, event by event; the same seed gives the same figures.",
    "With -d the times are a run's, as far as no option says otherwise; without it --service is all there is."})
final class ModelSimulateCommand implements Callable<Integer> {
    private static final double US_PER_SECOND = 1e6;

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
            description = "Coefficient of variation of the times of worker and database. Default: 1.")
    private double cv = 1;

    @Mixin
    private WhatIfOptions whatIf;

    @Option(names = {"--requests", "-requests"}, paramLabel = "N",
            description = "In each replication. Default: 200000.")
    private long requests = 200_000;

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
        Given.notNegative("--cv", cv);
        if (requests < 1_000 || requests > 1_000_000_000 || replications < 2 || replications > 1_000) {
            throw new UsageException("--requests must lie between 1000 and 1000000000, --replications between 2 and 1000.");
        }
        if (clients != null && rate != null || clients != null
                && (clients < 1 || clients > WhatIfOptions.MOST_CLIENTS)) {
            throw new UsageException("model simulate takes either -clients, 1 to %d, or --rate.".formatted(WhatIfOptions.MOST_CLIENTS));
        }
        RunStations stations;
        if (logs.areGiven()) {
            if (service != null) {
                throw new UsageException("--service is for a simulation without -d.");
            }
            try (Run run = logs.open()) {
                stations = whatIf.asked(RunStations.of(run, logs.cut(run)));
            }
        } else {
            boolean isGiven = (service != null || whatIf.batch().isPresent()) && (clients != null || rate != null);
            if (!isGiven) {
                throw new UsageException("model simulate takes -d, or --service (or --batch) with -clients or --rate.");
            }
            double time = service == null ? 0 : Given.positive("--service", Given.seconds("--service", service));
            RunStations one = whatIf.asked(new RunStations(clients == null ? 0 : clients, Double.NaN, Double.NaN, 0, 0,
                    time, 0, 1, 1, 1, Optional.empty(), List.of()));
            // without a database nobody waits for a connection
            stations = new RunStations(one.clients(), one.throughput(), one.response(), one.think(), 0, time, 0,
                    one.workers(), one.workers(), one.brokers(), one.batch(), List.of());
        }
        simulate(stations);
        return 0;
    }

    private void simulate(RunStations stations) throws IOException {
        int closed = rate != null ? 0 : clients == null ? stations.clients() : clients;
        Simulation.Setup setup = new Simulation.Setup(closed, rate == null ? 0 : Given.rate("--rate", rate),
                Times.gamma(stations.think(), 1), Times.gamma(stations.network(), 1),
                Times.gamma(stations.worker(), cv),
                Times.gamma(stations.database(), cv), stations.workers(), stations.pool(), stations.brokers(),
                stations.batch().orElse(null));
        List<Simulation.Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < replications; i++) {
            outcomes.add(Simulation.run(setup, requests, seed + i));
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
        Table table = Table.of("figure", "value", "low", "high");
        figures.forEach((name, of) -> {
            double[] values = outcomes.stream().mapToDouble(of).toArray();
            double mean = StatUtils.mean(values);
            Interval interval = Intervals.ofMean(values.length, mean, Math.sqrt(StatUtils.variance(values)),
                    confidence.level());
            table.add(name, mean, interval.low(), interval.high());
        });
        List<String> remarks = new ArrayList<>(stations.remarks());
        remarks.add("%d replications of %d requests, seed %d; Student's t over replications. Think and network times are exponential, worker and database times have cv %s."
                .formatted(replications, requests, seed, Figures.plain(cv)));
        output.write(table, remarks, List.of());
    }
}
