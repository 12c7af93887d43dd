package ch.ethz.mlmq.log_analyzer.command.model;

import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.model.BrokerCosts;
import ch.ethz.mlmq.log_analyzer.model.waiting.Copies;
import ch.ethz.mlmq.log_analyzer.model.waiting.GammaWaiting;
import ch.ethz.mlmq.log_analyzer.model.waiting.ServiceTime;
import ch.ethz.mlmq.log_analyzer.plot.SweepChart;
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
            + "copies send.",
    "Several numbers of filters, different filters or copies make a sweep: a row for each."})
final class ModelCapacityCommand implements Callable<Integer> {
    private static final double US_PER_SECOND = 1e6;
    private static final String ASSUMED = "The model takes the processor as the only limit of the broker. The broker "
            + "checks every filter for every message.";
    /** Figures of a sweep. */
    private static final int OVERALL = 2;
    private static final int WAITING = 5;

    /** Variation of the number of copies from message to message. */
    enum Spread { CONSTANT, BINOMIAL, ALL_OR_NONE }

    @Mixin
    private CostOptions costs;

    @Option(names = {"--filters", "-filters"}, paramLabel = "N", split = ",",
            description = "Filters installed, e.g. 100 or 1..200. Default: 0.")
    private List<String> filters = List.of("0");

    @Option(names = {"--different", "-different"}, paramLabel = "TIME",
            description = "Time that each different filter adds. Default: 0.")
    private String different = "0";

    @Option(names = {"--different-filters", "-different-filters"}, paramLabel = "N", split = ",",
            description = "Filters that differ from each other. Default: 0.")
    private List<String> differentFilters = List.of("0");

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

    /** A broker at its highest rate. @param rate without the cap [1/s] @param capped with it */
    private record Answer(ServiceTime service, double filters, double copies, double rate, double capped) {
        double overall() {
            return capped * (copies + 1);
        }
    }

    @Override
    public Integer call() throws IOException {
        OptionValues.positive("--exponent", exponent);
        BrokerCosts broker = costs.costs(different, exponent);
        List<Sweep.Axis> axes = List.of(
                new Sweep.Axis("copies", costs.copies()),
                new Sweep.Axis("filters", OptionValues.numbers("--filters", filters)),
                new Sweep.Axis("different_filters", OptionValues.numbers("--different-filters", differentFilters)));
        if (Sweep.isOne(axes)) {
            sweep(broker, axes);
        } else {
            write(broker, answer(broker, axes.stream().mapToDouble(axis -> axis.values().get(0)).toArray()));
        }
        return 0;
    }

    /** @param numbers copies, filters and different filters */
    private Answer answer(BrokerCosts broker, double... numbers) {
        double copies = numbers[0];
        double installed = numbers[1];
        ServiceTime service = ServiceTime.of(broker.filtering(installed, numbers[2]), broker.send(),
                copies(copies, installed));
        double rate = broker.capacity(costs.utilisation(), installed, numbers[2], copies);
        double capped = overall == null ? rate : Math.min(rate, OptionValues.rate("--overall", overall) / (copies + 1));
        return new Answer(service, installed, copies, rate, capped);
    }

    private void sweep(BrokerCosts broker, List<Sweep.Axis> axes) throws IOException {
        Sweep sweep = new Sweep(axes, List.of("received", "sent", "overall", "service_us", "service_cv",
                "waiting_mean_us", "waiting_p99_us", "waiting_p99.99_us"), numbers -> {
            Answer answer = answer(broker, numbers);
            double[] point = {answer.capped(), answer.capped() * answer.copies(), answer.overall(),
                    answer.service().first() * US_PER_SECOND, answer.service().cv(), Double.NaN, Double.NaN,
                    Double.NaN};
            if (costs.utilisation() < 1) {
                GammaWaiting waiting = new GammaWaiting(answer.service(), answer.capped());
                point[WAITING] = waiting.mean() * US_PER_SECOND;
                point[WAITING + 1] = waiting.quantile(0.99) * US_PER_SECOND;
                point[WAITING + 2] = waiting.quantile(0.9999) * US_PER_SECOND;
            }
            return point;
        });
        String over = sweep.abscissa().replace('_', ' ');
        output.write(sweep.table(), List.of(ASSUMED, "Rates are in 1/s."), List.of(
                sweep.chart(new SweepChart.Labels("capacity_received", "Highest rate of received messages over " + over,
                        over, "received [1/s]", false), 0),
                sweep.chart(new SweepChart.Labels("capacity_overall", "Highest rate of received and sent messages over "
                        + over, over, "received and sent [1/s]", false), OVERALL)));
    }

    private void write(BrokerCosts broker, Answer answer) throws IOException {
        if (output.isDrawn()) {
            throw new UsageException("model capacity has no chart of one broker: give a range, such as --filters "
                    + "1..200, or use -fmt csv, json or text.");
        }
        List<String> remarks = new ArrayList<>(List.of(ASSUMED));
        Table table = Table.of("figure", "value", "unit");
        table.add("service_time", answer.service().first() * US_PER_SECOND, "us");
        table.add("service_time_cv", answer.service().cv(), "");
        table.add("received", answer.capped(), "1/s");
        table.add("sent", answer.capped() * answer.copies(), "1/s");
        table.add("overall", answer.overall(), "1/s");
        if (answer.capped() < answer.rate()) {
            remarks.add("The cap on received and sent messages binds, not the broker's time.");
        }
        if (costs.utilisation() < 1) {
            GammaWaiting waiting = new GammaWaiting(answer.service(), answer.capped());
            table.add("waiting_mean", waiting.mean() * US_PER_SECOND, "us");
            table.add("waiting_p99", waiting.quantile(0.99) * US_PER_SECOND, "us");
            table.add("waiting_p99.99", waiting.quantile(0.9999) * US_PER_SECOND, "us");
            remarks.add("Waiting times: M/GI/1 gamma, with Poisson arrivals.");
        }
        if (broker.send() > 0 && broker.filter() > 0 && exponent == 1) {
            table.add("a_filter_pays_below_share", broker.breakEvenShare(1), "");
            table.add("filters_pay_up_to", broker.breakEvenFilters(Math.max(1, answer.copies())), "");
            remarks.add("A consumer's filter raises the capacity if it selects less than that share of the messages. "
                    + "Filters that leave one copy of " + Figures.plain(answer.copies()) + " pay up to that number.");
        }
        output.write(table, remarks, List.of());
    }

    private Copies copies(double mean, double installed) {
        if (spread == Spread.CONSTANT) {
            return Copies.constant(mean);
        }
        if (!(installed >= 1) || mean > installed) {
            throw new UsageException("--spread needs at least as many --filters as --copies.");
        }
        return spread == Spread.BINOMIAL ? Copies.binomial(installed, mean / installed)
                : Copies.allOrNone(installed, mean / installed);
    }
}
