package ch.ethz.mlmq.log_analyzer.command.model;

import ch.ethz.mlmq.log_analyzer.command.options.LogOptions;
import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.model.measured.MeasuredBroker;
import ch.ethz.mlmq.log_analyzer.model.waiting.ConstantServiceWaiting;
import ch.ethz.mlmq.log_analyzer.model.waiting.ExponentialServiceWaiting;
import ch.ethz.mlmq.log_analyzer.model.waiting.ExponentialTailWaiting;
import ch.ethz.mlmq.log_analyzer.model.waiting.GammaWaiting;
import ch.ethz.mlmq.log_analyzer.model.waiting.InvertedWaiting;
import ch.ethz.mlmq.log_analyzer.model.waiting.Law;
import ch.ethz.mlmq.log_analyzer.model.waiting.ServiceTime;
import ch.ethz.mlmq.log_analyzer.model.waiting.VaryingServiceWaiting;
import ch.ethz.mlmq.log_analyzer.model.waiting.WaitingMoments;
import ch.ethz.mlmq.log_analyzer.model.waiting.WaitingTime;
import ch.ethz.mlmq.log_analyzer.plot.Chart;
import ch.ethz.mlmq.log_analyzer.plot.ModelCharts;
import ch.ethz.mlmq.log_analyzer.plot.SweepChart;
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
import java.util.function.DoubleFunction;
import java.util.stream.IntStream;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Predicts how long requests wait for a worker. */
@Command(name = "waiting", sortOptions = false, description = {
    "Predicts how long requests wait before their service begins, if arrivals do not wait for responses.",
    "With -d, service times, rate and workers are those of a run, unless an option changes them. The table then has "
            + "its waiting times too.",
    "Several rates, utilisations or coefficients of variation make a sweep: a row for each."})
final class ModelWaitingCommand implements Callable<Integer> {
    private static final double US_PER_SECOND = 1e6;
    private static final double PER_CENT = 100;
    private static final int MOST_MOMENTS = 50;
    /** Figures of a sweep before its waiting times. */
    private static final int MEAN = 2;

    @Mixin
    private LogOptions logs;

    @Mixin
    private ServiceOptions service;

    /** How many requests arrive. */
    private static final class Load {
        @Option(names = {"--rate", "-rate"}, paramLabel = "RATE", split = ",",
                description = "Rates of arrivals, e.g. 9000/s or 1000/s..9000/s; with -d at each broker.")
        private List<String> rates = List.of();

        @Option(names = {"--utilisation", "-utilisation"}, paramLabel = "SHARE", split = ",",
                description = "Utilisations of the workers instead, e.g. 0.9 or 0.05..0.95.")
        private List<String> utilisations = List.of();

        List<Double> numbers() {
            return utilisations.isEmpty()
                    ? OptionValues.numbers("--rate", rates, OptionValues.STEPS,
                            text -> OptionValues.rate("--rate", text))
                    : OptionValues.numbers("--utilisation", utilisations).stream()
                            .map(share -> OptionValues.share("--utilisation", share)).toList();
        }
    }

    @ArgGroup
    private Load load = new Load();

    @Option(names = {"--servers", "-servers"}, paramLabel = "M",
            description = "Workers. Default: 1; with -d as in the run.")
    private Integer servers;

    @Mixin
    private DiscreteOptions discrete;

    @Option(names = {"--moments", "-moments"}, paramLabel = "K",
            description = "Prints instead the first K moments of the waiting time. It needs one server.")
    private Integer moments;

    @Option(names = "-percentiles", paramLabel = "P", split = ",", description = "Percentiles. Default: "
            + "${DEFAULT-VALUE}.")
    private double[] percents = {50, 90, 99, 99.9, 99.99};

    @Mixin
    private ModelOutput output;

    /** What is asked. @param law by coefficient of variation @param cvs empty if the service time has its own */
    private record Question(DoubleFunction<Law> law, List<Double> cvs, List<Double> loads, int servers,
            Optional<MeasuredBroker> measured, List<String> remarks) {
        /** @return the axes of the question; one number of each if it is no sweep */
        List<Sweep.Axis> axes(String load) {
            return List.of(new Sweep.Axis("cv", cvs.isEmpty() ? List.of(law.apply(0).cv()) : cvs),
                    new Sweep.Axis(load, loads));
        }
    }

    @Override
    public Integer call() throws IOException {
        check();
        if (!logs.areGiven()) {
            if (!service.areGiven() || load.numbers().isEmpty()) {
                throw new UsageException("model waiting takes --service and --rate or --utilisation, or -d with a "
                        + "run.");
            }
            answer(new Question(service::law, service.cvs(), load.numbers(), servers == null ? 1 : servers,
                    Optional.empty(), new ArrayList<>()));
            return 0;
        }
        try (Run run = logs.open()) {
            MeasuredBroker broker = MeasuredBroker.of(run, logs.cut(run));
            List<Double> loads = load.numbers().isEmpty() ? List.of(broker.rate()) : load.numbers();
            answer(new Question(service.areGiven() ? service::law : cv -> broker.service(),
                    service.areGiven() ? service.cvs() : List.of(), loads,
                    servers == null ? broker.workers() : servers, Optional.of(broker),
                    new ArrayList<>(broker.remarks())));
        }
        return 0;
    }

    private void check() {
        for (double percent : percents) {
            if (!(percent > 0 && percent < PER_CENT)) {
                throw new UsageException("-percentiles must lie between 0 and 100, both excluded.");
            }
        }
        service.check();
        discrete.check();
        WhatIfOptions.requireCount("--servers", servers, WhatIfOptions.MOST_CLIENTS);
        WhatIfOptions.requireCount("--moments", moments, MOST_MOMENTS);
    }

    private void answer(Question question) throws IOException {
        if (question.servers() > 1 && (discrete.isAsked() || moments != null)) {
            throw new UsageException("%s needs one server: leave out --servers, or give 1.".formatted(
                    moments == null ? "--bound (or --discrete)" : "--moments"));
        }
        List<Sweep.Axis> axes = question.axes(load.utilisations.isEmpty() ? "rate" : "utilisation");
        if (Sweep.isOne(axes)) {
            if (discrete.isAsked() || moments != null) {
                throw new UsageException("A sweep has one model: leave out --discrete, --bound and --moments, or give "
                        + "one load and one --cv.");
            }
            sweep(question, axes);
            return;
        }
        Law law = question.law().apply(axes.get(0).values().get(0));
        double rate = rate(law, question.servers(), question.loads().get(0));
        List<String> remarks = question.remarks();
        remarks.add(0, "Utilisation %s, service %s us (cv %s), %s /s. Arrivals are Poisson, service times independent."
                .formatted(Figures.plain(rate * law.mean() / question.servers()),
                Figures.plain(law.mean() * US_PER_SECOND), Figures.plain(law.cv()), Figures.plain(rate)));
        if (moments != null) {
            output.write(moments(law, rate, remarks), remarks, List.of());
            return;
        }
        List<WaitingTime> models = models(law, rate, question.servers(), remarks);
        Optional<Distribution> measured = question.measured().map(MeasuredBroker::waiting);
        output.write(table(models, measured), remarks, List.of(ModelCharts.waiting(models, measured)));
    }

    private double rate(Law law, int workers, double asked) {
        return load.utilisations.isEmpty() ? asked : asked * workers / law.mean();
    }

    private List<WaitingTime> models(Law law, double rate, int workers, List<String> remarks) {
        ServiceTime moments = ServiceTime.of(law);
        List<WaitingTime> models = new ArrayList<>();
        if (workers > 1) {
            models.add(new VaryingServiceWaiting(moments, rate, workers));
            models.add(new ExponentialServiceWaiting(law.mean(), rate, workers));
            return models;
        }
        WaitingTime exact = new InvertedWaiting(law, rate);
        models.add(new GammaWaiting(moments, rate));
        models.add(exact);
        ExponentialTailWaiting.of(moments, rate).ifPresentOrElse(models::add, () -> remarks.add("The exponential "
                + "approximation is left out: service varies too much for this utilisation."));
        models.add(new ConstantServiceWaiting(law.mean(), rate));
        models.add(new ExponentialServiceWaiting(law.mean(), rate, 1));
        if (discrete.isAsked()) {
            models.add(discrete.queue(law, rate, exact, remarks));
        }
        return models;
    }

    private Table moments(Law law, double rate, List<String> remarks) {
        double[] raw = WaitingMoments.of(law, rate, moments);
        double utilisation = rate * law.mean();
        Table table = Table.of("k", "waiting", "of_those_that_wait");
        for (int k = 1; k <= moments; k++) {
            double scaled = raw[k] * Math.pow(US_PER_SECOND, k);
            table.add(k, Figures.significant(scaled), Figures.significant(scaled / utilisation));
        }
        remarks.add("Moments E[W^k] are in us^k, exact for Poisson arrivals.");
        return table;
    }

    private void sweep(Question question, List<Sweep.Axis> axes) throws IOException {
        boolean byRate = load.utilisations.isEmpty();
        List<String> figures = new ArrayList<>(List.of(byRate ? "utilisation" : "rate", "waits_percent", "mean"));
        Arrays.stream(percents).forEach(percent -> figures.add("p" + Figures.percent(percent)));
        boolean[] saturated = new boolean[1];
        Sweep sweep = new Sweep(axes, figures, numbers -> {
            Law law = question.law().apply(numbers[0]);
            double rate = rate(law, question.servers(), numbers[1]);
            double utilisation = rate * law.mean() / question.servers();
            double[] point = new double[figures.size()];
            Arrays.fill(point, Double.NaN);
            point[0] = byRate ? utilisation : rate;
            saturated[0] |= utilisation >= 1;
            if (utilisation < 1) {
                fill(point, question.servers() == 1 ? new InvertedWaiting(law, rate)
                        : new VaryingServiceWaiting(ServiceTime.of(law), rate, question.servers()));
            }
            return point;
        });
        List<String> remarks = question.remarks();
        remarks.add(0, "Waiting times [us]: %s. Arrivals are Poisson, service times independent.".formatted(
                question.servers() == 1 ? "M/GI/1 inversion" : "M/GI/" + question.servers() + " Allen–Cunneen"));
        if (saturated[0]) {
            remarks.add("At a utilisation of 1 or more the queue grows without end, so there are no waiting times.");
        }
        output.write(sweep.table(), remarks, charts(sweep, figures, measured(question, byRate)));
    }

    /** @return the mean wait of the run, if the sweep has its service times */
    private List<SweepChart.Point> measured(Question question, boolean byRate) {
        return question.measured().filter(broker -> !service.areGiven()).map(broker -> new SweepChart.Point(
                "mean, measured", byRate ? broker.rate() : broker.rate() * broker.service().mean() / broker.workers(),
                broker.waiting().mean())).stream().toList();
    }

    private void fill(double[] point, WaitingTime waiting) {
        point[1] = PER_CENT * (1 - waiting.within(0));
        point[MEAN] = waiting.mean() * US_PER_SECOND;
        for (int i = 0; i < percents.length; i++) {
            point[MEAN + 1 + i] = waiting.quantile(percents[i] / PER_CENT) * US_PER_SECOND;
        }
    }

    /** @return one chart of all figures if there is one line, else a chart of each */
    private static List<Chart> charts(Sweep sweep, List<String> figures, List<SweepChart.Point> measured) {
        String over = "Waiting for a worker over " + sweep.abscissa();
        int[] shown = IntStream.range(MEAN, figures.size()).toArray();
        if (sweep.hasOneLine()) {
            return List.of(sweep.chart(new SweepChart.Labels("waiting_over_" + sweep.abscissa(), over, sweep.abscissa(),
                    "waiting time", true), measured, shown));
        }
        return Arrays.stream(shown).mapToObj(figure -> sweep.chart(new SweepChart.Labels("waiting_"
                + figures.get(figure) + "_over_" + sweep.abscissa(), over + " · " + figures.get(figure),
                sweep.abscissa(), "waiting time", true), figure)).toList();
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
