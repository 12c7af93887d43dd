package ch.ethz.mlmq.log_analyzer.command.options;

import ch.ethz.mlmq.log_analyzer.analysis.RunFigures;
import ch.ethz.mlmq.log_analyzer.analysis.RunGroup;
import ch.ethz.mlmq.log_analyzer.errors.UsageException;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.scan.TimeSelection;
import ch.ethz.mlmq.log_analyzer.source.LogStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/**
 * Parses runs on the command line: {@code A.zip}, {@code A1.zip,A2.zip} for repetitions, {@code name=A1.zip,A2.zip}.
 */
public final class RunArguments {
    private RunArguments() {
    }

    /**
     * @param types prefixes of the actions that count
     * @param drawn true if charts are made of the runs
     * @param complaints gets a sentence about each file that cannot be read
     */
    public static List<RunGroup> read(List<String> arguments, List<String> types, boolean drawn,
            Consumer<String> complaints) throws IOException {
        List<String> names = arguments.stream().map(RunArguments::name).toList();
        List<RunGroup> groups = new ArrayList<>();
        for (String argument : arguments) {
            String[] paths = argument.substring(equals(argument) + 1).split(",", -1);
            if (Arrays.asList(paths).contains("")) {
                throw new UsageException("'" + argument + "' does not name a run: write A.zip,B.zip or "
                        + "name=A.zip,B.zip.");
            }
            List<RunFigures> runs = new ArrayList<>();
            for (String path : paths) {
                try (Run run = Run.open(Path.of(path), complaints)) {
                    runs.add(RunFigures.toCompare(run, TimeSelection.whileMeasuring(run), types, drawn));
                }
            }
            String name = name(argument);
            boolean alone = Collections.frequency(names, name) == 1;
            groups.add(new RunGroup(alone ? name : argument, List.copyOf(runs)));
        }
        return groups;
    }

    /** @return remarks that people need before they read the runs' figures, a sentence each */
    public static List<String> remarks(List<RunGroup> groups) {
        return groups.stream().flatMap(group -> group.runs().stream()
                .flatMap(run -> run.measured().sampling().remark().stream()).distinct()
                .map(remark -> group.name() + ": " + remark)).toList();
    }

    private static String name(String argument) {
        int equals = equals(argument);
        return equals > 0 ? argument.substring(0, equals)
                : LogStore.nameOf(Path.of(argument.substring(equals + 1).split(",", -1)[0]));
    }

    /** @return index of the separator between name and runs, -1 if there is no name */
    private static int equals(String argument) {
        return Files.exists(Path.of(argument)) ? -1 : argument.indexOf('=');
    }
}
