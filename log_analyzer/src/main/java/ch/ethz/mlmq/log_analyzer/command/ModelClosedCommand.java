package ch.ethz.mlmq.log_analyzer.command;

import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.model.ClosedNetwork;
import ch.ethz.mlmq.log_analyzer.model.RunStations;
import ch.ethz.mlmq.log_analyzer.model.Station;
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
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Throughput and response time of any number of clients, from one run. */
@Command(name = "closed", sortOptions = false, description = {
    "Predicts throughput, response time and utilisation for numbers of clients that wait for answers, from one run's breakdown.",
    "What no option changes stays as it was in the run; a request costs each station what it cost then."})
final class ModelClosedCommand implements Callable<Integer> {
    private static final double US_PER_SECOND = 1e6;
    private static final int MOST_ROWS = 10_000;
    private static final Pattern RANGE = Pattern.compile("(\\d{1,6})\\.\\.(\\d{1,6})");

    @Mixin
    private LogOptions logs;

    @Option(names = {"-clients", "--clients"}, paramLabel = "N", split = ",", required = true,
            description = "Numbers or ranges, e.g. 1..500 or 10,20,50.")
    private List<String> clients;

    @Mixin
    private WhatIfOptions whatIf;

    @Option(names = {"--approximate", "-approximate"},
            description = "Schweitzer's approximation instead of the exact answer.")
    private boolean approximate;

    @Mixin
    private ModelOutput output;

    @Override
    public Integer call() throws IOException {
        List<Integer> numbers = numbers();
        whatIf.check();
        try (Run run = logs.open()) {
            RunStations was = RunStations.of(run, logs.cut(run));
            RunStations asked = whatIf.asked(was);
            predict(was, asked, numbers);
        }
        return 0;
    }

    private void predict(RunStations was, RunStations asked, List<Integer> numbers) throws IOException {
        ClosedNetwork network = asked.network(IntStream.range(0, asked.brokers())
                .mapToObj(i -> broker(asked, "broker " + i)).toList());
        List<ClosedNetwork.Answer> answers = answers(network, numbers);
        Station bottleneck = network.bottleneck();
        int measuredTo = asked.equals(was) && whatIf.batch().isEmpty() ? was.clients() : 0;
        Table table = Table.of("clients", "throughput", "response_us", "thinking", "network", "broker_percent",
                "measured");
        for (ClosedNetwork.Answer answer : answers) {
            table.add(answer.clients(), answer.throughput(), answer.response() * US_PER_SECOND,
                    answer.utilisations()[0],
                    answer.utilisations()[1], answer.utilisations()[2] * 100,
                    answer.clients() <= measuredTo ? "within" : "beyond");
        }
        List<String> remarks = new ArrayList<>(asked.remarks());
        remarks.add("%s binds: at most %s /s, reached from about %s clients on. thinking, network: clients there on average.".formatted(
                asked.brokers() == 1 ? "The broker" : "Each broker", Figures.forPeople(bottleneck.capacity()),
                Figures.forPeople(Math.ceil(network.knee()))) + inside(asked));
        remarks.add(calibration(was));
        if (answers.stream().anyMatch(answer -> answer.clients() > measuredTo)) {
            remarks.add("Beyond: not measured. It holds while a request costs each station what it cost with %d clients.".formatted(was.clients()));
        }
        output.write(table, remarks, List.of(ModelCharts.throughput(answers, was, measuredTo),
                ModelCharts.response(answers, was, measuredTo)));
    }

    private Station broker(RunStations asked, String name) {
        double share = 1.0 / asked.brokers();
        return whatIf.batch().map(batch -> Station.batches(name, batch.fixed() * share, batch.each() * share,
                batch.most(),
                asked.workers())).orElseGet(() -> asked.broker(name));
    }

    private List<ClosedNetwork.Answer> answers(ClosedNetwork network, List<Integer> numbers) {
        if (approximate) {
            return numbers.stream().map(n -> network.approximate(n, 0)).toList();
        }
        List<ClosedNetwork.Answer> all = network.exact(numbers.get(numbers.size() - 1), 0);
        return numbers.stream().map(n -> all.get(n - 1)).toList();
    }

    /** What the model says of the run itself. */
    private String calibration(RunStations was) {
        ClosedNetwork network = was.network(IntStream.range(0, was.brokers()).mapToObj(i -> broker(was, "broker"))
                .toList());
        ClosedNetwork.Answer answer = approximate || !network.isSmall(was.clients())
                ? network.approximate(was.clients(), 0)
                : network.exact(was.clients(), 0).get(was.clients() - 1);
        return "Of the run itself (%d clients) the model says %s /s, measured %s /s: %s %%.".formatted(was.clients(),
                Figures.forPeople(answer.throughput()), Figures.forPeople(was.throughput()),
                Figures.rounded(100 * (answer.throughput() / was.throughput() - 1), 1));
    }

    private String inside(RunStations asked) {
        if (whatIf.batch().isPresent()) {
            return "";
        }
        boolean pool = asked.database() / asked.pool() > (asked.worker() + asked.database()) / asked.workers();
        return pool ? " Its %d connections bind, not its %d workers.".formatted(asked.pool(), asked.workers())
                : " Its %d workers bind, not its %d connections.".formatted(asked.workers(), asked.pool());
    }

    private List<Integer> numbers() {
        List<Integer> numbers = new ArrayList<>();
        for (String text : clients) {
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
            throw new UsageException("-clients must lie between 1 and %d, ranges ascending.".formatted(WhatIfOptions.MOST_CLIENTS));
        }
        return numbers.stream().distinct().sorted().toList();
    }
}
