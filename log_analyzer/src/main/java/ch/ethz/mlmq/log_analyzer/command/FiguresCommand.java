package ch.ethz.mlmq.log_analyzer.command;

import ch.ethz.mlmq.log_analyzer.analysis.Comparison;
import ch.ethz.mlmq.log_analyzer.analysis.Metric;
import ch.ethz.mlmq.log_analyzer.analysis.RunGroup;
import ch.ethz.mlmq.log_analyzer.command.options.ConfidenceOption;
import ch.ethz.mlmq.log_analyzer.command.options.FigureOptions;
import ch.ethz.mlmq.log_analyzer.command.options.RunArguments;
import ch.ethz.mlmq.log_analyzer.command.options.TableOptions;
import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the figures of one run, or of repetitions. */
@Command(name = "figures", sortOptions = false, description = {
    "Prints the figures of a run in its measurement interval, with confidence intervals. Write repetitions as "
            + "A1.zip,A2.zip.",
    "Percentiles are of all requests. A failed request counts as longer than any with a response."})
final class FiguresCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "RUN", description = "A folder or zip of logs.")
    private String run;

    @Mixin
    private FigureOptions figures;

    @Mixin
    private ConfidenceOption confidence;

    @Mixin
    private TableOptions table;

    @Override
    public Integer call() throws IOException {
        figures.named(); // checked before any file is read
        List<RunGroup> groups = RunArguments.read(List.of(run), figures.types(), false, table.complaints());
        RunArguments.remarks(groups).forEach(spec.commandLine().getErr()::println);
        RunGroup group = groups.get(0);
        Table rows = Table.of("figure", "unit", "value", "low", "high", "at_least", "reason", "clock_error");
        Distribution all = group.runs().stream().map(each -> each.durations()).reduce(Distribution.EMPTY,
                Distribution::plus);
        rows.add("requests", "", all.all(), null, null, null, "", null);
        rows.add("answered", "", all.count(), null, null, null, "", null);
        for (Metric metric : figures.of(new Comparison(groups, confidence.level()))) {
            Interval interval = group.interval(metric, confidence.level());
            double value = group.estimate(metric).value();
            rows.add(metric.name(), metric.unit(), value, interval.low(), interval.high(),
                    Double.isInfinite(value) ? (Object) group.atLeast(metric) : null, interval.doubt().words(),
                    group.clockError(metric));
        }
        if (group.firstMessages() > 0) {
            rows.add("first_count", "", group.firstMessages(), null, null, null, "", null);
        }
        if (all.count() > 0) {
            rows.add("max", "us", all.max(), null, null, null, "", null);
        }
        table.write(rows, Figures.percent(confidence.level() * 100) + " % intervals. at_least: the figure lies among "
                + "failed requests, or a load did not recover, and is at least this. max: of requests with a "
                + "response. first_count: subscriptions whose first message was timed. clock_error: the interval "
                + "allows for clocks of different machines that differ by this.");
        return 0;
    }
}
