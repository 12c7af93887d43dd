package ch.ethz.mlmq.client.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.UnmatchedArgumentException;

/** Syntax of the shell's commands: parses and runs them, and lists them with their options. */
final class Syntax {
    private static final int NEVER_WRAPPED = 1_000;
    private static final String NOTES = """

            A QUEUE, TOPIC or CLIENT is a name, or #12 for an id. A TIME is 250ms, 10s or 2min. Quote a text of several
            words; after -- nothing is an option. A line that begins with # is a comment.""";

    private final CommandLine line;
    private final Map<String, CommandLine> commands;

    Syntax(Operations operations) {
        line = new CommandLine(operations)
                .setSeparator(" ")
                .setExpandAtFiles(false)
                .setOverwrittenOptionsAllowed(true)
                .setUnmatchedOptionsArePositionalParams(true)
                .setUsageHelpWidth(NEVER_WRAPPED)
                .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
        commands = new TreeMap<>(line.getSubcommands());
    }

    /**
     * @param words a command and its arguments
     * @return the lines to show, or empty
     * @throws UsageException if the command does not exist, or its arguments are invalid
     */
    String run(List<String> words) {
        CommandLine command = called(words.get(0), "\"" + words.get(0) + "\"; help lists the commands");
        checkOptions(command, words);
        try {
            new RunLast().execute(line.parseArgs(words.toArray(String[]::new)));
            return command.getExecutionResult();
        } catch (UnmatchedArgumentException e) {
            throw wrong(command, "\"" + e.getUnmatched().get(0) + "\" is one argument too many; quote a text of "
                    + "several words");
        } catch (ParameterException e) {
            throw wrong(command, e.getMessage());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /** Refuses unknown options: a word after a single dash is a text, but one after two dashes is a mistake. */
    private static void checkOptions(CommandLine command, List<String> words) {
        for (int i = 1; i < words.size() && !words.get(i).equals("--"); i++) {
            if (words.get(i).startsWith("--")) {
                OptionSpec option = command.getCommandSpec().findOption(words.get(i));
                if (option == null) {
                    throw wrong(command, "there is no option " + words.get(i));
                }
                i += option.arity().min();
            }
        }
    }

    /** @return the names of all commands */
    List<String> commands() {
        return new ArrayList<>(commands.keySet());
    }

    /** @return the options of a command; empty if there is no such command */
    List<String> options(String command) {
        return commands.containsKey(command)
                ? commands.get(command).getCommandSpec().options().stream().map(OptionSpec::longestName).toList()
                : List.of();
    }

    /** @return a line for each command */
    String help() {
        int width = commands.keySet().stream().mapToInt(String::length).max().orElseThrow();
        return commands.entrySet().stream()
                .map(entry -> String.format("%-" + width + "s  %s", entry.getKey(), purpose(entry.getValue())))
                .collect(Collectors.joining("\n")) + "\n" + NOTES;
    }

    /** @return the usage of one command */
    String help(String name) {
        CommandLine command = called(name, name);
        return "usage: " + usage(command) + "\n" + purpose(command);
    }

    private CommandLine called(String name, String said) {
        CommandLine command = commands.get(name);
        if (command == null) {
            throw new UsageException("there is no command " + said);
        }
        return command;
    }

    private static UsageException wrong(CommandLine command, String what) {
        return new UsageException(what + "; usage: " + usage(command));
    }

    private static String usage(CommandLine command) {
        return command.getHelp().synopsis(0).strip();
    }

    private static String purpose(CommandLine command) {
        return command.getCommandSpec().usageMessage().description()[0];
    }
}
