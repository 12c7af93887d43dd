package ch.ethz.mlmq.log_analyzer.command.model;

import ch.ethz.mlmq.log_analyzer.model.Layouts;
import ch.ethz.mlmq.log_analyzer.plot.ModelCharts;
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
    "Each subscriber has its own filters. Copies are those of a message to all subscribers."})
final class ModelLayoutsCommand implements Callable<Integer> {
    @Mixin
    private CostOptions costs;

    @Option(names = {"--publishers", "-publishers"}, paramLabel = "N", required = true,
            description = "Publishers; one or more.")
    private double publishers;

    @Option(names = {"--subscribers", "-subscribers"}, paramLabel = "M", required = true,
            description = "Subscribers; one or more.")
    private double subscribers;

    @Option(names = {"--filters", "-filters"}, paramLabel = "N",
            description = "Filters of each subscriber. Default: 1.")
    private double filters = 1;

    @Mixin
    private ModelOutput output;

    @Override
    public Integer call() throws IOException {
        OptionValues.positive("--publishers", publishers);
        OptionValues.positive("--subscribers", subscribers);
        OptionValues.notNegative("--filters", filters);
        Layouts layouts = new Layouts(costs.costs("0", 1), costs.utilisation(), publishers, subscribers, filters,
                costs.copies());
        Table table = Table.of("brokers", "highest_rate", "network_load");
        table.add("at publishers", layouts.publisherSide(), layouts.publisherSideLoad(layouts.publisherSide()));
        table.add("at subscribers", layouts.subscriberSide(), layouts.subscriberSideLoad(layouts.subscriberSide()));
        output.write(table,
                List.of(("With more than %s publishers, brokers at the publishers reach the higher rate. Rates are "
                        + "in 1/s, of all publishers.").formatted(Figures.plain(layouts.breakEvenPublishers())),
                "The model assumes equal machines, equal rates, and processors as the only limit of brokers."),
                List.of(ModelCharts.layouts(layouts)));
        return 0;
    }
}
