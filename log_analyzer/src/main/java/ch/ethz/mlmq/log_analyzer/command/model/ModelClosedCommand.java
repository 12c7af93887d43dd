package ch.ethz.mlmq.log_analyzer.command.model;

import ch.ethz.mlmq.log_analyzer.command.options.ConfidenceOption;
import ch.ethz.mlmq.log_analyzer.command.options.LogOptions;
import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.model.measured.MeasuredStations;
import ch.ethz.mlmq.log_analyzer.model.measured.Prediction;
import ch.ethz.mlmq.log_analyzer.model.measured.RunStations;
import ch.ethz.mlmq.log_analyzer.model.network.ClosedNetwork;
import ch.ethz.mlmq.log_analyzer.plot.ModelCharts;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Predicts throughput and response time of any number of clients, from one run. */
@Command(name = "closed", sortOptions = false, description = {
    "Predicts throughput, response time and utilisation for numbers of clients that wait for responses, from the "
            + "breakdown of a run.",
    "Options change the system; everything else, and the cost of a request at each station, is as in the run.",
    "With --rate instead of -clients it predicts for Poisson arrivals, which do not wait for responses.",
    "-fmt json includes the stations, the bottleneck, and what was not measured."})
final class ModelClosedCommand implements Callable<Integer> {
    private static final double US_PER_SECOND = 1e6;
    private static final double PER_CENT = 100;
    private static final int MOST_ROWS = 10_000;
    private static final Pattern RANGE = Pattern.compile("(\\d{1,6})\\.\\.(\\d{1,6})");

    @Mixin
    private LogOptions logs;

    /** The senders of requests. */
    private static final class Load {
        @Option(names = {"-clients", "--clients"}, paramLabel = "N", split = ",",
                description = "Numbers or ranges of clients, e.g. 1..500 or 10,20,50. -fmt json is of the last.")
        private List<String> clients = List.of();

        @Option(names = {"--rate", "-rate"}, paramLabel = "RATE", split = ",",
                description = "Rates of arrivals instead of -clients, e.g. 1000/s,2000/s.")
        private List<String> rates = List.of();
    }

    @ArgGroup(multiplicity = "1")
    private Load load;

    @Mixin
    private WhatIfOptions whatIf;

    @Option(names = {"--approximate", "-approximate"},
            description = "Uses Schweitzer's approximation instead of the exact solution.")
    private boolean approximate;

    @Mixin
    private ConfidenceOption confidence;

    @Mixin
    private ModelOutput output;

    @Override
    public Integer call() throws IOException {
        List<Integer> numbers = load.clients.isEmpty() ? List.of() : numbers();
        List<Double> asked = load.rates.stream().map(rate -> OptionValues.rate("--rate", rate)).sorted().toList();
        whatIf.check();
        double level = confidence.level();
        try (Run run = logs.open()) {
            MeasuredStations measured = MeasuredStations.of(run, logs.cut(run));
            WhatIf answer = new WhatIf(run.name(), measured, whatIf, approximate, level);
            if (!asked.isEmpty()) {
                refuseWhatIsTooFast(answer, asked);
            }
            List<Prediction.Point> points = asked.isEmpty() ? answer.prediction().closed(numbers)
                    : answer.prediction().open(asked);
            if (output.isJson()) {
                output.write(new WhatIfJson(answer, points, asked.isEmpty()).text());
            } else {
                write(answer, points, asked.isEmpty());
            }
        }
        return 0;
    }

    private static void refuseWhatIsTooFast(WhatIf answer, List<Double> asked) {
        double capacity = answer.asked().closedNetwork().bottleneck().capacity();
        double most = asked.get(asked.size() - 1);
        if (most >= capacity) {
            throw new DataException(("%s /s are more than the predicted capacity of %s /s, so the queue would grow "
                    + "without end. Give a lower --rate, or -clients.").formatted(
                            Figures.forPeople(most), Figures.forPeople(capacity)));
        }
    }

    private void write(WhatIf answer, List<Prediction.Point> points, boolean closed) throws IOException {
        RunStations asked = answer.asked();
        Table table = Table.of(closed ? "clients" : "rate", "throughput", "response_us", "thinking", "network",
                "broker_percent", "throughput_low", "throughput_high", "response_low_us", "response_high_us",
                "measured");
        double capacity = asked.closedNetwork().bottleneck().capacity();
        for (Prediction.Point point : points) {
            double rate = point.throughput().value();
            table.add(closed ? (Object) (int) point.load() : (Object) point.load(), rate,
                    point.response().value() * US_PER_SECOND, closed ? rate * asked.load().thinking() : null,
                    rate * asked.demands().network(), rate / capacity * PER_CENT, point.throughput().interval().low(),
                    point.throughput().interval().high(), point.response().interval().low() * US_PER_SECOND,
                    point.response().interval().high() * US_PER_SECOND,
                    answer.isMeasured(point, closed) ? "within" : "beyond");
        }
        List<String> remarks = new ArrayList<>(asked.remarks());
        ClosedNetwork network = asked.closedNetwork();
        String most = answer.batchNotTold().isPresent() ? "from a rate that this run does not determine"
                : "at most %s /s".formatted(Figures.forPeople(capacity)) + (closed
                ? ", reached from about " + Figures.forPeople(Math.ceil(network.knee())) + " clients on" : "");
        remarks.add("%s is the bottleneck: %s. thinking, network: mean number of clients there.".formatted(
                asked.servers().brokers() == 1 ? "The broker" : "Each broker", most) + " " + answer.bindsInWords());
        answer.notExplained().ifPresent(remarks::add);
        answer.batchNotTold().ifPresent(remarks::add);
        answer.processorsShort(points).ifPresent(remarks::add);
        remarks.add(answer.calibrationInWords());
        remarks.addAll(answer.notMeasured(points, closed));
        output.write(table, remarks, closed ? List.of(
                ModelCharts.throughput(points, answer.was(), answer.measuredTo()),
                ModelCharts.response(points, answer.was(), answer.measuredTo())) : List.of());
    }

    private List<Integer> numbers() {
        List<Integer> numbers = new ArrayList<>();
        for (String text : load.clients) {
            Matcher range = RANGE.matcher(text);
            if (range.matches()) {
                int from = Integer.parseInt(range.group(1));
                int to = Integer.parseInt(range.group(2));
                int step = Math.max(1, (to - from) / MOST_ROWS);
                for (int n = from; n <= to; n += step) {
                    numbers.add(n);
                }
            } else if (text.matches("\\d{1,6}")) {
                numbers.add(Integer.parseInt(text));
            } else {
                throw new UsageException("-clients takes numbers or ranges such as 1..500, not '" + text + "'.");
            }
        }
        if (numbers.isEmpty() || numbers.stream().anyMatch(n -> n < 1 || n > WhatIfOptions.MOST_CLIENTS)) {
            throw new UsageException("-clients must lie between 1 and %d, ranges ascending."
                    .formatted(WhatIfOptions.MOST_CLIENTS));
        }
        return numbers.stream().distinct().sorted().toList();
    }
}
