package ch.ethz.mlmq.client.shell;

import ch.ethz.mlmq.client.Client;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Runs the commands of a person or a script, one line at a time, over one client. */
public final class Shell {
    private static final int NONE = -1;

    private final Client client;
    private final Set<String> names = new TreeSet<>();
    private boolean left;

    public Shell(Client client) {
        this.client = client;
    }

    /**
     * @param line one command; an empty line or a comment does nothing
     * @return what to show, or empty
     * @throws UsageException                        where the line is no command
     * @throws ch.ethz.mlmq.client.MlmqException     where the broker refuses it, or cannot be reached
     */
    public String run(String line) {
        String command = line.strip();
        if (command.isEmpty() || command.startsWith("#")) {
            return "";
        }
        List<String> words = Words.of(command);
        Operation operation = Operation.called(words.get(0)).orElseThrow(() ->
                new UsageException("there is no command \"" + words.get(0) + "\"; help shows those there are"));
        return operation.run(this, words.subList(1, words.size()));
    }

    /** @return whether it was told to leave */
    public boolean hasLeft() {
        return left;
    }

    /**
     * @param before the words before the one that is to be completed
     * @return what may stand there
     */
    public List<String> completions(List<String> before) {
        if (before.isEmpty()) {
            return Arrays.stream(Operation.values()).map(Operation::command).toList();
        }
        return Operation.called(before.get(0)).map(operation -> operation == Operation.HELP
                ? completions(List.of())
                : Stream.concat(names.stream(), Arguments.optionsOf(operation.usage()).keySet().stream()).toList())
                .orElse(List.of());
    }

    Client client() {
        return client;
    }

    void remember(String name) {
        names.add(name);
    }

    String leave() {
        left = true;
        return "";
    }

    /** @param text a name, or #12 for an id */
    int queue(String text) {
        int id = id(text);
        if (id != NONE) {
            return id;
        }
        int queue = client.lookupQueue(text);
        remember(text);
        return queue;
    }

    int clientId(String text) {
        int id = id(text);
        if (id != NONE) {
            return id;
        }
        int found = client.lookupClient(text);
        remember(text);
        return found;
    }

    int personalQueueOf(String text) {
        int id = id(text);
        return id == NONE ? client.lookupClientQueue(text) : client.lookupClientQueue(id);
    }

    private static int id(String text) {
        if (!text.startsWith("#")) {
            return NONE;
        }
        try {
            int id = Integer.parseInt(text.substring(1));
            if (id > 0) {
                return id;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new UsageException("\"" + text + "\" is no id; an id is # and a number, such as #12");
    }
}
