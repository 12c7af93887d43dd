package ch.ethz.mlmq.log_analyzer.command;

import ch.ethz.mlmq.log_analyzer.analysis.Comparison;
import ch.ethz.mlmq.log_analyzer.command.options.ConfidenceOption;
import ch.ethz.mlmq.log_analyzer.command.options.Output;
import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.profile.CallTree;
import ch.ethz.mlmq.log_analyzer.profile.FlameGraph;
import ch.ethz.mlmq.log_analyzer.profile.Folded;
import ch.ethz.mlmq.log_analyzer.profile.Granularity;
import ch.ethz.mlmq.log_analyzer.profile.Profile;
import ch.ethz.mlmq.log_analyzer.profile.ProfileKind;
import ch.ethz.mlmq.log_analyzer.profile.ProfileParts;
import ch.ethz.mlmq.log_analyzer.profile.Shares;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.statistics.Interval;
import ch.ethz.mlmq.log_analyzer.table.Figures;
import ch.ethz.mlmq.log_analyzer.table.Table;
import ch.ethz.mlmq.log_analyzer.table.TableFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the time of the JVMs by method, class and package. */
@Command(name = "profile", sortOptions = false, description = {
    "Shows where processor time, allocation or lock waits of JVMs go, as shares with intervals, folded stacks or a "
            + "flame graph. It reads recordings of Java Flight Recorder during the measurement interval."})
final class ProfileCommand implements Callable<Integer> {
    private static final double PER_CENT = 100;

    @Spec
    private CommandSpec spec;

    @Option(names = "-d", paramLabel = "DIR|ZIP|FILE.jfr", required = true,
            description = "Zip or folder of a run, or one recording.")
    private Path directory;

    @Option(names = "-jvm", paramLabel = "NAME", split = ",", description = "Only these JVMs, e.g. broker_0,broker_1.")
    private List<String> jvms;

    @Option(names = "-role", paramLabel = "broker|client", description = "Only JVMs of this role.")
    private String role;

    @Option(names = "-tier", paramLabel = "NAME", split = ",",
            description = "Only threads of these names, written without number, e.g. worker,io.")
    private List<String> tiers;

    @Option(names = "-what", paramLabel = "cpu|alloc|lock", description = "What is counted. Default: cpu.")
    private ProfileKind what = ProfileKind.CPU;

    @Option(names = "-by", paramLabel = "method|class|package", description = "Rows of the table. Default: method.")
    private Granularity by = Granularity.METHOD;

    @Option(names = "-top", paramLabel = "N", description = "Number of rows. Default: 20.")
    private int top = 20;

    @Option(names = "-against", paramLabel = "DIR|ZIP|FILE.jfr",
            description = "Baseline. Rows are differences from it, and colours of the flame graph show them.")
    private Path baseline;

    @Mixin
    private ConfidenceOption confidence;

    @Option(names = "-fmt", paramLabel = "text|csv|json|folded|svg|parts",
            description = "Default: text. parts is a zip of tables and flame graphs of all JVMs, roles and tiers.")
    private ProfileFormat format = ProfileFormat.TEXT;

    @Option(names = "-out", paramLabel = "FILE", description = "File to write. Default: standard output.")
    private Path out;

    @Option(names = {"-h", "-help", "--help"}, usageHelp = true, description = "Shows this help.")
    private boolean help;

    @Override
    public Integer call() throws IOException {
        refuseWhatChangesNothing();
        Profile profile = read(directory);
        if (format == ProfileFormat.PARTS) {
            new ProfileParts(profile, confidence.level()).writeTo(out);
            return 0;
        }
        CallTree tree = tree(profile, directory);
        CallTree before = baseline == null ? null : tree(read(baseline), baseline);
        write(switch (format) {
            case FOLDED -> Folded.of(tree);
            case SVG -> new FlameGraph(tree, before, title(tree)).svg(true);
            case TEXT -> TableFormat.TEXT.write(table(tree, before)) + remark(profile, tree) + "\n";
            default -> TableFormat.valueOf(format.name()).write(table(tree, before));
        });
        return 0;
    }

    private void refuseWhatChangesNothing() {
        if (top < 1) {
            throw new UsageException("-top must be 1 or more.");
        }
        if (format == ProfileFormat.PARTS && out == null) {
            throw new UsageException("-fmt parts writes a zip and needs -out.");
        }
        if (format == ProfileFormat.PARTS && (jvms != null || role != null || tiers != null || baseline != null)) {
            throw new UsageException("-fmt parts has all JVMs, roles and tiers: leave out -jvm, -role, -tier and "
                    + "-against.");
        }
        if (format == ProfileFormat.FOLDED && baseline != null) {
            throw new UsageException("-fmt folded cannot show a baseline: leave out -against.");
        }
    }

    private Profile read(Path path) throws IOException {
        try (Run run = Run.open(path, spec.commandLine().getErr()::println)) {
            Profile profile = Profile.of(run);
            profile.notes().forEach(spec.commandLine().getErr()::println);
            return profile;
        }
    }

    private CallTree tree(Profile profile, Path path) {
        CallTree tree = profile.tree(what, key -> (jvms == null || jvms.contains(key.jvm()))
                && (role == null || role.equals(key.role())) && (tiers == null || tiers.contains(key.tier())));
        if (tree.samples() == 0) {
            throw new DataException("The recordings of " + path + " have no samples of " + what.words()
                    + " for the selected JVMs and threads. They have JVMs " + names(profile, true) + " and threads "
                    + names(profile, false)
                    + ".");
        }
        return tree;
    }

    private static String names(Profile profile, boolean ofJvms) {
        return profile.keys().stream().map(key -> ofJvms ? key.jvm() : key.tier()).distinct().sorted()
                .collect(Collectors.joining(", "));
    }

    private String title(CallTree tree) {
        return "Flame graph of " + what.words() + ", " + whom() + (tiers == null ? "" : ", " + String.join(", ", tiers))
                + ", " + tree.samples() + " samples";
    }

    private String whom() {
        if (jvms != null) {
            return String.join(", ", jvms);
        }
        return role == null ? "all JVMs" : role + "s";
    }

    private Table table(CallTree tree, CallTree before) {
        return before == null ? shares(tree) : changes(tree, before);
    }

    private Table shares(CallTree tree) {
        Table table = Table.of(by.name().toLowerCase(Locale.ROOT), "samples", "share", "share_low", "share_high",
                "with_called");
        for (Shares.Share share : new Shares(tree, by).top(top)) {
            Interval interval = share.self().interval(confidence.level());
            table.add(share.name(), share.samples(), percent(share.self().share()), percent(interval.low()),
                    percent(interval.high()), percent(share.whole().share()));
        }
        return table;
    }

    private Table changes(CallTree tree, CallTree before) {
        Table table = Table.of(by.name().toLowerCase(Locale.ROOT), "baseline", "share", "difference", "low", "high",
                "verdict");
        for (Shares.Change change : new Shares(tree, by).against(new Shares(before, by), top)) {
            Interval interval = change.share().lessThat(change.baseline(), confidence.level());
            table.add(change.name(), percent(change.baseline().share()), percent(change.share().share()),
                    percent(change.difference()), percent(interval.low()), percent(interval.high()),
                    verdict(change.difference(), interval));
        }
        return table;
    }

    private static String verdict(double difference, Interval interval) {
        if (Double.isNaN(interval.low())) {
            return Comparison.Verdict.UNKNOWN.words();
        }
        if (interval.contains(0)) {
            return Comparison.Verdict.NOISE.words();
        }
        return (difference > 0 ? Comparison.Verdict.MORE : Comparison.Verdict.LESS).words();
    }

    private static Number percent(double share) {
        String text = Figures.rounded(share * PER_CENT, 3);
        return text.isEmpty() ? null : new java.math.BigDecimal(text);
    }

    private String remark(Profile profile, CallTree tree) {
        return "Shares of " + what.words() + " in % of " + tree.samples() + " samples"
                + profile.phase().map(phase -> " in " + (phase.toMs() - phase.fromMs()) / 1000.0 + " s of load")
                .orElse("")
                        + ". share excludes the methods that a method calls, with_called includes them.";
    }

    private void write(String text) throws IOException {
        Output.write(text, out, spec.commandLine().getOut());
    }
}
