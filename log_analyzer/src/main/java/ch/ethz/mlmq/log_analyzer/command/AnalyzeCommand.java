package ch.ethz.mlmq.log_analyzer.command;

import ch.ethz.mlmq.log_analyzer.command.options.ConfidenceOption;
import ch.ethz.mlmq.log_analyzer.command.options.KeyConverter;
import ch.ethz.mlmq.log_analyzer.command.options.LogOptions;
import ch.ethz.mlmq.log_analyzer.command.options.Output;
import ch.ethz.mlmq.log_analyzer.command.options.PlotConverter;
import ch.ethz.mlmq.log_analyzer.command.options.TimeSpan;
import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.plot.Chart;
import ch.ethz.mlmq.log_analyzer.plot.Plot;
import ch.ethz.mlmq.log_analyzer.plot.PlottedRun;
import ch.ethz.mlmq.log_analyzer.plot.kinds.Plots;
import ch.ethz.mlmq.log_analyzer.report.StatisticsTable;
import ch.ethz.mlmq.log_analyzer.run.IntervalHistograms;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.run.TimeRange;
import ch.ethz.mlmq.log_analyzer.scan.Grouping;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.scan.PerformanceLogs;
import ch.ethz.mlmq.log_analyzer.scan.TimeSelection;
import ch.ethz.mlmq.log_analyzer.table.TableFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the table of windows and actions, or charts of it. Runs if no other command is named. */
@Command(name = "log_analyzer", sortOptions = false,
        description = "Makes tables and plots from the performance logs of a run.",
        footer = {"",
            "Times are in us, throughput in 1/s. Figures are of the measurement interval, between warm-up and "
                    + "cool-down.",
            "Examples:",
            "  log_analyzer -d logs/test_run_56 -type CSndReq#OK# -fmt csv",
            "  log_analyzer -d test_run_56.zip -fmt gnuplot -kind response_time -out plots",
            "  gnuplot plots/response_time.gp        (writes plots/response_time.svg)"})
final class AnalyzeCommand implements Callable<Integer> {
    /** Formats of the output. */
    enum Format { TEXT, CSV, JSON, GNUPLOT, HGRM }

    private static final List<Grouping.Key> BY_ACTION = List.of(Grouping.Key.ACTION);

    @Spec
    private CommandSpec spec;

    @Mixin
    private LogOptions logs;

    @Option(names = "-type", paramLabel = "PREFIX", arity = "1..*",
            description = "Selects actions that begin with this, e.g. CSndReq#OK# or BDb#; may be repeated.")
    private List<String> types = List.of();

    @Option(names = "-fmt", paramLabel = "csv|json|gnuplot|hgrm|text",
            description = "Default: text, a short table of the measurement interval. hgrm: percentiles of all .hlog "
                    + "files together.")
    private Format format = Format.TEXT;

    @Option(names = "-kind", paramLabel = "KIND", split = ",", converter = PlotConverter.class,
            completionCandidates = PlotConverter.class,
            description = "Plots of -fmt gnuplot: ${COMPLETION-CANDIDATES}. Default: all that the data allow, except "
                    + "steps.")
    private List<Plot> plots = List.of();

    @Option(names = "-window", paramLabel = "TIME",
            converter = TimeSpan.Converter.class,
            description = "Length of a window, e.g. 1s, 30s, 2min. Default: a length that makes about 100 windows.")
    private TimeSpan window;

    @Option(names = "-percentiles", paramLabel = "P", split = ",",
            description = "Exact percentiles of each row. Default: ${DEFAULT-VALUE}.")
    private double[] percents = {2.5, 97.5};

    @Mixin
    private ConfidenceOption confidence;

    @Option(names = "-group-by", paramLabel = "KEY", split = ",", converter = KeyConverter.class,
            description = "Makes a row for each action, role, jvm, machine, status or tier. Default: action.")
    private List<Grouping.Key> keys = BY_ACTION;

    @Option(names = "-out", paramLabel = "PATH",
            description = "File to write (csv, json, text), or folder (gnuplot, hgrm). Default: standard output; "
                    + "gnuplot: plots.")
    private Path out;

    @Option(names = {"-h", "-help", "--help"}, usageHelp = true, description = "Shows this help.")
    private boolean help;

    @Override
    public Integer call() throws IOException {
        checkOptions();
        try (Run run = logs.open()) {
            if (format == Format.HGRM) {
                writeHistograms(run);
                return 0;
            }
            Grouping grouping = new Grouping(types, keys);
            Measurements measured = PerformanceLogs.of(run.store()).read(logs.cut(run), windowMs(), grouping, percents);
            if (format == Format.TEXT && Remarks.noSteadyPart(measured).isPresent()) {
                throw new DataException(Remarks.noSteadyPart(measured).get());
            }
            Remarks.of(measured).forEach(remark -> spec.commandLine().getErr().println(remark));
            if (format == Format.GNUPLOT) {
                draw(run, measured);
            } else {
                Output.write(table(run, measured), out, spec.commandLine().getOut());
            }
        }
        return 0;
    }

    private void checkOptions() {
        if (Arrays.stream(percents).anyMatch(percent -> !(percent >= 0 && percent <= 100))) {
            throw new UsageException("-percentiles must lie between 0 and 100.");
        }
        confidence.level();
        if (window != null && window.ms() == 0) {
            throw new UsageException("-window must be longer than 0, e.g. 1s.");
        }
        if (!plots.isEmpty() && format != Format.GNUPLOT) {
            throw new UsageException("-kind needs -fmt gnuplot.");
        }
        Arrays.sort(percents);
    }

    /** @return window of time; empty for one that suits the logs; the whole time if no window is shown */
    private OptionalLong windowMs() {
        if (format == Format.TEXT) {
            return OptionalLong.of(Integer.MAX_VALUE);
        }
        return window == null ? OptionalLong.empty() : OptionalLong.of(window.ms());
    }

    private String table(Run run, Measurements measured) throws IOException {
        StatisticsTable statistics = new StatisticsTable(measured, keys, percents, confidence.level());
        return switch (format) {
            case CSV -> TableFormat.CSV.write(statistics.byWindow());
            case JSON -> TableFormat.JSON.write(statistics.byWindow());
            default -> Overview.of(run, measured, statistics);
        };
    }

    private void draw(Run run, Measurements measured) throws IOException {
        Path folder = out == null ? Path.of("plots") : out;
        boolean byAction = keys.equals(BY_ACTION);
        PlottedRun plotted = new PlottedRun(run, logs.cut(run), measured, types, byAction, percents);
        for (Plot plot : plots.isEmpty() ? Plots.ofEveryRun() : plots) {
            Optional<Chart> chart = plot.draw(plotted);
            if (chart.isPresent()) {
                spec.commandLine().getOut().println(chart.get().writeTo(folder));
            } else if (!plots.isEmpty()) {
                throw new DataException("These logs have no data for -kind " + plot.name() + ".");
            }
        }
        spec.commandLine().getOut().flush();
    }

    /** Writes the sum of the clients' histograms: one file for each operation, or the whole on standard output. */
    private void writeHistograms(Run run) throws IOException {
        TimeSelection cut = logs.cut(run);
        Optional<TimeRange> wanted = cut.isByTheLogs()
                ? Optional.of(PerformanceLogs.of(run.store()).steady(cut)) : cut.steady();
        IntervalHistograms histograms = IntervalHistograms.of(run, wanted, types);
        if (histograms.isEmpty()) {
            throw new DataException("There is no .hlog in " + run.store().name()
                    + (run.histograms().isEmpty() ? "." : " with a selected action."));
        }
        if (out == null) {
            Output.write(percentiles(histograms.responses()), null, spec.commandLine().getOut());
            return;
        }
        Output.write(percentiles(histograms.responses()), out.resolve("all.hgrm"), spec.commandLine().getOut());
        for (Map.Entry<String, Histogram> histogram : histograms.byTag().entrySet()) {
            String name = histogram.getKey().replaceAll("[^A-Za-z0-9_.-]", "_") + ".hgrm";
            Output.write(percentiles(histogram.getValue()), out.resolve(name), spec.commandLine().getOut());
        }
    }

    private static String percentiles(Histogram histogram) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        histogram.outputPercentileDistribution(new PrintStream(text, false, StandardCharsets.UTF_8), 1.0);
        return text.toString(StandardCharsets.UTF_8);
    }
}
