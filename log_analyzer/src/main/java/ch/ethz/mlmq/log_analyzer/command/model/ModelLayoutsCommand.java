package ch.ethz.mlmq.log_analyzer.command.model;

import ch.ethz.mlmq.log_analyzer.model.Layouts;
import ch.ethz.mlmq.log_analyzer.plot.ModelCharts;
import ch.ethz.mlmq.log_analyzer.plot.SweepChart;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares brokers at the publishers with brokers at the subscribers. */
@Command(name = "layouts", sortOptions = false, description = {
    "Compares one broker for each publisher with one for each subscriber: the highest rate of all publishers, and "
            + "the load of the network at that rate.",
    "Each subscriber has its own filters. Copies are those of a message to all subscribers.",
    "Several numbers of one of them make a sweep: a row for each."})
final class ModelLayoutsCommand implements Callable<Integer> {
    private static final String ASSUMED = "The model assumes equal machines, equal rates, and processors as the only "
            + "limit of brokers.";
    private static final int COPIES = 3;
    private static final int LOAD_AT_SUBSCRIBERS = 3;

    @Mixin
    private CostOptions costs;

    @Option(names = {"--publishers", "-publishers"}, paramLabel = "N", required = true, split = ",",
            description = "Publishers, one or more, e.g. 50 or 1..1000.")
    private List<String> publishers;

    @Option(names = {"--subscribers", "-subscribers"}, paramLabel = "M", required = true, split = ",",
            description = "Subscribers, one or more, e.g. 50 or 1..1000.")
    private List<String> subscribers;

    @Option(names = {"--filters", "-filters"}, paramLabel = "N", split = ",",
            description = "Filters of each subscriber. Default: 1.")
    private List<String> filters = List.of("1");

    @Mixin
    private ModelOutput output;

    @Override
    public Integer call() throws IOException {
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
