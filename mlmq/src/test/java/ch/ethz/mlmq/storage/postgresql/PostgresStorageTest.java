package ch.ethz.mlmq.storage.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.Await;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.storage.postgresql.batch.BatchPlan;
import ch.ethz.mlmq.storage.postgresql.upkeep.Cleaning;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests the transactions of batches, and their failures. */
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
            assertThat(database.number("SELECT max(n) FROM (" + sent + ") t")).isEqualTo(BatchPlan.MAX_ROUNDS);
            assertThat(database.number("SELECT count(*) FROM (" + sent + ") t"))
                    .isEqualTo((PAIRS + BatchPlan.MAX_ROUNDS - 1) / BatchPlan.MAX_ROUNDS);
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
            statement.execute("SELECT hold_messages()");

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
            statement.execute("INSERT INTO dedup VALUES (" + queue + ", 'slow', now() + interval '1 min')");

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

    @Test
    void shouldNotTakeALaterSendOfItsConnectionFromAnAddressedQueue() throws Exception {
        try (StorageUser user = new StorageUser(database); StorageUser another = new StorageUser(database)) {
            int queue = user.queue();
            assertThat(user.take(queue)).isNull();
            int client = client(another, "addressee");
            another.execute(new Request.SendMessage(new int[] {queue}, client, 5, 0, "", new byte[1]));

            List<Response> responses = user.executeAll(List.of(
                    new Request.DequeueMessage(MessageQuery.queue(queue)),
                    StorageUser.message(queue, 5, "sent later")));

            assertThat(responses).containsExactly(Response.Delivery.NONE, Response.Done.INSTANCE);
            assertThat(user.take(queue).text()).isEqualTo("sent later");
        }
    }

    @Test
    void shouldRefuseAReceiverThatWasForgotten() throws Exception {
        try (StorageUser user = new StorageUser(database)) {
            int queue = user.queue();
            int client = client(user, "soon forgotten");
            Request send = new Request.SendMessage(new int[] {queue}, client, 5, 0, "", new byte[1]);
            assertThat(user.execute(send)).isEqualTo(Response.Done.INSTANCE);
            database.execute("DELETE FROM client WHERE id = " + client);

            assertThat(((Response.Failure) user.execute(send)).status()).isEqualTo(Status.CLIENT_DOES_NOT_EXIST);
        }
    }

    @Test
    void shouldNotUseIdsUpForQueuesThatExist() throws Exception {
        try (StorageUser user = new StorageUser(database)) {
            user.execute(new Request.CreateQueue("exists"));
            long ids = database.number("SELECT last_value FROM queue_id_seq");
            for (int i = 0; i < 50; i++) {
                assertThat(user.execute(new Request.CreateQueue("exists"))).isInstanceOf(Response.Failure.class);
            }

            assertThat(database.number("SELECT last_value FROM queue_id_seq")).isEqualTo(ids);
        }
    }

    @Test
    void shouldWorkUnderAPublicationForAllTables() throws Exception {
        try (StorageUser user = new StorageUser(database)) {
            int queue = user.queue();
            database.execute("CREATE PUBLICATION everything FOR ALL TABLES");
            user.send(queue, 5, "one");
            user.send(queue, 5, "two");

            assertThat(user.take(queue)).isNotNull();
            user.acknowledge(user.receive(queue, 60_000));
            user.tellLengths();
            user.agent(Cleaning.class).doWork();

            assertThat(database.number("SELECT messages FROM queue_length WHERE queue_id = " + queue)).isZero();
        } finally {
            database.execute("DROP PUBLICATION everything");
        }
    }

    @Test
    void shouldKeepAKeyAsLongAsTheBrokerThatStoredItSaid() throws Exception {
        try (StorageUser patient = new StorageUser(database, Map.of("broker.dedup.window", "1h"));
                StorageUser hasty = new StorageUser(database, Map.of("broker.dedup.window", "1s"))) {
            int queue = patient.queue();
            Request send = new Request.SendMessage(new int[] {queue}, 0, 5, 0, "once", new byte[1]);
            patient.execute(send);
            database.execute("UPDATE dedup SET expires_at = expires_at - interval '30 min'");

            hasty.agent(Cleaning.class).doWork();
            patient.execute(send);
            hasty.execute(send);

            assertThat(database.number("SELECT count(*) FROM message WHERE queue_id = " + queue)).isEqualTo(1);
        }
    }

    @Test
    void shouldRemoveAllExpiredKeysHoweverManyThereAre() throws Exception {
        try (StorageUser user = new StorageUser(database)) {
            database.execute("INSERT INTO dedup SELECT 7, n::text, now() - interval '1 s' "
                    + "FROM generate_series(1, 45000) n");

            user.agent(Cleaning.class).doWork();

            assertThat(database.number("SELECT count(*) FROM dedup WHERE queue_id = 7")).isZero();
        }
    }

    @Test
    void shouldDeadLetterFromAQueueWhoseNameOnlyLooksLikeThatOfDeadLetters() throws Exception {
        try (StorageUser user = new StorageUser(database, Map.of("broker.deliveries.max", "1"))) {
            int queue = ((Response.QueueFound) user.execute(new Request.CreateQueue("mine.dead"))).queue();
            user.send(queue, 5, "never done");
            user.release(user.receive(queue, 60_000));

            assertThat(user.take(queue)).isNull();
            assertThat(database.number("SELECT count(*) FROM message m JOIN queue q ON q.id = m.queue_id "
                    + "WHERE q.name = 'mine.dead.dead' AND q.dead")).isEqualTo(1);
        }
    }

    /** The primary that a connection led to has become a standby. */
    @Test
    void shouldGiveUpAConnectionToAServerThatOnlyReads() throws Exception {
        try (TestDatabase own = new TestDatabase(); StorageUser user = new StorageUser(own,
                Map.of("broker.db.connections", "1"))) {
            int queue = user.queue();
            own.execute("DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', "
                    + "current_database()); END $$");
            own.number("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                    + "WHERE datname = current_database() AND pid <> pg_backend_pid()");
            Await.until("a request meets a connection that only reads", () ->
                    user.execute(StorageUser.message(queue, 5, "x")) instanceof Response.Failure failure
                            && failure.text().contains("25006"));
            try (Connection open = own.address().connect(); Statement statement = open.createStatement()) {
                statement.execute("SET default_transaction_read_only = off");
                statement.execute("DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET default_transaction_read_only', "
                        + "current_database()); END $$");
            }

            Await.until("a request meets one that writes", () ->
                    user.execute(StorageUser.message(queue, 5, "x")) == Response.Done.INSTANCE);
        }
    }

    private static int client(StorageUser user, String name) {
        return ((Response.Registered) user.execute(new Request.Register(name))).client();
    }

    /** Waits until all other sessions have ended, since a session reports its last statistics as it ends. */
    private static long rolledBack() throws Exception {
        String sessions = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()";
        Await.until("all other sessions have ended", () -> database.number(sessions) == 1);
        return database.number("SELECT xact_rollback FROM pg_stat_database WHERE datname = current_database()");
    }
}
