package ch.ethz.mlmq.log_analyzer.command;

import ch.ethz.mlmq.log_analyzer.analysis.Comparison;
import ch.ethz.mlmq.log_analyzer.analysis.FailIf;
import ch.ethz.mlmq.log_analyzer.analysis.Metric;
import ch.ethz.mlmq.log_analyzer.analysis.RunGroup;
import ch.ethz.mlmq.log_analyzer.analysis.VariedNumber;
import ch.ethz.mlmq.log_analyzer.command.options.ConfidenceOption;
import ch.ethz.mlmq.log_analyzer.command.options.FigureOptions;
import ch.ethz.mlmq.log_analyzer.command.options.RunArguments;
import ch.ethz.mlmq.log_analyzer.command.options.TableOptions;
import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.plot.Chart;
import ch.ethz.mlmq.log_analyzer.plot.ComparisonCharts;
import ch.ethz.mlmq.log_analyzer.plot.OverlayCharts;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compares runs. */
@Command(name = "compare", sortOptions = false, description = {
    "Compares runs, or groups of repetitions, with the first of them. The worst difference comes first.",
    "Write a group as A1.zip,A2.zip,A3.zip, or with a name as slow=A1.zip,A2.zip."},
    footer = {"", "Exit code 3 if a limit of --fail-if is broken. Examples:",
        "  log_analyzer compare before.zip after.zip --fail-if \"p99 > +10 %%\" --fail-if \"errors > 1 %%\""})
final class CompareCommand implements Callable<Integer> {
    private static final int LIMIT_BROKEN = 3;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "RUNS", arity = "1..*", description = "The baseline, then the runs to compare with it.")
    private List<String> arguments;

    @Option(names = {"--fail-if", "-fail-if"}, paramLabel = "LIMIT",
            description = "A run breaks this limit of a change ('p99 > +10 %%', 'throughput < -5 %%') or a figure "
                    + "('errors > 1 %%', 'mean > 20 ms').")
    private List<String> limits = List.of();

    @Option(names = {"--junit", "-junit"}, paramLabel = "FILE",
            description = "Writes a JUnit XML file with a test case for each limit of --fail-if and each run.")
    private Path junit;

    @Mixin
    private FigureOptions figures;

    @Mixin
    private ConfidenceOption confidence;

    @Option(names = {"--plot", "-plot"}, paramLabel = "DIR",
            description = "Writes charts into this folder: comparison, throughput, response_time, spectrum, "
                    + "breakdown and, if the runs differ in a number, parameter_<figure>.")
    private Path plots;

    @Option(names = {"--over", "-over"}, paramLabel = "PATH",
            description = "The number on the axis of parameter_<figure>, e.g. brokers.0.settings.workers. Default: "
                    + "the number that differs.")
    private String over;

    @Mixin
    private TableOptions table;

    @Override
    public Integer call() throws IOException {
        List<FailIf> failIfs = limits.stream().map(FailIf::parse).toList();
        figures.named(); // checked before any file is read
        double level = confidence.level();
        if (arguments.size() < 2) {
            throw new UsageException("compare needs a baseline and at least one other run.");
        }
        if (junit != null && limits.isEmpty()) {
            throw new UsageException("--junit needs --fail-if.");
        }
        if (over != null && plots == null) {
            throw new UsageException("--over needs --plot.");
        }
        List<RunGroup> groups = RunArguments.read(arguments, figures.types(), plots != null, table.complaints());
        RunArguments.remarks(groups).forEach(spec.commandLine().getErr()::println);
        Comparison comparison = new Comparison(groups, level);
        List<Metric> wanted = figures.of(comparison);
        Table differences = table(comparison.differences(wanted), groups, level);
        table.write(differences, "Differences from " + groups.get(0).name() + " with " + Figures.percent(level * 100)
                + " % intervals. Within noise: the interval includes no difference. percent_seen: four of five such "
                + "comparisons detect a change of this size.");
        if (plots != null) {
            List<Metric> ofRequests = wanted.stream().filter(Metric::isOfRequests).toList();
            plot(comparison, groups, ofRequests, level);
        }
        List<JUnitReport.Case> cases = checkLimits(failIfs, comparison, groups);
        if (junit != null) {
            JUnitReport.write(junit, cases);
        }
        cases.stream().map(JUnitReport.Case::words).filter(words -> !words.isEmpty())
                .forEach(spec.commandLine().getErr()::println);
        return cases.stream().anyMatch(each -> each.outcome() == FailIf.Outcome.BROKEN) ? LIMIT_BROKEN : 0;
    }

    /** Makes the table for programs, with the intervals of figures and of differences. */
    private Table table(List<Comparison.Difference> differences, List<RunGroup> groups, double level) {
        List<String> columns = new ArrayList<>(List.of("run", "figure", "unit", "baseline", "value", "difference",
                "low", "high", "percent", "percent_low", "percent_high"));
        columns.addAll(table.isForPeople() ? List.of("percent_seen", "verdict") : List.of("baseline_low",
                "baseline_high", "value_low", "value_high", "percent_seen", "baseline_at_least", "value_at_least",
                "reason", "verdict"));
        Table rows = new Table(columns);
        for (Comparison.Difference each : differences) {
            String reason = each.verdict() == Comparison.Verdict.UNKNOWN ? each.interval().doubt().words() : "";
            List<Object> row = new ArrayList<>(List.of(each.group(), each.metric().name(), each.metric().unit(),
                    cell(each.baseline(), groups.get(0), each.metric()),
                    cell(each.value(), named(groups, each.group()), each.metric()), each.difference(),
                    each.interval().low(), each.interval().high(), each.percent(), each.percentLow(),
                    each.percentHigh()));
            if (table.isForPeople()) {
                String verdict = each.verdict().words();
                row.addAll(List.of(each.percentSeen(), reason.isEmpty() ? verdict : verdict + ": " + reason));
            } else {
                Interval before = groups.get(0).interval(each.metric(), level);
                Interval after = named(groups, each.group()).interval(each.metric(), level);
                row.addAll(List.of(before.low(), before.high(), after.low(), after.high(), each.percentSeen(),
                        atLeast(each.baseline(), groups.get(0), each.metric()),
                        atLeast(each.value(), named(groups, each.group()), each.metric()), reason,
                        each.verdict().words()));
            }
            rows.add(row);
        }
        return rows;
    }

    /**
     * Formats a figure. For people, a percentile among failed requests is shown as its lower bound; programs have
     * columns for that.
     */
    private Object cell(double value, RunGroup group, Metric metric) {
        return Double.isInfinite(value) && table.isForPeople() ? withUnit(value, group, metric) : (Object) value;
    }

    private static double atLeast(double value, RunGroup group, Metric metric) {
        return Double.isInfinite(value) ? group.atLeast(metric) : Double.NaN;
    }

    private void plot(Comparison comparison, List<RunGroup> groups, List<Metric> wanted, double level)
            throws IOException {
        ComparisonCharts.comparison(comparison.differences(wanted), groups).writeTo(plots);
        for (Chart chart : new OverlayCharts(groups).draw()) {
            chart.writeTo(plots);
        }
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

    private static RunGroup named(List<RunGroup> groups, String name) {
        return groups.stream().filter(group -> group.name().equals(name)).findFirst().orElseThrow();
    }

    private List<JUnitReport.Case> checkLimits(List<FailIf> failIfs, Comparison comparison, List<RunGroup> groups) {
        List<JUnitReport.Case> cases = new ArrayList<>();
        for (FailIf limit : failIfs) {
            for (RunGroup group : groups.subList(1, groups.size())) {
                Comparison.Difference difference = comparison.difference(group, limit.metric());
                FailIf.Outcome outcome = limit.outcome(difference);
                cases.add(new JUnitReport.Case(group.name(), limit.text(), outcome, outcome == FailIf.Outcome.KEPT ? ""
                        : "%s: %s is %s, %s at %s%s, %s: %s".formatted(group.name(), limit.metric().name(),
                            withUnit(difference.value(), group, limit.metric()),
                            withUnit(difference.baseline(), groups.get(0), limit.metric()), groups.get(0).name(),
                            change(difference),
                            outcome == FailIf.Outcome.BROKEN ? "which breaks" : "but it cannot be distinguished from "
                                    + "noise (" + difference.interval().doubt().words() + ")", limit.text())));
            }
        }
        return cases;
    }

    private static String withUnit(double value, RunGroup group, Metric metric) {
        if (Double.isNaN(value)) {
            return "unknown";
        }
        String figure = Double.isInfinite(value) ? "> " + Figures.plain(group.atLeast(metric)) : Figures.plain(value);
        return figure + " " + metric.unit();
    }

    private static String change(Comparison.Difference difference) {
        String percent = Figures.rounded(difference.percent(), 1);
        return percent.isEmpty() ? "" : " (" + (difference.percent() > 0 ? "+" : "") + percent + " %)";
    }
}
