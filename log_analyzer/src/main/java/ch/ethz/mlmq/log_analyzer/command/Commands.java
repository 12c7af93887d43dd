package ch.ethz.mlmq.log_analyzer.command;

import ch.ethz.mlmq.log_analyzer.command.model.ModelCommand;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine;

/**
 * Makes command lines. It makes only the command to be executed, because reading the annotations of all commands takes
 * longer than reading a million lines.
 */
public final class Commands {
    private static final Map<String, Supplier<Object>> BY_NAME = new LinkedHashMap<>();

    static {
        BY_NAME.put("breakdown", BreakdownCommand::new);
        BY_NAME.put("check", CheckCommand::new);
        BY_NAME.put("compare", CompareCommand::new);
        BY_NAME.put("describe", DescribeCommand::new);
        BY_NAME.put("experiment", ExperimentCommand::new);
        BY_NAME.put("factorial", FactorialCommand::new);
        BY_NAME.put("figures", FiguresCommand::new);
        BY_NAME.put("model", ModelCommand::new);
        BY_NAME.put("phases", PhasesCommand::new);
        BY_NAME.put("profile", ProfileCommand::new);
        BY_NAME.put("report", ReportCommand::new);
        BY_NAME.put("steady", SteadyCommand::new);
    }

    private Commands() {
    }

    /**
     * Treats only the first word as a command; later words are values of options ({@code -kind breakdown}, {@code -d
     * report}).
     *
     * @param args arguments of the command
     */
    public static CommandLine commandLine(String... args) {
        CommandLine commandLine = new CommandLine(new AnalyzeCommand());
        CommandSpec top = commandLine.getCommandSpec();
        if (args.length > 0 && BY_NAME.containsKey(args[0])) {
            commandLine.addSubcommand(args[0], BY_NAME.get(args[0]).get());
        }
        return commandLine.setHelpFactory((spec, colours) -> new CommandLine.Help(spec == top ? whole() : spec,
                colours));
    }

    /** Makes all commands, for the help. */
    private static CommandSpec whole() {
        CommandLine whole = new CommandLine(new AnalyzeCommand());
        BY_NAME.forEach((name, command) -> whole.addSubcommand(name, command.get()));
        return whole.getCommandSpec();
    }
}
