package ch.ethz.mlmq.log_analyzer.command.model;

import ch.ethz.mlmq.log_analyzer.command.options.LogOptions;
import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.model.measured.MeasuredBroker;
import ch.ethz.mlmq.log_analyzer.model.waiting.ConstantServiceWaiting;
import ch.ethz.mlmq.log_analyzer.model.waiting.DiscreteWaiting;
import ch.ethz.mlmq.log_analyzer.model.waiting.ExponentialServiceWaiting;
import ch.ethz.mlmq.log_analyzer.model.waiting.GammaWaiting;
import ch.ethz.mlmq.log_analyzer.model.waiting.Law;
import ch.ethz.mlmq.log_analyzer.model.waiting.ServiceTime;
import ch.ethz.mlmq.log_analyzer.model.waiting.VaryingServiceWaiting;
import ch.ethz.mlmq.log_analyzer.model.waiting.WaitingTime;
import ch.ethz.mlmq.log_analyzer.plot.ModelCharts;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Predicts how long requests wait for a worker. */
@Command(name = "waiting", sortOptions = false, description = {
    "Predicts how long requests wait before their service begins, if arrivals do not wait for responses.",
    "With -d, service times, rate and workers are those of a run, unless an option changes them. The table then has "
            + "its waiting times too."})
final class ModelWaitingCommand implements Callable<Integer> {
    private static final double US_PER_SECOND = 1e6;

    @Mixin
    private LogOptions logs;

    @Option(names = {"--service", "-service"}, paramLabel = "TIME", description = "Mean service time, e.g. 80us.")
    private String service;

    @Option(names = {"--cv", "-cv"}, paramLabel = "C",
            description = "Coefficient of variation of the service time: 0 constant, 1 exponential. Default: 1.")
    private Double cv;

    @Option(names = {"--rate", "-rate"}, paramLabel = "RATE",
            description = "Rate of arrivals, e.g. 9000/s; with -d at each broker.")
    private String rate;

    @Option(names = {"--servers", "-servers"}, paramLabel = "M",
            description = "Workers. Default: 1; with -d as in the run.")
    private Integer servers;

    @Option(names = {"--bound", "-bound"}, paramLabel = "TIME",
            description = "Adds the discrete-time GI/GI/1 queue with this bound of its work, e.g. 5ms. It needs one "
                    + "server.")
    private String bound;

    @Option(names = {"--arrival-cv", "-arrival-cv"}, paramLabel = "C",
            description = "With --bound: coefficient of variation of the inter-arrival time. Default: 1.")
    private Double arrivalCv;

    @Option(names = "-percentiles", paramLabel = "P", split = ",", description = "Percentiles. Default: "
            + "${DEFAULT-VALUE}.")
    private double[] percents = {50, 90, 99, 99.9, 99.99};

    @Mixin
    private ModelOutput output;

    @Override
    public Integer call() throws IOException {
        for (double percent : percents) {
            if (!(percent > 0 && percent < 100)) {
                throw new UsageException("-percentiles must lie between 0 and 100, both excluded.");
            }
        }
        if (arrivalCv != null && bound == null) {
            throw new UsageException("--arrival-cv needs --bound: the other models have Poisson arrivals.");
        }
        if (cv != null && service == null) {
            throw new UsageException("--cv needs --service.");
        }
        if (servers != null && (servers < 1 || servers > 100_000)) {
            throw new UsageException("--servers must lie between 1 and 100000.");
        }
        if (!logs.areGiven()) {
            if (service == null || rate == null) {
                throw new UsageException("model waiting takes --service and --rate, or -d with a run.");
            }
            predict(given(), OptionValues.rate("--rate", rate), servers == null ? 1 : servers, Optional.empty(),
                    new ArrayList<>());
            return 0;
        }
        try (Run run = logs.open()) {
            MeasuredBroker broker = MeasuredBroker.of(run, logs.cut(run));
            List<String> remarks = new ArrayList<>(broker.remarks());
            double arrivals = rate == null ? broker.rate() : OptionValues.rate("--rate", rate);
            predict(service == null ? broker.service() : given(), arrivals,
                    servers == null ? broker.workers() : servers,
                    Optional.of(broker.waiting()), remarks);
        }
        return 0;
    }

    private ServiceTime given() {
        double seconds = OptionValues.positive("--service", OptionValues.seconds("--service", service));
        return ServiceTime.gamma(seconds, OptionValues.notNegative("--cv", cv == null ? 1 : cv));
    }

    private void predict(ServiceTime service, double rate, int servers, Optional<Distribution> measured,
            List<String> remarks)
            throws IOException {
        List<WaitingTime> models = new ArrayList<>();
        if (servers == 1) {
            models.add(new GammaWaiting(service, rate));
            models.add(new ConstantServiceWaiting(service.first(), rate));
        } else {
            models.add(new VaryingServiceWaiting(service, rate, servers));
        }
        models.add(new ExponentialServiceWaiting(service.first(), rate, servers));
        if (bound != null) {
            if (servers != 1) {
                throw new UsageException("--bound needs one server: leave out --servers, or give 1.");
            }
            double spread = arrivalCv == null ? 1 : OptionValues.notNegative("--arrival-cv", arrivalCv);
            DiscreteWaiting discrete = new DiscreteWaiting(Law.gamma(1 / rate, spread), 1 / rate,
                    Law.gamma(service.first(), service.cv()), service.first(),
                    OptionValues.positive("--bound", OptionValues.seconds("--bound", bound)));
            models.add(discrete);
            if (discrete.isBounded()) {
                remarks.add("More than one request in 10,000 meets the bound, so the bound and not the queue "
                        + "determines the longest waits.");
            }
        }
        remarks.add(0, "Utilisation %s, service %s us (cv %s), %s /s. Arrivals are Poisson, service times independent."
                .formatted(Figures.plain(rate * service.first() / servers),
                Figures.plain(service.first() * US_PER_SECOND),
                        Figures.plain(service.cv()), Figures.plain(rate)));
        output.write(table(models, measured), remarks, List.of(ModelCharts.waiting(models, measured)));
    }

    private Table table(List<WaitingTime> models, Optional<Distribution> measured) {
        List<String> columns = new ArrayList<>(List.of("model", "waits_percent", "mean"));
        for (double percent : percents) {
            columns.add("p" + Figures.percent(percent));
        }
        Table table = new Table(columns);
        for (WaitingTime model : models) {
            List<Object> row = new ArrayList<>(List.of(model.name(), 100 * (1 - model.within(0)),
                    model.mean() * US_PER_SECOND));
            for (double percent : percents) {
                row.add(model.quantile(percent / 100) * US_PER_SECOND);
            }
            table.add(row);
        }
        measured.ifPresent(queue -> {
            List<Object> row = new ArrayList<>(Arrays.asList("measured", null, queue.mean()));
            for (double percent : percents) {
                row.add((double) queue.percentile(percent));
            }
            table.add(row);
        });
        return table;
    }
}
