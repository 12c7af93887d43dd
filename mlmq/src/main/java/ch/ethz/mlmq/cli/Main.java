package ch.ethz.mlmq.cli;

import ch.ethz.mlmq.agent.FatalError;
import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.FileTrouble;
import ch.ethz.mlmq.log.PeopleLog;
import java.nio.file.FileSystemException;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of these programs. It runs one of the commands, or shows the usage. */
@Command(name = "mlmq", description = "Runs brokers, clients and tools of MLMQ, a message queue on PostgreSQL.",
        synopsisSubcommandLabel = "COMMAND", subcommands = {BrokerCommand.class, ScenarioCommand.class,
            DbscriptCommand.class, LoadCommand.class, ShellCommand.class, StatusCommand.class,
            UserCommand.class, CalibrateCommand.class, DescribeCommand.class, HelpCommand.class})
public final class Main implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final int WRONG = 2;

    @Spec
    private CommandSpec spec;

    private Main() {
    }

    public static void main(String[] args) {
        Locale.setDefault(Locale.ROOT); // programs read logs and results, whatever the machine's locale
        System.setProperty("java.util.logging.manager", PeopleLog.Manager.class.getName());
        PeopleLog.configureDefault();
        FatalError.endsTheProcess();
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        CommandLine main = new CommandLine(new Main());
        offerHelp(main);
        main.getSubcommands().values().stream().filter(command -> !(command.getCommand() instanceof HelpCommand))
                .forEach(Main::offerHelp);
        return main.setExecutionExceptionHandler((e, command, result) -> {
            command.getErr().println(command.getCommandName() + ": " + reason(e));
            return e instanceof ConfigurationException ? WRONG : FAILED;
        }).setParameterExceptionHandler((e, args) -> {
            CommandLine command = e.getCommandLine();
            command.getErr().println(e.getMessage());
            command.usage(command.getErr());
            return WRONG;
        });
    }

    private static void offerHelp(CommandLine command) {
        command.getCommandSpec().addOption(
                OptionSpec.builder("-h", "--help").usageHelp(true).description("show this help").build());
    }

    private static String reason(Exception e) {
        if (e instanceof FileSystemException file && file.getReason() == null) {
            return file.getFile() + ": " + FileTrouble.reason(file);
        }
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }
}
