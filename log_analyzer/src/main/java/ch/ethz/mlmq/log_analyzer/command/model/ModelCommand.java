package ch.ethz.mlmq.log_analyzer.command.model;

import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Groups the commands for predictions by queueing models. */
@Command(name = "model", sortOptions = false, subcommands = {ModelFitCommand.class, ModelWaitingCommand.class,
    ModelCapacityCommand.class, ModelLayoutsCommand.class, ModelClosedCommand.class,
    ModelSimulateCommand.class},
        description = "Fits models to tables and runs, and predicts with them. docs/reference/models.md has formulas "
                + "and assumptions.")
public final class ModelCommand implements Callable<Integer> {
    @Option(names = {"-h", "-help", "--help"}, usageHelp = true, description = "Shows this help.")
    private boolean help;

    @Override
    public Integer call() {
        throw new UsageException("model takes the name of a model. model --help lists them.");
    }
}
