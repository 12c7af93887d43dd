package ch.ethz.mlmq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class UserCommandTest {
    private final TestDatabase database = new TestDatabase();
    private final InputStream standardInput = System.in;
    private volatile StringWriter out;
    private volatile StringWriter err;

    @TempDir
    private Path folder;

    @BeforeEach
    void givePasswords() throws Exception {
        Files.writeString(folder.resolve("database"), database.settings().get("broker.db.password") + "\n");
        Files.writeString(folder.resolve("password"), "from a file\nanother line\n");
    }

    @AfterEach
    void drop() {
        System.setIn(standardInput);
        database.close();
    }

    @Test
    void shouldAddListChangeAndRemoveUsers() throws Exception {
        assertThat(run("add", "alice", "--password-file", folder.resolve("password").toString()))
                .as(err.toString()).isZero();
        System.setIn(new ByteArrayInputStream("from standard input\n".getBytes(StandardCharsets.UTF_8)));
        assertThat(run("add", "bob")).isZero();
        assertThat(run("add", "carol", "--no-password")).isZero();
        assertThat(run("list")).isZero();
        assertThat(out.toString().lines()).containsExactly("alice", "bob", "carol (by certificate only)");
        assertThat(database.number("SELECT count(*) FROM account WHERE verifier ~ "
                + "'^SCRAM-SHA-256\\$4096:[^$]{24}\\$[^:]{44}:[^:]{44}$'")).isEqualTo(2);
        long before = database.number("SELECT generation FROM access");

        assertThat(run("password", "alice", "--password-file", folder.resolve("password").toString())).isZero();
        assertThat(run("remove", "bob")).isZero();

        assertThat(database.number("SELECT generation FROM access")).isGreaterThanOrEqualTo(before + 2);
        assertThat(run("list")).isZero();
        assertThat(out.toString().lines()).containsExactly("alice", "carol (by certificate only)");
    }

    @Test
    void shouldGrantAndRevokeRights() throws Exception {
        run("add", "app", "--no-password");
        assertThat(run("grant", "send,receive", "on", "queue", "orders.%", "to", "app")).as(err.toString()).isZero();
        assertThat(run("grant", "manage on queue 'orders.%' to app")).isZero();
        assertThat(run("grant", "manage", "on", "broker", "to", "everybody")).isZero();
        run("list");
        assertThat(out.toString().lines()).containsExactly("app (by certificate only)",
                "grant send, receive, manage on queue 'orders.%' to app", "grant manage on broker to everybody");
        assertThat(run("revoke", "send, manage on queue 'orders.%' from app")).isZero();
        assertThat(run("revoke", "manage on broker from everybody")).isZero();
        run("list");
        assertThat(out.toString().lines()).containsExactly("app (by certificate only)",
                "grant receive on queue 'orders.%' to app");

        assertThat(run("revoke", "send on queue 'other' from app")).isEqualTo(1);
        assertThat(err.toString()).contains("nothing to revoke");
        assertThat(run("grant", "send on queue 'orders.%' to nobody")).isEqualTo(1);
        assertThat(err.toString()).contains("there is no user or role nobody");
        assertThat(run("grant", "read on queue 'orders.%' to app")).isEqualTo(2);
        assertThat(err.toString()).contains("send, receive, manage");
        assertThat(run("add", "everybody", "--no-password")).isEqualTo(2);
        assertThat(run("add", "Everybody", "--no-password")).isEqualTo(2);
        run("grant", "send on queue 'a' to everybody");
        assertThat(run("revoke", "receive on queue 'a' from everybody")).isEqualTo(1);
        assertThat(err.toString()).contains("nothing to revoke");
        assertThat(run("remove", "everybody")).isEqualTo(1);
        assertThat(database.number("SELECT count(*) FROM permission WHERE account = 'everybody'"))
                .as("a command that fails changes nothing").isEqualTo(1);
        run("revoke", "send on queue 'a' from everybody");
        assertThat(run("remove", "app")).isZero();
        assertThat(database.number("SELECT count(*) FROM permission")).isZero();
    }

    @Test
    void shouldMakeUsersMembersOfRoles() throws Exception {
        run("add", "app", "--no-password");
        assertThat(run("add", "readers", "--role")).as(err.toString()).isZero();
        assertThat(run("grant", "receive on queue '%' to readers")).isZero();
        assertThat(run("grant", "readers", "to", "app")).isZero();
        assertThat(run("grant", "readers to app")).as("a second time").isZero();
        run("list");
        assertThat(out.toString().lines()).containsExactly("app (by certificate only)", "readers (role)",
                "grant readers to app", "grant receive on queue '%' to readers");

        assertThat(run("grant", "app to readers")).isEqualTo(1);
        assertThat(err.toString()).contains("there is no role app");
        assertThat(run("grant", "readers to readers")).isEqualTo(1);
        assertThat(err.toString()).contains("there is no user readers");
        assertThat(run("add", "readers", "--no-password")).isEqualTo(1);
        assertThat(run("password", "readers", "--password-file", folder.resolve("password").toString())).isEqualTo(1);
        assertThat(run("remove", "readers")).as("as a user").isEqualTo(1);
        assertThat(run("revoke", "readers from app")).isZero();
        assertThat(run("revoke", "readers from app")).isEqualTo(1);
        assertThat(err.toString()).contains("no member");

        run("grant", "readers to app");
        assertThat(run("remove", "--role", "readers")).isZero();
        run("list");
        assertThat(out.toString().lines()).containsExactly("app (by certificate only)");
    }

    @Test
    void shouldReserveTheNameOfAClientOfNobody() throws Exception {
        database.execute("SELECT open_session('worker', NULL, 0, 1, 'c')");
        run("add", "app", "--no-password");
        run("add", "other", "--no-password");

        assertThat(run("reserve", "worker", "app")).as(err.toString()).isZero();
        assertThat(run("reserve", "worker", "app")).as("a second time").isZero();
        assertThat(run("reserve", "worker", "other")).isEqualTo(1);
        assertThat(err.toString()).contains("belongs to another user");
        assertThat(run("reserve", "nobody", "app")).isEqualTo(1);
        assertThat(err.toString()).contains("there is no client nobody");
        assertThat(run("reserve", "worker", "nobody")).isEqualTo(1);
        assertThat(err.toString()).contains("there is no user nobody");
        assertThat(database.number("SELECT count(*) FROM client_account WHERE account = 'app'")).isEqualTo(1);
    }

    /** Whichever of both is first, the other one waits for it. */
    @Test
    void shouldLeaveNoGrantOfAUserThatIsRemovedAtTheSameMoment() throws Exception {
        String grant = "send on queue '%' to app";
        run("add", "app", "--no-password");
        CompletableFuture<Integer> second;
        try (Connection connection = database.address().connect(); Statement first = connection.createStatement()) {
            first.execute("BEGIN; DELETE FROM account WHERE name = 'app'");
            second = CompletableFuture.supplyAsync(() -> run("grant", grant));
            awaitLock(second);
            first.execute("COMMIT");
        }
        assertThat(second.get()).isEqualTo(1);
        assertThat(err.toString()).contains("there is no user or role app");

        run("add", "app", "--no-password");
        try (Connection connection = database.address().connect(); Statement first = connection.createStatement()) {
            first.execute("BEGIN; INSERT INTO permission VALUES ('app', 'queue', '%', true, true, true)");
            second = CompletableFuture.supplyAsync(() -> run("remove", "app"));
            awaitLock(second);
            first.execute("COMMIT");
        }
        assertThat(second.get()).isZero();
        assertThat(database.number("SELECT count(*) FROM permission")).isZero();
    }

    private void awaitLock(CompletableFuture<Integer> waiting) throws Exception {
        while (!waiting.isDone() && database.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = "
                + "'Lock' AND datname = current_database()") == 0) {
            Thread.onSpinWait();
        }
    }

    /** PostgreSQL refuses a text of another form, or hashes it. */
    @Test
    void shouldKeepWhatPostgresqlKeeps() throws Exception {
        run("add", "alice", "--password-file", folder.resolve("password").toString());

        database.execute("DO $$ BEGIN EXECUTE format('CREATE ROLE mlmq_verifier PASSWORD %L', "
                + "(SELECT verifier FROM account)); END $$");
        try {
            assertThat(database.number("SELECT count(*) FROM account a JOIN pg_authid r ON r.rolpassword = a.verifier"))
                    .isEqualTo(1);
        } finally {
            database.execute("DROP ROLE mlmq_verifier");
        }
    }

    @Test
    void shouldSayWhatIsWrong() {
        assertThat(run("add", "a b", "--no-password")).isEqualTo(2);
        assertThat(err.toString()).contains("1..50 letters");
        System.setIn(new ByteArrayInputStream(new byte[0]));
        assertThat(run("add", "alice")).isEqualTo(2);
        assertThat(err.toString()).contains("at least one character");
        assertThat(run("add", "alice", "secret")).as("a password as argument").isEqualTo(2);
        assertThat(run("add", "alice", "--no-password")).isZero();
        assertThat(run("add", "alice", "--no-password")).isEqualTo(1);
        assertThat(err.toString()).contains("there is a user or role alice already");
        assertThat(run("remove", "nobody")).isEqualTo(1);
        assertThat(err.toString()).contains("there is no user nobody");
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString()).contains("a command is missing");
    }

    private int run(String... words) {
        out = new StringWriter();
        err = new StringWriter();
        List<String> arguments = new ArrayList<>(List.of("user"));
        arguments.addAll(List.of(words));
        if (words.length > 0) {
            arguments.addAll(List.of("--url", database.address().url(), "--db-user", database.address().user(),
                    "--db-password-file", folder.resolve("database").toString()));
        }
        CommandLine main = Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return main.execute(arguments.toArray(String[]::new));
    }
}
