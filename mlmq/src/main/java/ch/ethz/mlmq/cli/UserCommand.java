package ch.ethz.mlmq.cli;

import ch.ethz.mlmq.protocol.scram.ScramVerifier;
import ch.ethz.mlmq.storage.StorageException;
import ch.ethz.mlmq.storage.access.AccessStatement;
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
@Command(name = "user", synopsisSubcommandLabel = "COMMAND", description = {"Add, change, list and remove the users "
        + "and roles of brokers with broker.auth=scram or certificate, and rights. Brokers notice within a second.",
    "A password is the first line of standard input, or of a file. Exit codes: 0 success, 1 failure, 2 wrong usage."})
final class UserCommand implements Runnable {
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
            boolean none,
            @Option(names = "--role", description = "add a role, of which users can be members") boolean isRole)
            throws IOException, StorageException {
        if (!name.matches(AccessStatement.NAME)) {
            throw new ParameterException(spec.commandLine(), "a user has a name of 1..50 letters, digits and . _ -");
        }
        if (name.equalsIgnoreCase(Grant.EVERYBODY)) {
            throw new ParameterException(spec.commandLine(), "everybody is the name of all users in grants");
        }
        if ((none || isRole) && file != null || none && isRole) {
            throw new ParameterException(spec.commandLine(), "give one of --password-file, --no-password and --role");
        }
        execute(isRole ? new AccessStatement.CreateRole(name)
                : new AccessStatement.CreateUser(name, none ? null : verifier(file)));
    }

    @Command(name = "password", description = "change the password of a user")
    void password(@Parameters(paramLabel = "USER") String name,
            @Option(names = "--password-file", paramLabel = "FILE", description = "file whose first line is the "
                    + "password") Path file) throws IOException, StorageException {
        execute(new AccessStatement.Password(name, verifier(file)));
    }

    @Command(name = "remove", description = "remove a user, and close its connections; or a role")
    void remove(@Parameters(paramLabel = "USER") String name,
            @Option(names = "--role", description = "remove a role") boolean isRole) throws StorageException {
        execute(new AccessStatement.Drop(name, isRole));
    }

    @Command(name = "grant", description = "grant rights: send, receive, manage on queue orders.%% to USER; or "
            + "membership: ROLE to USER")
    void grant(@Parameters(paramLabel = "WORD", arity = "1..*") List<String> words) throws StorageException {
        change("grant", words);
    }

    @Command(name = "revoke", description = "revoke rights: send, receive, manage on queue orders.%% from USER; or "
            + "membership: ROLE from USER")
    void revoke(@Parameters(paramLabel = "WORD", arity = "1..*") List<String> words) throws StorageException {
        change("revoke", words);
    }

    private void change(String verb, List<String> words) throws StorageException {
        AccessStatement statement;
        try {
            statement = AccessStatement.parse(verb + " " + String.join(" ", words));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
        execute(statement);
    }

    @Command(name = "reserve", description = "make the name of a client that belongs to nobody that of a user")
    void reserve(@Parameters(paramLabel = "CLIENT") String client, @Parameters(paramLabel = "USER") String user)
            throws StorageException {
        execute(new AccessStatement.Reserve(client, user));
    }

    @Command(name = "list", description = "list users, roles, members and grants")
    void list() throws StorageException {
        execute(new AccessStatement.Show());
    }

    private void execute(AccessStatement statement) throws StorageException {
        String lines = script().execute(statement);
        if (!lines.isEmpty()) {
            spec.commandLine().getOut().println(lines);
        }
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
}
