package ch.ethz.mlmq.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class VacuumTest {
    private final TestDatabase database = new TestDatabase();
    private final LengthLedger ledger = new LengthLedger();
    private final LowerBounds bounds = new LowerBounds();
    private final Vacuum vacuum = new Vacuum(database.address(), ledger, bounds);

    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES)
    void shouldMakeRoomAgainWhereMessagesWereTaken() throws SQLException {
        store();
        long before;
        do { // once more where PostgreSQL itself was analyzing just then: its snapshot is like anybody's
            before = size();
            database.execute("DELETE FROM message");
            vacuum.clear();
            store();
        } while (size() > before);
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

    private void store() throws SQLException {
        database.execute("INSERT INTO message (queue_id, sender_id, prio, sent_ms, content) "
                + "SELECT 1, 1, 1, 0, repeat('x', 100)::bytea FROM generate_series(1, 5000)");
    }

    private long size() throws SQLException {
        return database.number("SELECT pg_relation_size('message')");
    }

    private void change(int messages) {
        LengthLedger.Entry entry = new LengthLedger.Entry(1);
        entry.change(1, messages);
        ledger.add(entry);
    }
}
