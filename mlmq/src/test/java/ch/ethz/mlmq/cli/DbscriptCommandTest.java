package ch.ethz.mlmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.broker.Broker;
import ch.ethz.mlmq.broker.BrokerSettings;
import ch.ethz.mlmq.broker.TestBroker;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.log.Recorder;
import ch.ethz.mlmq.storage.StorageException;
import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import ch.ethz.mlmq.storage.postgresql.schema.DatabaseScript;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class DbscriptCommandTest {
    private final DatabaseAddress server = TestDatabase.server();
    private final String name = "mlmq_script_" + UUID.randomUUID().toString().replace("-", "");
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    @AfterEach
    void drop() throws StorageException {
        new DatabaseScript(server, name).drop();
    }

    @Test
    void shouldMakeFillAndDropADatabase() throws Exception {
        assertThat(run("-createDatabase", "-createTables", "-fill", "20,6000,100")).as(err.toString()).isZero();

        assertThat(out.toString()).contains("filled: 20 queues, 6000 messages, 100 clients");
        assertThat(number("SELECT count(*) FROM queue WHERE owner_id = 0")).isEqualTo(20);
        assertThat(number("SELECT count(*) FROM client c JOIN queue q ON q.id = c.queue_id AND q.owner_id = c.id"))
                .isEqualTo(100);
        assertThat(number("SELECT count(*) FROM message")).isEqualTo(6_000);
        assertThat(number("SELECT min(least(messages, gained)) FROM queue_length l JOIN queue q ON q.id = l.queue_id "
                + "WHERE q.owner_id = 0")).isEqualTo(300);
        assertThat(run("-dropDatabase")).isZero();
        assertThat(run("-createTables")).isEqualTo(1);
        assertThat(err.toString()).contains("cannot use the database").contains(name);
    }

    @Test
    void shouldMakeTablesWithoutIndexesOfMessages() throws Exception {
        assertThat(run("-withoutIndexes", "-createDatabase")).isEqualTo(2);
        assertThat(err.toString()).contains("-withoutIndexes needs -createTables");

        assertThat(run("-createDatabase", "-createTables", "-withoutIndexes", "-fill", "2,10,0")).as(err.toString())
                .isZero();

        assertThat(number("SELECT count(*) FROM pg_indexes WHERE tablename = 'message'")).isZero();
        assertThat(number("SELECT count(*) FROM message")).isEqualTo(10);
    }

    @Test
    void shouldDropItsTablesAndProceduresAndNothingElse() throws Exception {
        assertThat(run("-createDatabase")).as(err.toString()).isZero();
        execute("CREATE TABLE other (id int); CREATE FUNCTION other() RETURNS int LANGUAGE sql AS 'SELECT 1'");
        assertThat(run("-createTables", "-fill", "2,10,1")).as(err.toString()).isZero();

        assertThat(run("-dropTables")).as(err.toString()).isZero();

        assertThat(number("SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace")).isEqualTo(1);
        assertThat(number("SELECT count(*) FROM pg_proc WHERE pronamespace = 'public'::regnamespace")).isEqualTo(1);
        assertThat(run("-dropTables")).isEqualTo(1);
        assertThat(err.toString()).contains("has no MLMQ tables");
        assertThat(run("-createTables", "-dropTables", "-fill", "2,10,1")).isEqualTo(1);
        assertThat(run("-createTables")).as(err.toString()).isZero();
        assertThat(run("-createTables", "-dropTables", "-fill", "2,10,1")).as(err.toString()).isZero();
        assertThat(number("SELECT count(*) FROM message")).isEqualTo(10);
    }

    @Test
    void shouldKeepTablesThatSomethingElseDependsOn() throws Exception {
        assertThat(run("-createDatabase", "-createTables")).as(err.toString()).isZero();
        execute("CREATE VIEW report AS SELECT id FROM queue");

        assertThat(run("-dropTables")).isEqualTo(1);

        assertThat(err.toString()).contains("other objects depend on them").contains("view report depends on");
        assertThat(number("SELECT count(*) FROM report")).isZero();
        assertThat(number("SELECT count(*) FROM schema_version")).isEqualTo(1);
        assertThat(number("SELECT count(*) FROM queue_overview")).isZero();
    }

    /** A schema of the user's name comes first in the path in which PostgreSQL looks for tables. */
    @Test
    void shouldKeepTablesOfTheSameNameInAnotherSchema() throws Exception {
        assertThat(run("-createDatabase", "-createTables")).as(err.toString()).isZero();
        execute("CREATE SCHEMA AUTHORIZATION CURRENT_USER; CREATE TABLE message (id int)");

        assertThat(run("-dropTables")).as(err.toString()).isZero();

        assertThat(number("SELECT count(*) FROM message")).isZero();
        assertThat(number("SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace")).isZero();
    }

    @Test
    void shouldDropTheTablesThatAreLeft() throws Exception {
        assertThat(run("-createDatabase", "-createTables")).as(err.toString()).isZero();
        execute("DROP TABLE put_back; DROP VIEW queue_overview; DROP FUNCTION stale_topic");

        assertThat(run("-dropTables")).as(err.toString()).isZero();

        assertThat(number("SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace")).isZero();
        assertThat(number("SELECT count(*) FROM pg_proc WHERE pronamespace = 'public'::regnamespace")).isZero();
    }

    @Test
    void shouldKeepTablesThatABrokerUses() throws Exception {
        assertThat(run("-createDatabase", "-createTables")).as(err.toString()).isZero();
        Settings settings = TestBroker.settings(Map.of("broker.db.url", server.withDatabase(name).url(),
                "broker.db.user", server.user(), "broker.db.password", server.password()));
        Broker broker = Broker.start(settings, new BrokerSettings("Broker", 0, "127.0.0.1", 0), Recorder.NONE);
        try {
            assertThat(run("-dropTables")).isEqualTo(1);
        } finally {
            broker.close();
        }
        assertThat(err.toString()).contains("is used by the brokers").contains("stop them first");
        assertThat(number("SELECT count(*) FROM schema_version")).isEqualTo(1);
    }

    /** The files and their order are those of the documentation. */
    @Test
    void shouldMakeTheSameTablesByHand() throws Exception {
        String page = Files.readString(Path.of("../docs/reference/broker.md"));
        String files = page.replaceAll("(?s).*for f in ([\\w ]+); do.*", "$1");
        assertThat(run("-createDatabase")).as(err.toString()).isZero();
        for (String file : files.split(" ")) {
            execute(Files.readString(Path.of("src/main/resources/db", file + ".sql")));
        }
        assertThat(run("-dropTables", "-createTables", "-fill", "2,10,1")).as(err.toString()).isZero();
    }

    /** As in the report of study 1. */
    @ParameterizedTest
    @ValueSource(strings = {"", "/"})
    void shouldTakeAnUrlOfTheServerAlone(String end) {
        String url = server.withDatabase("").url().replaceFirst("/$", end);

        assertThat(execute(List.of("dbscript", "-url", url, "-db", name, "-user", server.user(), "-password",
                server.password(), "-createDatabase", "-createTables"))).as(err.toString()).isZero();
    }

    @Test
    void shouldTakeThePasswordFromAFile() throws Exception {
        Path file = folder.resolve("password");
        Files.writeString(file, server.password() + "\n");

        assertThat(execute(List.of("dbscript", "-url", server.url(), "-db", name, "-user", server.user(),
                "-passwordFile", file.toString(), "-createDatabase"))).as(err.toString()).isZero();
    }

    @Test
    void shouldRefuseToMakeTablesTwice() {
        run("-createDatabase", "-createTables");

        assertThat(run("-createTables")).isEqualTo(1);
        assertThat(err.toString()).contains("cannot use the database").doesNotContain(server.password());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-fill 20", "-fill a,b,c", "-fill 0,10,0", "-fill 1,1,1 -fillBytes 0", ""})
    void shouldSayWhatIsWrongWithItsArguments(String arguments) {
        assertThat(run(arguments.isEmpty() ? new String[0] : arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString()).contains("Usage: mlmq dbscript");
    }

    private int run(String... steps) {
        List<String> arguments = new ArrayList<>(List.of("dbscript", "-url", server.url(), "-db", name, "-user",
                server.user(), "-password", server.password()));
        arguments.addAll(List.of(steps));
        return execute(arguments);
    }

    private int execute(List<String> arguments) {
        CommandLine commandLine = Main.commandLine().setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true));
        return commandLine.execute(arguments.toArray(new String[0]));
    }

    private void execute(String sql) throws Exception {
        try (Connection connection = server.withDatabase(name).connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private long number(String sql) throws Exception {
        try (Connection connection = server.withDatabase(name).connect();
                Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
