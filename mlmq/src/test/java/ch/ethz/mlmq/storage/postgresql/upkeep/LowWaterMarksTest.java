package ch.ethz.mlmq.storage.postgresql.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.campaign.PrivateCluster;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.storage.postgresql.StorageUser;
import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LowWaterMarksTest {
    private static PrivateCluster cluster;
    private static TestDatabase database;

    private StorageUser one;
    private StorageUser other;
    private LowWaterMarksKeeper keeper;
    private Connection connection;
    private int queue;

    @BeforeAll
    static void createDatabase() {
        cluster = PrivateCluster.start();
        database = new TestDatabase(cluster.server());
    }

    @AfterAll
    static void dropDatabase() {
        database.close();
        cluster.close();
    }

    @BeforeEach
    void open() throws Exception {
        one = new StorageUser(database);
        other = new StorageUser(database);
        one.agent(LowWaterMarksKeeper.class).bounds().track();
        keeper = new LowWaterMarksKeeper(database.address(), one.agent(LowWaterMarksKeeper.class).bounds());
        connection = database.address().connect();
        queue = one.queue();
    }

    @AfterEach
    void close() throws Exception {
        connection.close();
        keeper.onClose();
        one.close();
        other.close();
    }

    @Test
    void shouldMoveBehindWhatWasTaken() throws Exception {
        Message taken = sendAndTake(5);

        advanceBehind(taken);

        assertThat(boundOf(5)).isEqualTo(taken.id());
        assertThat(one.take(queue)).isNull();
        assertThat(sendAndTake(5).id()).isGreaterThan(taken.id());
    }

    @Test
    void shouldNotPassAnIdThatCouldStillBecomeVisible() throws Exception {
        try (Connection late = database.address().connect()) {
            late.setAutoCommit(false);
            long id = insert(late, 5);
            assertThat(sendAndTake(5).id()).isGreaterThan(id);

            advance();
            assertThat(boundOf(5)).isLessThan(id);
            late.commit();

            assertThat(one.take(queue).id()).isEqualTo(id);
        }
    }

    @Test
    void shouldNotBeHeldUpByTransactionsThatStoreNoMessages() throws Exception {
        try (Connection busy = database.address().connect(); Statement statement = busy.createStatement()) {
            busy.setAutoCommit(false);
            statement.execute("INSERT INTO dedup VALUES (0, 'x', now())");

            advanceBehind(sendAndTake(5));
            busy.rollback();
        }
    }

    @Test
    void shouldNotPassAMessageThatSomebodyElseHadLocked() throws Exception {
        one.send(queue, 5, "locked");
        try (Connection locker = database.address().connect(); Statement statement = locker.createStatement()) {
            locker.setAutoCommit(false);
            statement.execute("SELECT FROM message WHERE queue_id = " + queue + " FOR UPDATE");
            one.send(queue, 5, "free");
            assertThat(one.take(queue).text()).isEqualTo("free");

            advance();
            locker.rollback();
        }

        assertThat(one.take(queue).text()).isEqualTo("locked");
    }

    @Test
    void shouldFindAtOnceWhatAnotherBrokerReleases() throws Exception {
        Message back = receivedByTheOther(600_000);

        other.release(back);

        assertThat(one.take(queue).id()).isEqualTo(back.id());
        advanceBehind(sendAndTake(5));
        assertThat(one.take(queue)).isNull();
    }

    @Test
    void shouldFindAtOnceWhatAnotherBrokerPutsBack() throws Exception {
        one.send(queue, 5, "back");
        Message back = other.take(queue);
        advanceBehind(sendAndTake(5));

        other.storage.requeue(List.of(back));

        assertThat(one.take(queue).id()).isEqualTo(back.id());
    }

    @Test
    void shouldFindWhatComesBackBecauseItsLeaseRanOut() throws Exception {
        Message back = receivedByTheOther(1);
        Agent housekeeping = other.storage.agents().get(1);
        while (database.number("SELECT count(*) FROM lease WHERE message_id = " + back.id()) > 0) {
            housekeeping.doWork();
        }

        assertThat(one.take(queue).id()).isEqualTo(back.id());
        housekeeping.onClose();
    }

    @Test
    void shouldVerifyBoundsAnewAfterSomethingCameBack() throws Exception {
        Message back = receivedByTheOther(600_000);
        other.release(back);

        advance();
        assertThat(boundOf(5)).isLessThan(back.id());

        assertThat(one.take(queue).id()).isEqualTo(back.id());
    }

    @Test
    void shouldFindFromTheStartWhatKeptToNothing() throws Exception {
        Message taken = sendAndTake(5);
        advanceBehind(taken);
        database.execute("INSERT INTO message (id, queue_id, sender_id, prio, sent_ms, content) VALUES (" + taken.id()
                + ", " + queue + ", 1, 5, 0, '')");

        keeper.lookFromStart(connection);

        assertThat(one.take(queue).id()).isEqualTo(taken.id());
    }

    @Test
    void shouldKeepTheOrderOfPriorities() throws Exception {
        Random random = new Random(1);
        PriorityQueue<int[]> expected = new PriorityQueue<>(
                Comparator.<int[]>comparingInt(entry -> -entry[0]).thenComparingInt(entry -> entry[1]));
        for (int i = 0; i < 300; i++) {
            int priority = 1 + random.nextInt(10);
            one.send(queue, priority, Integer.toString(i));
            expected.add(new int[] {priority, i});
            while (i % 50 == 49 && !one.agent(LowWaterMarksKeeper.class).bounds().isInUse()) {
                advance();
            }
            if (random.nextInt(3) > 0) {
                assertThat(one.take(queue).text()).isEqualTo(Integer.toString(expected.remove()[1]));
            }
        }

        while (!expected.isEmpty()) {
            assertThat(one.take(queue).text()).isEqualTo(Integer.toString(expected.remove()[1]));
        }
        assertThat(one.take(queue)).isNull();
    }

    @Test
    void shouldBeginByThemselvesWhileASnapshotIsHeldAndEndWithIt() throws Exception {
        one.agent(LowWaterMarksKeeper.class).bounds().forget();
        try (Connection holder = database.address().connect(); Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            holder.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            statement.execute("SELECT count(*) FROM queue");
            letTimePass(3_000);
            while (!one.agent(LowWaterMarksKeeper.class).bounds().isInUse()) {
                sendAndTake(5);
                keeper.doWork();
            }
            holder.rollback();
        }
        while (one.agent(LowWaterMarksKeeper.class).bounds().isTracked()) {
            keeper.doWork();
        }
        assertThat(sendAndTake(5)).isNotNull();
    }

    @Test
    void shouldNotTakeAVacuumForAHeldSnapshot() throws Exception {
        one.agent(LowWaterMarksKeeper.class).bounds().forget();
        database.execute("INSERT INTO message (queue_id, sender_id, prio, sent_ms, content) "
                + "SELECT 0, 1, 5, 0, '' FROM generate_series(1, 50000)");
        try (Connection vacuuming = database.address().connect(); Statement vacuum = vacuuming.createStatement()) {
            vacuum.execute("SET vacuum_cost_delay = 100; SET vacuum_cost_limit = 1");
            Future<?> running = CompletableFuture.runAsync(() -> {
                try {
                    vacuum.execute("VACUUM message");
                } catch (SQLException e) {
                    // The wait was cancelled, as below.
                }
            });
            while (database.number("SELECT count(*) FROM pg_stat_progress_vacuum WHERE datname = current_database()")
                    == 0) {
                Thread.onSpinWait();
            }
            letTimePass(3_000);

            keeper.doWork();

            assertThat(running.isDone()).isFalse();
            assertThat(one.agent(LowWaterMarksKeeper.class).bounds().isTracked()).isFalse();
            vacuum.cancel();
            running.get();
        }
    }

    /** Takes a message under a lease at the other broker, so that the bound moves behind it. */
    private Message receivedByTheOther(int leaseMillis) throws Exception {
        one.send(queue, 5, "back");
        Message received = other.receive(queue, leaseMillis);
        advanceBehind(sendAndTake(5));
        return received;
    }

    private Message sendAndTake(int priority) {
        one.send(queue, priority, "x");
        return one.take(queue);
    }

    /** Advances several times, because the bound moves to the ids noted the time before. */
    private void advance() throws SQLException {
        for (int i = 0; i < 3; i++) {
            keeper.advance(connection);
        }
    }

    private void advanceBehind(Message taken) throws SQLException {
        while (boundOf(taken.priority()) < taken.id()) {
            keeper.advance(connection);
        }
    }

    private long boundOf(int priority) {
        return one.agent(LowWaterMarksKeeper.class).bounds().of(new int[] {queue}).bounds()[priority - 1];
    }

    private long insert(Connection open, int priority) throws SQLException {
        try (Statement statement = open.createStatement()) {
            try (ResultSet rows = statement.executeQuery("INSERT INTO message (queue_id, sender_id, prio, sent_ms, "
                    + "content) VALUES (" + queue + ", 1, " + priority + ", 0, '') RETURNING id")) {
                rows.next();
                return rows.getLong(1);
            }
        }
    }

    /** Executes transactions, which are PostgreSQL's clock. */
    private static void letTimePass(int transactions) throws SQLException {
        database.execute("DO $$ BEGIN FOR i IN 1.." + transactions
                + " LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$");
    }
}
