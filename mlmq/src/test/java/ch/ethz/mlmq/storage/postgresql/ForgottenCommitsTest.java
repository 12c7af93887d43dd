package ch.ethz.mlmq.storage.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.campaign.PrivateCluster;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.storage.postgresql.length.Lengths;
import ch.ethz.mlmq.storage.postgresql.length.Recount;
import ch.ethz.mlmq.storage.postgresql.upkeep.LowWaterMarksKeeper;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With {@code broker.db.synchronous.commit=off} a server that crashes forgets commits that the broker knows of. */
class ForgottenCommitsTest {
    private static final String COUNTED = "SELECT pg_snapshot_xmax(counted)::text::bigint FROM recount";

    private PrivateCluster cluster;
    private TestDatabase database;
    private StorageUser user;
    private int queue;

    @BeforeEach
    void open() throws Exception {
        cluster = PrivateCluster.start();
        try (Connection connection = cluster.connect(); Statement statement = connection.createStatement()) {
            statement.execute("ALTER SYSTEM SET max_prepared_transactions = 1");
        }
        cluster.stop();
        cluster.restart();
        database = new TestDatabase(cluster.server());
        user = new StorageUser(database, Map.of("broker.db.synchronous.commit", "off"));
        queue = user.queue();
    }

    @AfterEach
    void close() {
        user.close();
        database.close();
        cluster.close();
    }

    @Test
    void shouldCountAMessageThatTheServerHasForgottenToBeTaken() throws Exception {
        Lengths lengths = user.agent(Lengths.class);
        Recount recount = user.agent(Recount.class);
        user.send(queue, 5, "taken");
        work(() -> length() == 1, lengths);
        long before = database.number(COUNTED);
        cluster.stopBackgroundWrites();
        user.take(queue);

        crash();

        work(() -> database.number(COUNTED) != before, lengths, recount);
        user.tellLengths();
        assertThat(length()).isEqualTo(1);
    }

    @Test
    void shouldTakeAMessageBelowTheLowWaterMarksThatTheServerHasForgottenToBeTaken() throws Exception {
        LowWaterMarksKeeper keeper = user.agent(LowWaterMarksKeeper.class);
        holdAnOldSnapshot();
        work(keeper.bounds()::isTracked, keeper);
        user.send(queue, 5, "taken");
        database.execute("CHECKPOINT");
        cluster.stopBackgroundWrites();
        Message taken = user.take(queue);
        work(() -> keeper.bounds().of(new int[] {queue}).bounds()[taken.priority() - 1] == taken.id(), keeper);

        crash();

        work(() -> !keeper.bounds().isInUse(), keeper);
        assertThat(takeAfterCrash().id()).isEqualTo(taken.id());
        database.execute("ROLLBACK PREPARED 'old'");
    }

    /** The prepared transaction outlasts the crash, so the snapshot is still old after it. */
    private void holdAnOldSnapshot() throws Exception {
        try (Connection connection = database.address().connect(); Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("UPDATE schema_version SET version = version");
            statement.execute("PREPARE TRANSACTION 'old'");
        }
        database.execute("DO $$ BEGIN FOR i IN 1..3000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$");
    }

    /** Lets agents work until the condition holds. */
    private static void work(Callable<Boolean> until, Agent... agents) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!until.call()) {
            assertThat(System.nanoTime()).as("a minute has passed").isLessThan(deadline);
            for (Agent agent : agents) {
                agent.doWork();
            }
        }
    }

    private void crash() throws Exception {
        cluster.kill();
        cluster.restart();
    }

    /** Takes as soon as the storage has connections again. */
    private Message takeAfterCrash() throws Exception {
        AtomicReference<Response> response = new AtomicReference<>();
        work(() -> {
            response.set(user.execute(new Request.DequeueMessage(MessageQuery.queue(queue))));
            return response.get() instanceof Response.Delivery;
        });
        return ((Response.Delivery) response.get()).message();
    }

    private long length() throws Exception {
        return database.number("SELECT COALESCE((SELECT messages FROM queue_length WHERE queue_id = " + queue
                + "), 0)");
    }
}
