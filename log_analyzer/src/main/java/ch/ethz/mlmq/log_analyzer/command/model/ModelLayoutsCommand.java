package ch.ethz.mlmq.log_analyzer.command.model;

import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.model.Layouts;
import ch.ethz.mlmq.log_analyzer.model.measured.MeasuredLayout;
import ch.ethz.mlmq.log_analyzer.plot.ModelCharts;
import ch.ethz.mlmq.log_analyzer.plot.SweepChart;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares brokers at the publishers with brokers at the subscribers. */
@Command(name = "layouts", sortOptions = false, description = {
    "Compares one broker for each publisher with one for each subscriber: the highest rate of all publishers, and "
            + "the load of the network at that rate.",
    "Each subscriber has its own filters. Copies are those of a message to all subscribers.",
    "Several numbers of one of them make a sweep: a row for each.",
    "With RUN it prints what runs with client.topic.layout measured, and beside it the formula, if --receive is "
            + "given. Its CSV is a table for 'model fit --form 1,broker_filters,broker_copies'."})
final class ModelLayoutsCommand implements Callable<Integer> {
    private static final String ASSUMED = "The model assumes equal machines, equal rates, and processors as the only "
            + "limit of brokers.";
    private static final double PER_CENT = 100;
    private static final int COPIES = 3;
    private static final int LOAD_AT_SUBSCRIBERS = 3;

    @Mixin
    private CostOptions costs;

    @Parameters(paramLabel = "RUN", arity = "0..*", description = "Zips or folders of runs.")
    private List<Path> runs = List.of();

    @Option(names = {"--publishers", "-publishers"}, paramLabel = "N", split = ",",
            description = "Publishers, one or more, e.g. 50 or 1..1000.")
    private List<String> publishers = List.of();

    @Option(names = {"--subscribers", "-subscribers"}, paramLabel = "M", split = ",",
            description = "Subscribers, one or more, e.g. 50 or 1..1000.")
    private List<String> subscribers = List.of();

    @Option(names = {"--filters", "-filters"}, paramLabel = "N", split = ",",
            description = "Filters of each subscriber. Default: 1.")
    private List<String> filters = List.of("1");

    @Mixin
    private ModelOutput output;

    @Override
    public Integer call() throws IOException {
        boolean numbers = !publishers.isEmpty() && !subscribers.isEmpty();
        if (runs.isEmpty() ? !numbers : !publishers.isEmpty() || !subscribers.isEmpty()) {
            throw new UsageException("model layouts takes either RUN, or --publishers and --subscribers.");
        }
        if (!runs.isEmpty()) {
            measured();
            return 0;
        }
        List<Sweep.Axis> axes = List.of(new Sweep.Axis("publishers", numbers("--publishers", publishers, true)),
                new Sweep.Axis("subscribers", numbers("--subscribers", subscribers, true)),
                new Sweep.Axis("filters", numbers("--filters", filters, false)),
                new Sweep.Axis("copies", costs.copies()));
        if (Sweep.isOne(axes)) {
            sweep(axes);
            return 0;
        }
        Layouts layouts = layouts(axes.stream().mapToDouble(axis -> axis.values().get(0)).toArray());
        Table table = Table.of("brokers", "highest_rate", "network_load");
        table.add("at publishers", layouts.publisherSide(), layouts.publisherSideLoad(layouts.publisherSide()));
        table.add("at subscribers", layouts.subscriberSide(), layouts.subscriberSideLoad(layouts.subscriberSide()));
        output.write(table,
                List.of(("With more than %s publishers, brokers at the publishers reach the higher rate. Rates are "
                        + "in 1/s, of all publishers.").formatted(Figures.plain(layouts.breakEvenPublishers())),
                ASSUMED), List.of(ModelCharts.layouts(layouts)));
        return 0;
    }

    private void measured() throws IOException {
        List<MeasuredLayout> layouts = new ArrayList<>();
        for (Path path : runs) {
            try (Run run = Run.open(path, output.complaints())) {
                layouts.add(MeasuredLayout.of(run));
            }
        }
        boolean computed = costs.areGiven();
        Table table = Table.of("brokers", "publishers", "subscribers", "copies", "rate", "broker_filters",
                "broker_copies", "time", "measured", "computed", "percent");
        for (MeasuredLayout each : layouts) {
            double measured = each.capacity(costs.utilisation());
            double formula = computed ? formula(each) : Double.NaN;
            table.add(each.atPublishers() ? "at publishers" : "at subscribers", each.publishers(), each.subscribers(),
                    each.copies(), each.rate(), each.filtersAtBroker(), each.copiesAtBroker(),
                    Figures.significant(each.serviceTime()), measured, formula,
                    (formula / measured - 1) * PER_CENT);
        }
        List<String> remarks = new ArrayList<>(breakEvens(layouts, computed));
        remarks.add("time [s] is the processor time of a broker for each message it received; the measured highest "
                + "rate [1/s] of all publishers is that of brokers with one processor each. Brokers at the subscribers "
                + "are computed with the copies that one of them sends.");
        output.write(table, remarks, List.of());
    }

    private double formula(MeasuredLayout run) {
        Layouts layouts = layouts(run.publishers(), run.subscribers(), run.filters(), run.copiesAtBroker());
        return run.atPublishers() ? layouts.publisherSide() : layouts.subscriberSide();
    }

    /** @return for each number of subscribers with runs of both layouts, how many publishers make both equal */
    private List<String> breakEvens(List<MeasuredLayout> layouts, boolean computed) {
        Map<List<Double>, List<MeasuredLayout>> alike = layouts.stream().collect(Collectors.groupingBy(each ->
                List.of(each.subscribers(), each.filters()), LinkedHashMap::new, Collectors.toList()));
        List<String> sentences = new ArrayList<>();
        alike.forEach((key, runs) -> {
            double measured = mean(runs, true, MeasuredLayout::serviceTime)
                    / mean(runs, false, MeasuredLayout::serviceTime);
            double formula = computed ? mean(runs, true, this::computedTime) / mean(runs, false, this::computedTime)
                    : Double.NaN;
            if (measured > 0) {
                sentences.add(("With %s subscribers of %s filters, brokers at the publishers reach the higher rate "
                        + "with more than %s publishers as measured%s.").formatted(Figures.plain(key.get(0)),
                        Figures.plain(key.get(1)), Figures.plain(measured),
                        formula > 0 ? ", " + Figures.plain(formula) + " as computed" : ""));
            }
        });
        return sentences;
    }

    private double computedTime(MeasuredLayout run) {
        return costs.costs("0", 1).serviceTime(run.filtersAtBroker(), 0, run.copiesAtBroker());
    }

    private static double mean(List<MeasuredLayout> runs, boolean atPublishers,
            ToDoubleFunction<MeasuredLayout> time) {
        return runs.stream().filter(each -> each.atPublishers() == atPublishers).mapToDouble(time).average()
                .orElse(Double.NaN);
    }

    private void sweep(List<Sweep.Axis> axes) throws IOException {
        Sweep sweep = new Sweep(axes, List.of("at_publishers", "at_subscribers", "load_at_publishers",
                "load_at_subscribers", "break_even_publishers"), numbers -> {
            Layouts each = layouts(numbers);
            return new double[] {each.publisherSide(), each.subscriberSide(),
                    each.publisherSideLoad(each.publisherSide()), each.subscriberSideLoad(each.subscriberSide()),
                    each.breakEvenPublishers()};
        });
        String over = sweep.abscissa();
        output.write(sweep.table(), List.of("Rates are in 1/s, of all publishers.", ASSUMED), List.of(
                sweep.chart(new SweepChart.Labels("layouts", "Brokers at the publishers or at the subscribers", over,
                        "highest rate of all publishers [1/s]", false), 0, 1),
                sweep.chart(new SweepChart.Labels("layouts_load", "Load of the network at the highest rate", over,
                        "messages [1/s]", false), 2, LOAD_AT_SUBSCRIBERS)));
    }

    /** @param numbers publishers, subscribers, filters and copies */
    private Layouts layouts(double... numbers) {
        return new Layouts(costs.costs("0", 1), costs.utilisation(), numbers[0], numbers[1], numbers[2],
                numbers[COPIES]);
    }

    private static List<Double> numbers(String option, List<String> texts, boolean positive) {
        return OptionValues.numbers(option, texts).stream()
                .map(number -> positive ? OptionValues.positive(option, number) : number).toList();
    }
}
