package ch.ethz.mlmq.storage.postgresql.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.Await;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.storage.postgresql.StorageUser;
import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import ch.ethz.mlmq.storage.postgresql.connection.OwnConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a broker that stalls in the middle of a transaction, with all its locks. */
@Timeout(60)
class StalledBrokerTest {
    private static final long LONGEST_TEST_SECONDS = 300;

    private TestDatabase database;
    private StorageUser user;
    private int queue;

    @BeforeEach
    void start() throws Exception {
        database = new TestDatabase();
        user = new StorageUser(database);
        queue = user.queue();
    }

    @AfterEach
    void close() {
        user.close();
        database.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT hold_messages()", "SELECT share_messages()", "SELECT FROM recount FOR UPDATE",
        "LOCK TABLE message IN SHARE MODE"})
    void shouldLoseItsSessionSoThatOthersGoOn(String lock) throws Exception {
        try (Stall stall = new Stall(lock)) {
            user.send(queue, 5, "meanwhile");
            assertThat(user.take(queue)).isNotNull();
            assertThat(user.execute(new Request.DeleteQueue(queue, true))).isEqualTo(Response.Done.INSTANCE);
            stall.assertThatItsSessionEnded();
        }
    }

    /** The wait for the exclusive lock is short, so that sends do not wait behind it for long. */
    @Test
    void shouldNotStopSendsByHoldingUpADeletion() throws Exception {
        try (Connection stalled = database.address().connect(); Statement statement = stalled.createStatement();
                StorageUser other = new StorageUser(database)) {
            stalled.setAutoCommit(false);
            statement.execute("SELECT share_messages()");
            CompletableFuture<Response> deletion =
                    CompletableFuture.supplyAsync(() -> other.execute(new Request.DeleteQueue(queue, true)));

            int target = user.queue();
            while (!deletion.isDone()) {
                user.send(target, 5, "meanwhile");
            }
            assertThat(((Response.Failure) deletion.get()).status()).isEqualTo(Status.OVERLOADED);
            assertThat(((Response.Failure) deletion.get()).text()).contains("retry");
            stalled.rollback();
        }
        assertThat(user.execute(new Request.DeleteQueue(queue, true))).isEqualTo(Response.Done.INSTANCE);
    }

    @Test
    @Timeout(LONGEST_TEST_SECONDS + 60)
    void shouldDeleteAQueueThatNeedNotBeEmptyWhileMessagesAreStored() throws Exception {
        try (Connection storing = database.address().connect(); Statement statement = storing.createStatement()) {
            storing.setAutoCommit(false);
            statement.execute("SELECT share_messages()");
            statement.execute("INSERT INTO message (queue_id, sender_id, prio, sent_ms, content) VALUES (" + queue
                    + ", 1, 1, 0, '')");

            assertThat(user.execute(new Request.DeleteQueue(queue, false))).isEqualTo(Response.Done.INSTANCE);
            clean();
            clean();
            assertThat(database.number("SELECT count(*) FROM queue WHERE id = " + queue))
                    .as("its row, while a transaction may still store into it").isEqualTo(1);
            storing.commit();
        }
        // Transactions in other databases of the server have numbers, too, and may last as long as other tests.
        Await.until("no transaction is left that began before", LONGEST_TEST_SECONDS, () -> database.number(
                "SELECT count(*) FROM queue WHERE id = " + queue
                        + " AND stored_before > pg_snapshot_xmin(pg_current_snapshot())") == 0);
        Await.until("its row is gone", () -> {
            clean();
            return database.number("SELECT count(*) FROM queue WHERE id = " + queue) == 0;
        });
        assertThat(database.number("SELECT count(*) FROM message")).isZero();
    }

    @Test
    void shouldNotTakeTheExclusiveLockForAQueueThatIsGoneOrNotEmpty() throws Exception {
        user.send(queue, 5, "one");
        try (Connection storing = database.address().connect(); Statement statement = storing.createStatement()) {
            storing.setAutoCommit(false);
            statement.execute("SELECT share_messages()");

            assertThat(status(user.execute(new Request.DeleteQueue(999_999, true))))
                    .isEqualTo(Status.QUEUE_DOES_NOT_EXIST);
            assertThat(status(user.execute(new Request.DeleteQueue(queue, true)))).isEqualTo(Status.QUEUE_NOT_EMPTY);
            storing.rollback();
        }
    }

    @Test
    void shouldNotKeepLeasesFromEndingByHoldingLengths() throws Exception {
        user.send(queue, 5, "leased");
        assertThat(user.receive(queue, 1)).isNotNull();
        try (Connection stalled = database.address().connect(); Statement statement = stalled.createStatement()) {
            stalled.setAutoCommit(false);
            statement.execute("SELECT FROM recount FOR UPDATE");

            LeaseExpiry expiry = user.agent(LeaseExpiry.class);
            while (database.number("SELECT count(*) FROM message") == 0) {
                expiry.doWork();
            }
            stalled.rollback();
        }
    }

    /** A lease may be missed because its transaction took long, or another broker had locked it during the search. */
    @Test
    void shouldEndALeaseThatBecomesVisibleLongAfterItRanOut() throws Exception {
        LeaseExpiry expiry = user.agent(LeaseExpiry.class);
        expiry.doWork();
        database.execute("INSERT INTO lease VALUES (1, 0, 0, " + queue + ", 0, 1, 5, 1, '', 7, "
                + "now() - interval '1 hour')");

        while (database.number("SELECT count(*) FROM message") == 0) {
            expiry.doWork();
        }
        assertThat(database.number("SELECT count(*) FROM lease")).isZero();
    }

    private void clean() {
        new Cleaning(database.address(), Duration.ZERO).doWork();
    }

    private static Status status(Response response) {
        return ((Response.Failure) response).status();
    }

    /** A stalled transaction of a broker's own connection, after its first statement. */
    private final class Stall implements AutoCloseable {
        private final OwnConnection connection = new OwnConnection(database.address(), Duration.ofSeconds(30), "");
        private final CountDownLatch stands = new CountDownLatch(1);
        private final CountDownLatch goesOn = new CountDownLatch(1);
        private final CompletableFuture<Void> transaction;

        private Stall(String statement) throws Exception {
            transaction = CompletableFuture.runAsync(() -> stall(statement));
            stands.await();
        }

        private void stall(String sql) {
            try {
                connection.transact(open -> {
                    try (Statement statement = open.createStatement()) {
                        statement.execute(sql);
                        stands.countDown();
                        goesOn.await(1, TimeUnit.MINUTES);
                        return statement.execute("SELECT 1");
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                });
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        private void assertThatItsSessionEnded() throws Exception {
            Await.until("the server has ended the session", () -> database.number("SELECT count(*) "
                    + "FROM pg_stat_activity WHERE datname = current_database() "
                    + "AND state = 'idle in transaction'") == 0);
            goesOn.countDown();
            assertThatThrownBy(transaction::get).hasRootCauseInstanceOf(SQLException.class);
        }

        @Override
        public void close() {
            goesOn.countDown();
        }
    }
}
