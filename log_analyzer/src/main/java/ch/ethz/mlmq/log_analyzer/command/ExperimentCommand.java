package ch.ethz.mlmq.log_analyzer.command;

import ch.ethz.mlmq.log_analyzer.command.options.ConfidenceOption;
import ch.ethz.mlmq.log_analyzer.command.options.Output;
import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.experiment.Experiment;
import ch.ethz.mlmq.log_analyzer.experiment.ExperimentFiles;
import ch.ethz.mlmq.log_analyzer.experiment.ExperimentJson;
import ch.ethz.mlmq.log_analyzer.experiment.ExperimentRuns;
import ch.ethz.mlmq.log_analyzer.experiment.ExperimentTables;
import ch.ethz.mlmq.log_analyzer.experiment.RunSteps;
import ch.ethz.mlmq.log_analyzer.experiment.Trials;
import ch.ethz.mlmq.log_analyzer.plot.Chart;
import ch.ethz.mlmq.log_analyzer.plot.ExperimentCharts;
import ch.ethz.mlmq.log_analyzer.report.ExperimentReport;
import ch.ethz.mlmq.log_analyzer.table.Table;
import ch.ethz.mlmq.log_analyzer.table.TableFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Analyses the runs of an experiment together. */
@Command(name = "experiment", sortOptions = false, description = {
    "Analyses an experiment: points, effects with their shares of the variation, scaling law, best point and knee.",
    "It reads the logs of the runs, or a table of their figures. Only accepted runs count."},
    footer = {"", "Examples:", "  log_analyzer experiment -d runs/ -response p99",
        "  log_analyzer experiment --table runs.csv --design experiment.json -fmt json",
        "  log_analyzer experiment -d runs/ -fmt runs -out runs.csv       the table that --table takes"})
final class ExperimentCommand implements Callable<Integer> {
    /** Formats of the output. */
    enum Format { TEXT, CSV, JSON, GNUPLOT, HTML, RUNS }

    @Spec
    private CommandSpec spec;

    /** Location of the runs' figures. */
    private static final class Source {
        @Option(names = "-d", paramLabel = "ZIP|DIR",
                description = "Zip of a run, or a folder of zips; may be repeated.")
        private List<Path> runs = List.of();

        @ArgGroup(exclusive = false)
        private Figures figures;
    }

    /** A table of figures, with its design. */
    private static final class Figures {
        @Option(names = {"--table", "-table"}, paramLabel = "FILE", required = true,
                description = "CSV with the columns run,point,repetition,state,reason and one for each factor and "
                        + "each figure.")
        private Path table;

        @Option(names = {"--design", "-design"}, paramLabel = "FILE", required = true,
                description = "JSON file of the design, such as experiment.json of a run. --table needs it.")
        private Path design;
    }

    @ArgGroup(multiplicity = "1")
    private Source source;

    @Option(names = {"--response", "-response"}, paramLabel = "FIGURE",
            description = "Response of the effects, such as throughput or p99. Default: the response of the design.")
    private String response;

    @Option(names = {"--leave-out", "-leave-out"}, paramLabel = "LEVEL,LEVEL", split = ",",
            description = "Levels that the fit of the scaling law leaves out. The chart marks them.")
    private Set<String> leftOut = Set.of();

    @Option(names = {"--steps", "-steps"},
            description = "Analyses one run with steps of its load (clients that join, commanded rates). Steps are "
                    + "levels, windows of a step its repetitions.")
    private boolean steps;

    @Option(names = "-type", paramLabel = "PREFIX", description = "Selects actions that begin with this. Default: "
            + "CSndReq#.")
    private List<String> types = List.of("CSndReq#");

    @Mixin
    private ConfidenceOption confidence;

    @Option(names = "-fmt", paramLabel = "csv|json|gnuplot|html|runs|text", description = "Output format. Default: "
            + "text.")
    private Format format = Format.TEXT;

    @Option(names = "-out", paramLabel = "PATH",
            description = "File to write, or folder (gnuplot). Default: standard output; gnuplot: plots.")
    private Path out;

    @Option(names = {"-h", "-help", "--help"}, usageHelp = true, description = "Shows this help.")
    private boolean help;

    @Override
    public Integer call() throws IOException {
        if (steps && source.runs.size() != 1) {
            throw new UsageException("-steps needs exactly one run in -d.");
        }
        double level = confidence.level();
        Trials trials = trials();
        Experiment experiment = Experiment.of(trials, response, leftOut, level);
        switch (format) {
            case TEXT -> write(text(experiment));
            case CSV -> write(TableFormat.CSV.write(new ExperimentTables(experiment).points()));
            case RUNS -> write(TableFormat.CSV.write(ExperimentFiles.table(trials)));
            case JSON -> write(new ExperimentJson(experiment).text());
            case HTML -> write(new ExperimentReport(experiment).html());
            case GNUPLOT -> {
                for (Chart chart : new ExperimentCharts(experiment).draw()) {
                    spec.commandLine().getOut().println(chart.writeTo(out == null ? Path.of("plots") : out));
                }
                spec.commandLine().getOut().flush();
            }
            default -> throw new IllegalStateException(format.name());
        }
        return 0;
    }

    private Trials trials() throws IOException {
        if (source.figures != null) {
            return ExperimentFiles.read(source.figures.table, ExperimentFiles.design(source.figures.design));
        }
        Consumer<String> complaints = spec.commandLine().getErr()::println;
        return steps ? RunSteps.read(source.runs.get(0), types, complaints)
                : ExperimentRuns.read(source.runs, types, complaints);
    }

    private static String text(Experiment experiment) throws IOException {
        ExperimentTables tables = new ExperimentTables(experiment);
        StringBuilder text = new StringBuilder(TableFormat.TEXT.write(tables.response()));
        for (Map.Entry<String, Table> each : tables.results().entrySet()) {
            text.append('\n').append(each.getKey()).append(":\n").append(TableFormat.TEXT.write(each.getValue()));
        }
        text.append('\n');
        tables.sentences().forEach(sentence -> text.append(sentence).append('\n'));
        experiment.remarks().forEach(remark -> text.append(remark).append('\n'));
        return text.toString();
    }

    private void write(String text) throws IOException {
        Output.write(text, out, spec.commandLine().getOut());
    }
}
