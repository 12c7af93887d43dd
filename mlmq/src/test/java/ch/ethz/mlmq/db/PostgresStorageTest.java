package ch.ethz.mlmq.db;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.Await;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** How batches become transactions, and what becomes of them where one fails. */
class PostgresStorageTest {
    private static final int PAIRS = 256;

    private static TestDatabase database;

    @BeforeAll
    static void makeDatabase() {
        database = new TestDatabase();
    }

    @AfterAll
    static void dropDatabase() {
        database.close();
    }

    /** The driver would end the transaction of more statements by itself, and begin another one without the guard. */
    @Test
    void shouldPutNoMorePhasesIntoATransactionThanTheDriverSendsAtOnce() throws Exception {
        try (StorageUser user = new StorageUser(database)) {
            int queue = user.queue();
            List<Request> requests = new ArrayList<>();
            for (int i = 0; i < PAIRS; i++) {
                user.send(queue, 10, "goes first");
                requests.add(StorageUser.message(queue, 1, "stays " + i));
                requests.add(new Request.DequeueMessage(MessageQuery.queue(queue)));
            }

            List<Response> responses = user.executeAll(requests);

            for (int i = 0; i < PAIRS; i++) {
                assertThat(responses.get(2 * i)).isEqualTo(Response.Done.INSTANCE);
                assertThat(((Response.Delivery) responses.get(2 * i + 1)).message().priority()).isEqualTo(10);
            }
            String sent = "SELECT xmin, count(*) AS n FROM message WHERE queue_id = " + queue + " GROUP BY xmin";
            assertThat(database.number("SELECT sum(n) FROM (" + sent + ") t")).isEqualTo(PAIRS);
            assertThat(database.number("SELECT max(n) FROM (" + sent + ") t")).isEqualTo(BatchPlan.MAX_PHASES);
            assertThat(database.number("SELECT count(*) FROM (" + sent + ") t"))
                    .isEqualTo((PAIRS + BatchPlan.MAX_PHASES - 1) / BatchPlan.MAX_PHASES);
        }
    }

    @Test
    void shouldNotTryEachRequestAloneWhereALockIsNotToBeHad() throws Exception {
        long rolledBack = rolledBack();
        try (StorageUser user = new StorageUser(database, Map.of("broker.db.timeout", "1s",
                "broker.db.connections", "1"));
                Connection other = database.address().connect(); Statement statement = other.createStatement()) {
            int queue = user.queue();
            List<Request> requests = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                requests.add(StorageUser.message(queue, 5, "message " + i));
            }
            other.setAutoCommit(false);
            statement.execute("SELECT pg_advisory_xact_lock(" + HotSql.LOCK + ")");

            List<Response> responses = user.executeAll(requests);

            assertThat(responses).allSatisfy(response -> assertThat(response).isInstanceOf(Response.Failure.class));
            other.commit();
        }
        assertThat(rolledBack() - rolledBack).isBetween(1L, 4L);
    }

    @Test
    void shouldFailTheOneRequestThatTakesTooLongAndExecuteTheOthers() throws Exception {
        try (StorageUser user = new StorageUser(database, Map.of("broker.db.timeout", "2s"));
                Connection other = database.address().connect(); Statement statement = other.createStatement()) {
            int queue = user.queue();
            other.setAutoCommit(false);
            statement.execute("INSERT INTO dedup VALUES (" + queue + ", 'slow', now())");

            List<Response> responses = user.executeAll(List.of(StorageUser.message(queue, 5, "one"),
                    new Request.SendMessage(new int[] {queue}, 0, 5, 0, "slow", new byte[1]),
                    StorageUser.message(queue, 5, "two")));

            assertThat(responses.get(0)).isEqualTo(Response.Done.INSTANCE);
            assertThat(responses.get(1)).isInstanceOf(Response.Failure.class);
            assertThat(responses.get(2)).isEqualTo(Response.Done.INSTANCE);
            assertThat(database.number("SELECT count(*) FROM message WHERE queue_id = " + queue)).isEqualTo(2);
        }
    }

    @Test
    void shouldHandOutAMessageHoweverOftenItWasReleased() throws Exception {
        try (StorageUser user = new StorageUser(database, Map.of("broker.deliveries.max", "1000"))) {
            int queue = user.queue();
            user.send(queue, 5, "again and again");
            for (long deliveries : new long[] {Short.MAX_VALUE, Integer.MAX_VALUE}) {
                database.execute("UPDATE message SET deliveries = " + deliveries + " WHERE queue_id = " + queue);
                Message received = user.receive(queue, 10_000);
                assertThat(received.deliveries()).isEqualTo((int) Math.min(Integer.MAX_VALUE, deliveries + 1));
                database.execute("DELETE FROM lease WHERE queue_id = " + queue);
                user.send(queue, 5, "and again");
                database.execute("UPDATE message SET deliveries = " + deliveries + " WHERE queue_id = " + queue);
                assertThat(user.take(queue).deliveries()).isEqualTo((int) Math.min(Integer.MAX_VALUE, deliveries + 1));
                user.send(queue, 5, "and again");
            }
        }
    }

    /** Waits until all other sessions have ended, since a session reports its last statistics as it ends. */
    private static long rolledBack() throws Exception {
        String sessions = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()";
        Await.until("all other sessions have ended", () -> database.number(sessions) == 1);
        return database.number("SELECT xact_rollback FROM pg_stat_database WHERE datname = current_database()");
    }
}
