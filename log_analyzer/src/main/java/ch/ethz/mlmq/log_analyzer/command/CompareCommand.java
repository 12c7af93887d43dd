package ch.ethz.mlmq.log_analyzer.command;

import ch.ethz.mlmq.log_analyzer.analysis.Comparison;
import ch.ethz.mlmq.log_analyzer.analysis.FailIf;
import ch.ethz.mlmq.log_analyzer.analysis.Metric;
import ch.ethz.mlmq.log_analyzer.analysis.RunGroup;
import ch.ethz.mlmq.log_analyzer.analysis.VariedNumber;
import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.plot.ComparisonCharts;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Differences between runs. */
@Command(name = "compare", sortOptions = false, description = {
    "Compares runs, or groups of repetitions, with the first of them: worst difference first, with its interval.",
    "A group is written A1.zip,A2.zip,A3.zip; a name may stand before it: slow=A1.zip,A2.zip."},
    footer = {"", "Exit code 3 where a limit of --fail-if is broken. Examples:",
        "  log_analyzer compare before.zip after.zip --fail-if \"p99 > +10 %%\" --fail-if \"errors > 1 %%\""})
final class CompareCommand implements Callable<Integer> {
    private static final int LIMIT_BROKEN = 3;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "RUNS", arity = "1..*", description = "The baseline, then what is compared with it.")
    private List<String> arguments;

    @Option(names = {"--fail-if", "-fail-if"}, paramLabel = "LIMIT",
            description = "'p99 > +10 %%', 'throughput < -5 %%' (changes), 'errors > 1 %%', 'mean > 20 ms' (figures).")
    private List<String> limits = List.of();

    @Option(names = {"--metric", "-metric"}, paramLabel = "FIGURE,FIGURE", split = ",",
            description = "throughput, errors, mean, median, p99 ... Default: ${DEFAULT-VALUE}.")
    private List<String> metrics = List.of("throughput", "mean", "median", "p95", "p99", "errors");

    @Option(names = "-type", paramLabel = "PREFIX", description = "Actions that count. Default: CSndReq#.")
    private List<String> types = List.of("CSndReq#");

    @Mixin
    private ConfidenceOption confidence;

    @Option(names = {"--plot", "-plot"}, paramLabel = "DIR",
            description = "Writes comparison.gp and, where the runs differ in a number, parameter_<figure>.gp there.")
    private Path plots;

    @Option(names = {"--over", "-over"}, paramLabel = "PATH",
            description = "That number, e.g. brokers.0.settings.workers. Default: the one in which they differ.")
    private String over;

    @Mixin
    private TableOptions table;

    @Override
    public Integer call() throws IOException {
        List<FailIf> failIfs = limits.stream().map(FailIf::parse).toList();
        List<Metric> wanted = metrics.stream().map(Metric::named).toList();
        double level = confidence.level();
        if (arguments.size() < 2) {
            throw new UsageException("compare needs a baseline and at least one other run.");
        }
        if (over != null && plots == null) {
            throw new UsageException("--over needs --plot.");
        }
        List<RunGroup> groups = RunArguments.read(arguments, types);
        for (RunGroup group : groups) {
            group.runs().stream().flatMap(run -> run.measured().sampling().remark().stream()).distinct()
                    .forEach(remark -> spec.commandLine().getErr().println(group.name() + ": " + remark));
        }
        Comparison comparison = new Comparison(groups, level);
        Table differences = Table.of("run", "figure", "unit", "baseline", "value", "difference", "low", "high",
                "percent", "percent_low", "percent_high", "verdict");
        comparison.differences(wanted).forEach(each -> differences.add(each.group(), each.metric().name(),
                each.metric().unit(), each.baseline(), each.value(), each.difference(), each.interval().low(),
                each.interval().high(), each.percent(), each.percentLow(), each.percentHigh(), each.verdict().words()));
        table.write(differences, "Differences from " + groups.get(0).name() + " with " + Figures.percent(level * 100)
                + " % intervals; within noise: the interval holds no difference.");
        if (plots != null) {
            plot(comparison, groups, wanted, level);
        }
        return checkLimits(failIfs, comparison, groups);
    }

    private void plot(Comparison comparison, List<RunGroup> groups, List<Metric> wanted, double level) throws IOException {
        ComparisonCharts.comparison(comparison.differences(wanted), groups).writeTo(plots);
        Optional<VariedNumber> varied = VariedNumber.in(groups, over);
        if (varied.isEmpty() && over != null) {
            throw new DataException("The runs do not differ in a number at " + over + ".");
        }
        if (varied.isPresent()) {
            for (Metric metric : wanted) {
                ComparisonCharts.parameter(groups, varied.get().values(), varied.get().name(), metric, level)
                        .writeTo(plots);
            }
        }
    }

    private int checkLimits(List<FailIf> failIfs, Comparison comparison, List<RunGroup> groups) {
        int exitCode = 0;
        for (FailIf limit : failIfs) {
            for (RunGroup group : groups.subList(1, groups.size())) {
                Comparison.Difference difference = comparison.difference(group, limit.metric());
                if (limit.isBrokenBy(difference)) {
                    spec.commandLine().getErr().printf("%s: %s is %s, %s at %s%s, which breaks: %s%n", group.name(),
                            limit.metric().name(), withUnit(difference.value(), limit.metric()),
                            withUnit(difference.baseline(), limit.metric()), groups.get(0).name(), change(difference),
                            limit.text());
                    exitCode = LIMIT_BROKEN;
                }
            }
        }
        return exitCode;
    }

    private static String withUnit(double value, Metric metric) {
        return Double.isNaN(value) ? "unknown" : Figures.plain(value) + " " + metric.unit();
    }

    private static String change(Comparison.Difference difference) {
        String percent = Figures.rounded(difference.percent(), 1);
        return percent.isEmpty() ? "" : " (" + (difference.percent() > 0 ? "+" : "") + percent + " %)";
    }
}
