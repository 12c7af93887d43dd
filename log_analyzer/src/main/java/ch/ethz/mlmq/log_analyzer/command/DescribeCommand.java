package ch.ethz.mlmq.log_analyzer.command;

import ch.ethz.mlmq.log_analyzer.command.options.Output;
import ch.ethz.mlmq.log_analyzer.plot.kinds.Plots;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Describes the log analyzer for programs. */
@Command(name = "describe", sortOptions = false, description = {
    "Prints as JSON all plots and the data of a run that each needs.",
    "This command generates config/log_analyzer/plots.json in a checkout."})
final class DescribeCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = {"-h", "-help", "--help"}, usageHelp = true, description = "Shows this help.")
    private boolean help;

    @Override
    public Integer call() throws IOException {
        Output.write(Plots.describe(), null, spec.commandLine().getOut());
        return 0;
    }
}
