package ch.ethz.mlmq.cli;

import ch.ethz.mlmq.protocol.scram.ScramVerifier;
import ch.ethz.mlmq.storage.StorageException;
import ch.ethz.mlmq.storage.access.Grant;
import ch.ethz.mlmq.storage.postgresql.access.AccountScript;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code user}: the users of brokers with authentication, in the brokers' database. */
@Command(name = "user", synopsisSubcommandLabel = "COMMAND", description = {"Add, change, list and remove the users of "
        + "brokers with broker.auth=scram or certificate, and their rights. Brokers notice within a second.",
    "A password is the first line of standard input, or of a file. Exit codes: 0 success, 1 failure, 2 wrong usage."})
final class UserCommand implements Runnable {
    private static final String NAME = "[A-Za-z0-9._-]{1,50}";

    @Option(names = "--url", paramLabel = "URL", scope = ScopeType.INHERIT,
            defaultValue = "jdbc:postgresql://127.0.0.1:5432/mlmq",
            description = "URL of the brokers' database (default: ${DEFAULT-VALUE})")
    private String url;

    @Option(names = "--db-user", paramLabel = "NAME", scope = ScopeType.INHERIT, defaultValue = "mlmq",
            description = "user of the database (default: ${DEFAULT-VALUE}); MLMQ_DB_PASSWORD has its password")
    private String databaseUser;

    @Option(names = "--db-password-file", paramLabel = "FILE", scope = ScopeType.INHERIT, defaultValue = "",
            description = "file whose first line is the password of the database's user")
    private String databasePasswordFile;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    @Command(name = "add", description = "add a user with a password")
    void add(@Parameters(paramLabel = "USER") String name,
            @Option(names = "--password-file", paramLabel = "FILE", description = "file whose first line is the "
                    + "password") Path file,
            @Option(names = "--no-password", description = "add a user that signs in by the name in its certificate")
            boolean none) throws IOException, StorageException {
        if (!name.matches(NAME)) {
            throw new ParameterException(spec.commandLine(), "a user has a name of 1..50 letters, digits and . _ -");
        }
        if (name.equalsIgnoreCase(Grant.EVERYBODY)) {
            throw new ParameterException(spec.commandLine(), "everybody is the name of all users in grants");
        }
        if (none && file != null) {
            throw new ParameterException(spec.commandLine(), "give --password-file or --no-password, not both");
        }
        script().add(name, none ? null : verifier(file));
        say("added user " + name);
    }

    @Command(name = "password", description = "change the password of a user")
    void password(@Parameters(paramLabel = "USER") String name,
            @Option(names = "--password-file", paramLabel = "FILE", description = "file whose first line is the "
                    + "password") Path file) throws IOException, StorageException {
        script().password(name, verifier(file));
        say("changed the password of user " + name);
    }

    @Command(name = "remove", description = "remove a user, and close its connections")
    void remove(@Parameters(paramLabel = "USER") String name) throws StorageException {
        script().remove(name);
        say("removed user " + name);
    }

    @Command(name = "grant", description = "grant rights: send, receive, manage on queue orders.%% to USER")
    void grant(@Parameters(paramLabel = "WORD", arity = "1..*") List<String> words) throws StorageException {
        change("grant", words);
    }

    @Command(name = "revoke", description = "revoke rights: send, receive, manage on queue orders.%% from USER")
    void revoke(@Parameters(paramLabel = "WORD", arity = "1..*") List<String> words) throws StorageException {
        change("revoke", words);
    }

    private void change(String verb, List<String> words) throws StorageException {
        try {
            script().change(Grant.parse(verb + " " + String.join(" ", words)));
            say("done");
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
    }

    @Command(name = "list", description = "list the users and grants")
    void list() throws StorageException {
        script().list().forEach(this::say);
    }

    private AccountScript script() {
        return new AccountScript(new DatabaseAddress(url, databaseUser,
                DatabaseAddress.passwordFrom(databasePasswordFile)));
    }

    private ScramVerifier verifier(Path file) throws IOException {
        try {
            return ScramVerifier.of(file == null ? asked()
                    : Files.readString(file).lines().findFirst().orElse(""));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
    }

    /** Asks a person twice, and a script once. */
    private static String asked() throws IOException {
        Console console = System.console();
        if (console == null) {
            String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
            return line == null ? "" : line;
        }
        char[] first = console.readPassword("password: ");
        char[] second = console.readPassword("again: ");
        if (first == null || second == null || !Arrays.equals(first, second)) {
            throw new IllegalArgumentException("the two passwords differ");
        }
        return new String(first);
    }

    private void say(String line) {
        spec.commandLine().getOut().println(line);
    }
}
