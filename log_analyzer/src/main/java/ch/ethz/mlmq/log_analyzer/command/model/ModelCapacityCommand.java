package ch.ethz.mlmq.log_analyzer.command.model;

import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.model.BrokerCosts;
import ch.ethz.mlmq.log_analyzer.model.waiting.Copies;
import ch.ethz.mlmq.log_analyzer.model.waiting.GammaWaiting;
import ch.ethz.mlmq.log_analyzer.model.waiting.ServiceTime;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Predicts the capacity of one broker. */
@Command(name = "capacity", sortOptions = false, description = {
    "Predicts the highest rate of a broker at a utilisation, the waiting times at that rate, and when filters pay.",
    "model fit gives the times. Service time = receive + filters^exponent filter + different filters different + "
            + "copies send."})
final class ModelCapacityCommand implements Callable<Integer> {
    private static final double US_PER_SECOND = 1e6;

    /** Variation of the number of copies from message to message. */
    enum Spread { CONSTANT, BINOMIAL, ALL_OR_NONE }

    @Mixin
    private CostOptions costs;

    @Option(names = {"--filters", "-filters"}, paramLabel = "N", description = "Filters installed. Default: 0.")
    private double filters;

    @Option(names = {"--different", "-different"}, paramLabel = "TIME",
            description = "Time that each different filter adds. Default: 0.")
    private String different = "0";

    @Option(names = {"--different-filters", "-different-filters"}, paramLabel = "N",
            description = "Filters that differ from each other. Default: 0.")
    private double differentFilters;

    @Option(names = {"--exponent", "-exponent"}, paramLabel = "E",
            description = "Exponent of the number of filters. Default: 1.")
    private double exponent = 1;

    @Option(names = {"--spread", "-spread"}, paramLabel = "constant|binomial|all_or_none",
            description = "Distribution of the number of copies: constant, each filter alone, or all filters or "
                    + "none. Default: constant.")
    private Spread spread = Spread.CONSTANT;

    @Option(names = {"--overall", "-overall"}, paramLabel = "RATE",
            description = "Cap on received and sent messages together, e.g. 50000/s. Default: none.")
    private String overall;

    @Mixin
    private ModelOutput output;

    @Override
    public Integer call() throws IOException {
        OptionValues.notNegative("--filters", filters);
        OptionValues.notNegative("--different-filters", differentFilters);
        OptionValues.positive("--exponent", exponent);
        BrokerCosts broker = costs.costs(different, exponent);
        double copies = costs.copies();
        double utilisation = costs.utilisation();
        ServiceTime service = ServiceTime.of(broker.filtering(filters, differentFilters), broker.send(),
                copies(copies));
        double rate = broker.capacity(utilisation, filters, differentFilters, copies);
        List<String> remarks = new ArrayList<>(List.of("The model takes the processor as the only limit of the "
                + "broker. The broker checks every filter for every message."));
        Table table = Table.of("figure", "value", "unit");
        table.add("service_time", service.first() * US_PER_SECOND, "us");
        table.add("service_time_cv", service.cv(), "");
        double capped = overall == null ? rate : Math.min(rate, OptionValues.rate("--overall", overall) / (copies + 1));
        table.add("received", capped, "1/s");
        table.add("sent", capped * copies, "1/s");
        table.add("overall", capped * (copies + 1), "1/s");
        if (capped < rate) {
            remarks.add("The cap on received and sent messages binds, not the broker's time.");
        }
        if (utilisation < 1) {
            GammaWaiting waiting = new GammaWaiting(service, capped);
            table.add("waiting_mean", waiting.mean() * US_PER_SECOND, "us");
            table.add("waiting_p99", waiting.quantile(0.99) * US_PER_SECOND, "us");
            table.add("waiting_p99.99", waiting.quantile(0.9999) * US_PER_SECOND, "us");
            remarks.add("Waiting times: M/GI/1 gamma, with Poisson arrivals.");
        }
        if (broker.send() > 0 && broker.filter() > 0 && exponent == 1) {
            table.add("a_filter_pays_below_share", broker.breakEvenShare(1), "");
            table.add("filters_pay_up_to", broker.breakEvenFilters(Math.max(1, copies)), "");
            remarks.add("A consumer's filter raises the capacity if it selects less than that share of the messages. "
                    + "Filters that leave one copy of " + Figures.plain(copies) + " pay up to that number.");
        }
        output.write(table, remarks, List.of());
        return 0;
    }

    private Copies copies(double mean) {
        if (spread == Spread.CONSTANT) {
            return Copies.constant(mean);
        }
        if (!(filters >= 1) || mean > filters) {
            throw new UsageException("--spread needs at least as many --filters as --copies.");
        }
        return spread == Spread.BINOMIAL ? Copies.binomial(filters, mean / filters)
                : Copies.allOrNone(filters, mean / filters);
    }
}
