package ch.ethz.mlmq.cli;

import ch.ethz.mlmq.storage.StorageException;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import ch.ethz.mlmq.storage.postgresql.schema.DatabaseScript;
import ch.ethz.mlmq.storage.postgresql.schema.Schema;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code dbscript}: makes, fills and drops a broker's database. */
@Command(name = "dbscript", description = {"Make, upgrade, fill or drop a broker's database.",
    "The steps are done in this order.",
    "Exit codes: 0 done, 1 it failed, 2 the usage is wrong."})
final class DbscriptCommand implements Callable<Integer> {
    @Option(names = {"-url", "--url"}, paramLabel = "URL", required = true,
            description = "the server, such as jdbc:postgresql://localhost:5432/postgres")
    private String url;

    @Option(names = {"-db", "--db"}, paramLabel = "NAME", required = true, description = "the database")
    private String database;

    @Option(names = {"-user", "--user"}, paramLabel = "NAME", required = true, description = "database user")
    private String user;

    @Option(names = {"-password", "--password"}, paramLabel = "PASSWORD",
            description = "better in a file or in MLMQ_DB_PASSWORD, as others may see this command line")
    private String password;

    @Option(names = {"-passwordFile", "--password-file"}, paramLabel = "FILE", defaultValue = "",
            description = "a file whose first line is the password")
    private String passwordFile;

    @Option(names = {"-dropDatabase", "--drop-database"},
            description = "drop the database, and end all connections to it") private boolean dropDatabase;

    @Option(names = {"-createDatabase", "--create-database"}, description = "make it")
    private boolean createDatabase;

    @Option(names = {"-createTables", "--create-tables"}, description = "make its tables and stored procedures")
    private boolean createTables;

    @Option(names = {"-upgrade", "--upgrade"},
            description = "bring tables of an earlier version to the present one; all brokers must be stopped")
    private boolean upgrade;

    @Option(names = {"-fill", "--fill"}, paramLabel = "QUEUES,MESSAGES,CLIENTS",
            description = "make so many of each, the messages spread over the queues")
    private String fill;

    @Option(names = {"-fillBytes", "--fill-bytes"}, paramLabel = "BYTES", defaultValue = "100",
            description = "content of a message made by -fill (default: ${DEFAULT-VALUE})")
    private int fillBytes;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws StorageException {
        if (!dropDatabase && !createDatabase && !createTables && !upgrade && fill == null) {
            throw new ParameterException(spec.commandLine(),
                    "nothing to do: give -dropDatabase, -createDatabase, -createTables, -upgrade or -fill");
        }
        if (fillBytes < 1 || fillBytes > 1 << 20) {
            throw new ParameterException(spec.commandLine(), "-fillBytes must be 1..1048576");
        }
        List<Integer> counts = fill == null ? List.of() : counts();
        DatabaseAddress server = new DatabaseAddress(url, user,
                password == null ? DatabaseAddress.passwordFrom(passwordFile) : password);
        DatabaseScript script = new DatabaseScript(server, database);
        if (dropDatabase) {
            script.drop();
            say("database " + database + " is dropped");
        }
        if (createDatabase) {
            script.create();
            say("database " + database + " is made");
        }
        if (createTables) {
            script.createTables();
            say("tables are made");
        }
        if (upgrade) {
            int version = script.upgrade();
            say(version == Schema.VERSION ? "tables are of version " + version + " already"
                    : "tables are upgraded from version " + version + " to " + Schema.VERSION);
        }
        if (fill != null) {
            script.fill(counts.get(0), counts.get(1), counts.get(2), fillBytes);
            say("filled: " + counts.get(0) + " queues, " + counts.get(1) + " messages, " + counts.get(2) + " clients");
        }
        return 0;
    }

    private List<Integer> counts() {
        if (!fill.matches("\\d{1,9},\\d{1,9},\\d{1,9}")) {
            throw new ParameterException(spec.commandLine(),
                    "-fill " + fill + ": must read QUEUES,MESSAGES,CLIENTS, such as 20,6000,100");
        }
        List<Integer> counts = Arrays.stream(fill.split(",")).map(Integer::valueOf).toList();
        if (counts.get(0) == 0 && counts.get(1) > 0) {
            throw new ParameterException(spec.commandLine(), "-fill " + fill + ": messages need a queue");
        }
        return counts;
    }

    private void say(String line) {
        spec.commandLine().getOut().println(line);
    }
}
