package ch.ethz.mlmq.storage.postgresql.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.campaign.PrivateCluster;
import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import ch.ethz.mlmq.storage.postgresql.length.LengthLedger;
import ch.ethz.mlmq.storage.postgresql.operation.LowWaterMarks;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class VacuumTest {
    private final TestDatabase database = new TestDatabase();
    private final LengthLedger ledger = new LengthLedger();
    private final LowWaterMarks bounds = new LowWaterMarks();
    private final Vacuum vacuum = new Vacuum(database.address(), ledger, bounds);

    /** PostgreSQL's own vacuum must be off meanwhile, because its snapshots keep rows like any other. */
    @Test
    void shouldMakeRoomAgainWhereMessagesWereTaken() throws SQLException {
        try (PrivateCluster cluster = PrivateCluster.start(); TestDatabase quiet = new TestDatabase(cluster.server())) {
            quiet.execute("ALTER SYSTEM SET autovacuum = off");
            quiet.number("SELECT CASE WHEN pg_reload_conf() THEN 1 END");
            store(quiet);
            long size = size(quiet);
            quiet.execute("DELETE FROM message");

            Vacuum itsVacuum = new Vacuum(quiet.address(), ledger, bounds);
            itsVacuum.clear();
            itsVacuum.onClose();
            store(quiet);

            assertThat(size(quiet)).isEqualTo(size);
        }
    }

    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES)
    void shouldComeOnceEnoughWasTaken() throws Exception {
        change(Vacuum.WORTHWHILE);
        change(1 - Vacuum.WORTHWHILE);
        assertThat(vacuum.isWorthwhile()).isFalse();
        change(-1);
        assertThat(vacuum.isWorthwhile()).isTrue();

        while (database.number("SELECT vacuum_count FROM pg_stat_user_tables WHERE relname = 'message'") == 0) {
            vacuum.doWork();
            TimeUnit.MILLISECONDS.sleep(10);
        }

        assertThat(vacuum.isWorthwhile()).isFalse();
    }

    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES)
    void shouldSleepWhileItClears() throws Exception {
        CompletableFuture<Void> clearing = CompletableFuture.runAsync(() -> { });
        while (database.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'VacuumDelay' "
                + "AND backend_type = 'client backend' AND datname = current_database()") == 0) {
            if (clearing.isDone()) {
                clearing.join();
                store(database);
                database.execute("DELETE FROM message");
                clearing = CompletableFuture.runAsync(vacuum::clear);
            }
        }
        clearing.join();
    }

    @Test
    void shouldNotTryInVainWhileASnapshotIsHeld() {
        change(-Vacuum.WORTHWHILE);

        bounds.track();
        assertThat(vacuum.isWorthwhile()).isFalse();
        bounds.forget();
        assertThat(vacuum.isWorthwhile()).isTrue();
    }

    @Test
    void shouldGoOnWhereAnotherBrokerIsAtIt() throws Exception {
        try (var connection = database.address().connect(); var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("LOCK TABLE message IN SHARE UPDATE EXCLUSIVE MODE");

            vacuum.clear();
        }

        assertThat(database.number("SELECT vacuum_count FROM pg_stat_user_tables WHERE relname = 'message'")).isZero();
    }

    @AfterEach
    void close() {
        vacuum.onClose();
        database.close();
    }

    private static void store(TestDatabase database) throws SQLException {
        database.execute("INSERT INTO message (queue_id, sender_id, prio, sent_ms, content) "
                + "SELECT 1, 1, 1, 0, repeat('x', 100)::bytea FROM generate_series(1, 5000)");
    }

    private static long size(TestDatabase database) throws SQLException {
        return database.number("SELECT pg_relation_size('message')");
    }

    private void change(int messages) {
        LengthLedger.Entry entry = new LengthLedger.Entry(1);
        entry.change(1, messages);
        ledger.add(entry);
    }
}
