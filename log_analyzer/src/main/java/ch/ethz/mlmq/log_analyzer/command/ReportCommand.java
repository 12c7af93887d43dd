package ch.ethz.mlmq.log_analyzer.command;

import ch.ethz.mlmq.log_analyzer.command.options.LogOptions;
import ch.ethz.mlmq.log_analyzer.command.options.Output;
import ch.ethz.mlmq.log_analyzer.report.Report;
import ch.ethz.mlmq.log_analyzer.run.Run;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Writes a page about a run. */
@Command(name = "report", sortOptions = false, description = {
    "Writes a report of a run as one HTML file without other files.",
    "The report has definition, checks, figures, plots, breakdown and environment, all from the zip of the run.",
    "It needs gnuplot. The same zip gives the same bytes."})
final class ReportCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private LogOptions logs;

    @Option(names = "-out", paramLabel = "FILE", description = "Default: report.html.")
    private Path out = Path.of("report.html");

    @Option(names = {"-h", "-help", "--help"}, usageHelp = true, description = "Shows this help.")
    private boolean help;

    @Override
    public Integer call() throws IOException {
        try (Run run = logs.open()) {
            Output.write(new Report(run, logs.cut(run)).html(), out, spec.commandLine().getOut());
            spec.commandLine().getOut().println(out);
            return 0;
        }
    }
}
