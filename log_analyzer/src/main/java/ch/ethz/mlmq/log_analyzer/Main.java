package ch.ethz.mlmq.log_analyzer;

import ch.ethz.mlmq.log_analyzer.command.Commands;
import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.MaxValuesExceededException;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The command line. Its exit codes are 0 done, 1 failed, 2 wrong usage, 3 a limit was exceeded. */
public final class Main {
    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;
    /** Prefix of picocli's messages on groups of options. */
    private static final String OF_GROUPS = "Error: ";

    private Main() {
    }

    public static void main(String[] args) {
        System.exit(commandLine(args).execute(args));
    }

    /**
     * @param args arguments of the command
     * @return a command line that is ready to execute; tests give it writers of their own
     */
    static CommandLine commandLine(String... args) {
        Locale.setDefault(Locale.ROOT); // gnuplot and programs read the numbers, whatever the user's locale
        return Commands.commandLine(args)
                .setPosixClusteredShortOptionsAllowed(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUnmatchedOptionsArePositionalParams(false)
                .setParameterExceptionHandler((e, words) -> wrongUsage(e.getCommandLine(), words(e)))
                .setExecutionExceptionHandler((e, command, parsed) -> failed(e, command));
    }

    private static int failed(Exception e, CommandLine command) throws Exception {
        if (e instanceof UsageException) {
            return wrongUsage(command, e.getMessage());
        }
        if (e instanceof DataException) {
            command.getErr().println(e.getMessage());
            return WRONG_USAGE;
        }
        if (e instanceof IOException) {
            String kind = e.getClass() == IOException.class ? "" : e.getClass().getSimpleName() + ": ";
            command.getErr().println(kind + e.getMessage());
            return FAILED;
        }
        throw e;
    }

    /** @return what is wrong; of arguments that exclude each other their names, not all that picocli says */
    private static String words(ParameterException e) {
        CommandSpec command = e.getCommandLine().getCommandSpec();
        if (!e.getMessage().startsWith(OF_GROUPS)) {
            return e.getMessage();
        }
        String name = command.qualifiedName(" ").substring(command.root().name().length() + 1);
        return e instanceof MaxValuesExceededException ? name + " takes each option once."
                : command.argGroups().stream().filter(group -> concerns(e, group)).findFirst()
                .map(group -> name + " takes either " + String.join(" or ", alternatives(group)) + ".")
                .orElse(e.getMessage());
    }

    private static boolean concerns(ParameterException e, ArgGroupSpec group) {
        return group.allOptionsNested().stream().flatMap(option -> Arrays.stream(option.names()))
                .anyMatch(name -> e.getMessage().contains(name));
    }

    private static List<String> alternatives(ArgGroupSpec group) {
        return Stream.concat(group.options().stream().map(option -> option.names()[0]),
                group.subgroups().stream().map(all -> String.join(all.exclusive() ? " or " : " and ",
                        alternatives(all)))).toList();
    }

    private static int wrongUsage(CommandLine command, String message) {
        PrintWriter err = command.getErr();
        err.println(message);
        err.print(command.getHelp().synopsisHeading() + command.getHelp().synopsis(0));
        err.flush();
        return WRONG_USAGE;
    }
}
