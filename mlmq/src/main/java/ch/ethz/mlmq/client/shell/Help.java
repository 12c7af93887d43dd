package ch.ethz.mlmq.client.shell;

import java.util.Arrays;
import java.util.stream.Collectors;

/** What {@code help} shows. */
final class Help {
    private static final String NOTES = """

            A QUEUE or CLIENT is a name, or #12 for an id. A TIME is 250ms, 10s or 2min. Quote a text of several words;
            after -- nothing is an option. A line that begins with # is a comment.""";

    private Help() {
    }

    static String about(Arguments given) {
        return given.count() == 0 ? all() : one(given);
    }

    private static String all() {
        int width = Arrays.stream(Operation.values()).mapToInt(o -> o.command().length()).max().orElseThrow();
        return Arrays.stream(Operation.values())
                .map(operation -> String.format("%-" + width + "s  %s", operation.command(), operation.purpose()))
                .collect(Collectors.joining("\n")) + "\n" + NOTES;
    }

    private static String one(Arguments given) {
        Operation operation = Operation.called(given.word(0))
                .orElseThrow(() -> given.wrong("there is no command " + given.word(0)));
        return "usage: " + operation.usage() + "\n" + operation.purpose();
    }
}
