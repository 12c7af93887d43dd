package ch.ethz.mlmq.client.shell;

import ch.ethz.mlmq.client.Client;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Runs the commands of a person or a script, one line at a time, over one client. */
public final class Shell {
    private static final int NONE = -1;

    private final Client client;
    private final Set<String> names = new TreeSet<>();
    private final Syntax syntax = new Syntax(new Operations(this));
    private Supplier<String> passwords;
    private boolean left;

    public Shell(Client client) {
        this.client = client;
    }

    /**
     * @param line      one command; an empty line or a comment does nothing
     * @param passwords gives a password where a command needs one; null where there is none
     * @return the lines to show, or empty
     * @throws UsageException                        if the line is not a command
     * @throws ch.ethz.mlmq.client.MlmqException     if the broker refuses it, or cannot be reached
     */
    public String run(String line, Supplier<String> passwords) {
        this.passwords = passwords;
        String command = line.strip();
        if (command.isEmpty() || command.startsWith("#")) {
            return "";
        }
        return syntax.run(Words.of(command));
    }

    /** Runs a command that needs no password. @see #run(String, Supplier) */
    public String run(String line) {
        return run(line, () -> null);
    }

    /** @return true after the command to leave */
    public boolean hasLeft() {
        return left;
    }

    /**
     * @param before the words before the one to be completed
     * @return the words that may follow
     */
    public List<String> completions(List<String> before) {
        if (before.isEmpty() || before.get(0).equals("help")) {
            return syntax.commands();
        }
        return syntax.commands().contains(before.get(0))
                ? Stream.concat(names.stream(), syntax.options(before.get(0)).stream()).toList() : List.of();
    }

    Syntax syntax() {
        return syntax;
    }

    Client client() {
        return client;
    }

    /** @throws UsageException if there is none */
    String password() {
        String password = passwords.get();
        if (password == null) {
            throw new UsageException("there is no password: it is the next line");
        }
        return password;
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

    int topic(String text) {
        int id = id(text);
        if (id != NONE) {
            return id;
        }
        int topic = client.lookupTopic(text);
        remember(text);
        return topic;
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
            // The exception below tells about both forms.
        }
        throw new UsageException("\"" + text + "\" is not an id; write # and a number, such as #12");
    }
}
