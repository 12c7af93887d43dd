package ch.ethz.mlmq.storage.postgresql.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.storage.StorageException;
import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaUpgradeTest {
    private static final String[] CATALOG = {
        "SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' "
                + "|| COALESCE(column_default, '') FROM information_schema.columns WHERE table_schema = 'public'",
        "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'",
        "SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint "
                + "WHERE connamespace = 'public'::regnamespace",
        "SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace",
        "SELECT relname || ' ' || relreplident::text || ' ' || COALESCE(array_to_string(reloptions, ' '), '') "
                + "FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
    };

    private final String name = "mlmq_upgrade_" + UUID.randomUUID().toString().replace("-", "");
    private final DatabaseAddress address = TestDatabase.server().withDatabase(name);
    private final DatabaseScript script = new DatabaseScript(TestDatabase.server(), name);

    @BeforeEach
    void create() throws Exception {
        script.create();
    }

    @AfterEach
    void drop() throws Exception {
        script.drop();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 6, 7, 8, 9, 10})
    void shouldMakeTheTablesOfEachEarlierVersionThoseOfThisOne(int version) throws Exception {
        makeTablesOf(version);

        assertThat(script.upgrade()).isEqualTo(version);

        try (TestDatabase fresh = new TestDatabase()) {
            for (String query : CATALOG) {
                assertThat(rows(address, query)).isEqualTo(rows(fresh.address(), query));
            }
        }
        assertThat(script.upgrade()).as("a second time").isEqualTo(Schema.VERSION);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 6, 7, 8, 9, 10})
    void shouldKeepMessagesLeasesKeysAndClients(int version) throws Exception {
        makeTablesOf(version);
        execute("CALL fill(3, 30, 5, 10)");
        execute(version < 8 ? "INSERT INTO broker (name) VALUES ('dead')"
                : "INSERT INTO broker (name, tables) VALUES ('dead', " + version + ")");
        execute("UPDATE client SET broker_id = (SELECT id FROM broker)");
        execute("INSERT INTO lease SELECT id, 0, 0, queue_id, 0, 1, 5, 1, '', 7, now() FROM message LIMIT 1");
        execute("INSERT INTO dedup VALUES (1, 'key', now()" + (version < 6 ? ")" : " + interval '10 min')"));
        execute(version < 6 ? "UPDATE recount SET xid = 1000000000" : "UPDATE recount SET needed = true");

        script.upgrade();

        try (Connection connection = address.connect()) {
            Schema.check(connection);
        }
        assertThat(rows(address, "SELECT count(*) FROM message")).containsExactly("30");
        assertThat(rows(address, "SELECT count(*) FROM lease")).containsExactly("1");
        assertThat(rows(address, "SELECT count(*) FROM dedup WHERE expires_at > now() + interval '9 min'"))
                .containsExactly("1");
        assertThat(rows(address, "SELECT count(*) FROM client")).containsExactly("5");
        assertThat(rows(address, "SELECT count(*) FROM client WHERE broker_id IS NULL")).containsExactly("5");
        assertThat(rows(address, "SELECT needed::text FROM recount")).containsExactly("true");
    }

    @Test
    void shouldRefuseWhereABrokerOfTheEarlierVersionRuns() throws Exception {
        makeTablesOf(5);
        execute("INSERT INTO broker (name) VALUES ('one:8100'), ('dead:8100')");
        CompletableFuture<StorageException> refusal = CompletableFuture.supplyAsync(() -> {
            try {
                script.upgrade();
                return null;
            } catch (StorageException e) {
                return e;
            }
        });
        while (!refusal.isDone()) {
            execute("UPDATE broker SET heartbeat = heartbeat + 1 WHERE name = 'one:8100'");
        }

        assertThat(refusal.get()).hasMessageContaining("one:8100").hasMessageContaining("stop them");
        assertThat(refusal.get().getMessage()).doesNotContain("dead:8100");
        assertThat(rows(address, "SELECT version FROM schema_version")).containsExactly("5");
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 7, 8, 9, 10})
    void shouldKeepABrokerOfAnEarlierVersionOutThatStoodStillMeanwhile(int version) throws Exception {
        makeTablesOf(version);
        String tables = version < 8 ? "'') " : "'', " + version + ") ";
        String register = "INSERT INTO broker (name, version, instance, address" + (version < 8 ? "" : ", tables")
                + ") VALUES ('one', '', '', " + tables + "ON CONFLICT (name) DO NOTHING RETURNING id";
        String broker = rows(address, register).get(0);
        String open = "SELECT open_session('worker', " + broker + ", 0, 1, 'channel')";
        execute(open);

        script.upgrade();

        assertThat(rows(address, "WITH beat AS (UPDATE broker SET heartbeat = heartbeat + 1 WHERE heartbeat >= 0 "
                + "RETURNING id) SELECT count(*) FROM beat")).as("its heartbeat").containsExactly("0");
        assertThatThrownBy(() -> execute(register)).hasMessageContaining("tables");
        assertThatThrownBy(() -> execute(open)).as("a client of it").hasMessageContaining("broker");
    }

    @Test
    void shouldRemoveGrantsOfUsersThatWereRemovedAtThatMoment() throws Exception {
        makeTablesOf(7);
        execute("INSERT INTO account (name) VALUES ('app'); INSERT INTO permission SELECT name, 'queue', '%', true, "
                + "true, true FROM (VALUES ('app'), ('gone'), ('everybody')) AS v (name)");

        script.upgrade();

        assertThat(rows(address, "SELECT account FROM permission")).containsExactly("app", "everybody");
    }

    @Test
    void shouldLeaveTheTablesAsTheyAreWhereItFails() throws Exception {
        makeTablesOf(5);
        execute("CREATE TABLE queue_deleted (id int)");

        assertThatThrownBy(script::upgrade).isInstanceOf(StorageException.class);
        assertThat(rows(address, "SELECT version FROM schema_version")).containsExactly("5");
        assertThat(rows(address, "SELECT xid FROM recount")).containsExactly("0");
    }

    @Test
    void shouldSayWhatToDoWithTablesThatItDoesNotKnow() throws Exception {
        makeTablesOf(5);
        execute("UPDATE schema_version SET version = 99");
        assertThatThrownBy(script::upgrade).hasMessageContaining("version 99").hasMessageContaining("newer one");
        execute("UPDATE schema_version SET version = 2");
        assertThatThrownBy(script::upgrade).hasMessageContaining("version 2").hasMessageContaining("-createTables");
    }

    private void makeTablesOf(int version) throws Exception {
        execute(new String(getClass().getResourceAsStream("/db/version-" + version + ".sql").readAllBytes(),
                StandardCharsets.UTF_8));
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = address.connect(); Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> rows(DatabaseAddress of, String sql) throws SQLException {
        List<String> all = new ArrayList<>();
        try (Connection connection = of.connect(); Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                all.add(rows.getString(1));
            }
        }
        all.sort(null);
        return all;
    }
}
