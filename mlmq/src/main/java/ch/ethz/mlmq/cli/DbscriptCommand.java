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
@Command(name = "dbscript", description = {"Create, upgrade, fill or drop a broker's database.",
    "Several options are executed in this order: drop database, create database, drop tables, create tables, "
            + "upgrade, fill.",
    "Exit codes: 0 success, 1 failure, 2 wrong usage."})
final class DbscriptCommand implements Callable<Integer> {
    @Option(names = {"-url", "--url"}, paramLabel = "URL", required = true,
            description = "URL of the server, such as jdbc:postgresql://localhost:5432")
    private String url;

    @Option(names = {"-db", "--db"}, paramLabel = "NAME", required = true, description = "name of the broker's "
            + "database")
    private String database;

    @Option(names = {"-user", "--user"}, paramLabel = "NAME", required = true, description = "user of the database")
    private String user;

    @Option(names = {"-password", "--password"}, paramLabel = "PASSWORD",
            description = "password of the user; a file or MLMQ_DB_PASSWORD is safer, as other users can see the "
                    + "command line")
    private String password;

    @Option(names = {"-passwordFile", "--password-file"}, paramLabel = "FILE", defaultValue = "",
            description = "file whose first line is the password")
    private String passwordFile;

    @Option(names = {"-dropDatabase", "--drop-database"},
            description = "end all connections to the database and drop it") private boolean dropDatabase;

    @Option(names = {"-createDatabase", "--create-database"}, description = "create the database")
    private boolean createDatabase;

    @Option(names = {"-dropTables", "--drop-tables"}, description = "drop the tables and stored procedures, with all "
            + "messages; stop all brokers first")
    private boolean dropTables;

    @Option(names = {"-createTables", "--create-tables"}, description = "create the tables and stored procedures")
    private boolean createTables;

    @Option(names = {"-withoutIndexes", "--without-indexes"},
            description = "with -createTables: no index on messages, to measure what these are worth")
    private boolean withoutIndexes;

    @Option(names = {"-upgrade", "--upgrade"},
            description = "upgrade tables of an earlier version; stop all brokers first")
    private boolean upgrade;

    @Option(names = {"-fill", "--fill"}, paramLabel = "QUEUES,MESSAGES,CLIENTS",
            description = "create this many queues, messages and clients; messages are spread over the queues")
    private String fill;

    @Option(names = {"-fillBytes", "--fill-bytes"}, paramLabel = "BYTES", defaultValue = "100",
            description = "length of the content of each message of -fill (default: ${DEFAULT-VALUE})")
    private int fillBytes;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws StorageException {
        checkOptions();
        List<Integer> counts = fill == null ? List.of() : counts();
        DatabaseAddress server = new DatabaseAddress(url, user,
                password == null ? DatabaseAddress.passwordFrom(passwordFile) : password).orPostgres();
        DatabaseScript script = new DatabaseScript(server, database);
        if (dropDatabase) {
            script.drop();
            say("dropped database " + database);
        }
        if (createDatabase) {
            script.create();
            say("created database " + database);
        }
        if (dropTables) {
            script.dropTables();
            say("dropped tables");
        }
        if (createTables) {
            script.createTables();
            say("created tables");
            if (withoutIndexes) {
                script.dropIndexesOfMessages();
                say("removed indexes of messages");
            }
        }
        if (upgrade) {
            int version = script.upgrade();
            say(version == Schema.VERSION ? "tables already have version " + version
                    : "upgraded tables from version " + version + " to " + Schema.VERSION);
        }
        if (fill != null) {
            script.fill(counts.get(0), counts.get(1), counts.get(2), fillBytes);
            say("filled: " + counts.get(0) + " queues, " + counts.get(1) + " messages, " + counts.get(2) + " clients");
        }
        return 0;
    }

    private void checkOptions() {
        if (!dropDatabase && !createDatabase && !dropTables && !createTables && !upgrade && fill == null) {
            throw new ParameterException(spec.commandLine(), "an option is missing: give -dropDatabase, "
                    + "-createDatabase, -dropTables, -createTables, -upgrade or -fill");
        }
        if (fillBytes < 1 || fillBytes > 1 << 20) {
            throw new ParameterException(spec.commandLine(), "-fillBytes must be 1..1048576");
        }
        if (withoutIndexes && !createTables) {
            throw new ParameterException(spec.commandLine(), "-withoutIndexes needs -createTables");
        }
    }

    private List<Integer> counts() {
        if (!fill.matches("\\d{1,9},\\d{1,9},\\d{1,9}")) {
            throw new ParameterException(spec.commandLine(),
                    "-fill " + fill + ": write QUEUES,MESSAGES,CLIENTS, such as 20,6000,100");
        }
        List<Integer> counts = Arrays.stream(fill.split(",")).map(Integer::valueOf).toList();
        if (counts.get(0) == 0 && counts.get(1) > 0) {
            throw new ParameterException(spec.commandLine(), "-fill " + fill + ": messages need at least one queue");
        }
        return counts;
    }

    private void say(String line) {
        spec.commandLine().getOut().println(line);
    }
}
