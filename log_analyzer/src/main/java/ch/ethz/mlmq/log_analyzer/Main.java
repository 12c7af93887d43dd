package ch.ethz.mlmq.log_analyzer;

import ch.ethz.mlmq.log_analyzer.command.Commands;
import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine;

/** The command line: exit code 0 done, 1 failed, 2 wrong usage, 3 a limit was not kept. */
public final class Main {
    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;

    private Main() {
    }

    public static void main(String[] args) {
        System.exit(commandLine(args).execute(args));
    }

    /**
     * @param args what is to be executed
     * @return ready to execute; tests give it writers of their own
     */
    static CommandLine commandLine(String... args) {
        Locale.setDefault(Locale.ROOT); // figures are read by gnuplot and by programs, whoever asks
        return Commands.commandLine(args)
                .setPosixClusteredShortOptionsAllowed(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUnmatchedOptionsArePositionalParams(false)
                .setParameterExceptionHandler((e, words) -> wrongUsage(e.getCommandLine(), e.getMessage()))
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

    private static int wrongUsage(CommandLine command, String message) {
        PrintWriter err = command.getErr();
        err.println(message);
        err.print(command.getHelp().synopsisHeading() + command.getHelp().synopsis(0));
        err.flush();
        return WRONG_USAGE;
    }
}
