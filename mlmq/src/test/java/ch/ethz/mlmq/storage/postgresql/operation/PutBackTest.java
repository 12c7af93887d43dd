package ch.ethz.mlmq.storage.postgresql.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.campaign.PrivateCluster;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.storage.postgresql.StorageUser;
import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PutBackTest {
    private static final String NEXT_TRANSACTION = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint";

    /** PostgreSQL may have committed when it dies, or the network, before it says so. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRequeueAMessageOnceIfTheCommitsOutcomeIsUnknown(boolean committed) throws Exception {
        try (TestDatabase database = new TestDatabase(); StorageUser user = new StorageUser(database);
                Connection connection = database.address().connect()) {
            connection.setAutoCommit(false);
            int queue = user.queue();
            user.send(queue, 5, "once");
            Message taken = user.take(queue);
            Requeueing requeue = new Requeueing();

            assertThatThrownBy(() -> requeue.requeue(silent(connection, committed), List.of(taken)))
                    .hasMessage("silence");
            assertThat(user.take(queue) != null).isEqualTo(committed);
            requeue.requeue(connection, List.of(taken));

            assertThat(user.take(queue) != null).isEqualTo(!committed);
        }
    }

    /**
     * The server dies before the transaction is on disk, and assigns its number to another one, which commits: that
     * number proves nothing.
     */
    @Test
    void shouldRequeueAMessageIfItsTransactionNumberIsReused() throws Exception {
        try (PrivateCluster cluster = PrivateCluster.start();
                TestDatabase database = new TestDatabase(cluster.server());
                StorageUser user = new StorageUser(database)) {
            database.execute("ALTER SYSTEM SET wal_writer_delay = '10s'");
            database.number("SELECT CASE WHEN pg_reload_conf() THEN 1 END");
            Requeueing requeue = new Requeueing();
            int queue = user.queue();
            user.send(queue, 5, "not lost");
            Message taken = user.take(queue);
            long before = database.number(NEXT_TRANSACTION);
            try (Connection connection = database.address().connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("SET synchronous_commit = off");
                connection.setAutoCommit(false);
                assertThatThrownBy(() -> requeue.requeue(silent(connection, true), List.of(taken)))
                        .hasMessage("silence");
                cluster.kill();
            }
            cluster.restart();
            assertThat(database.number(NEXT_TRANSACTION)).as("numbers are given again").isLessThanOrEqualTo(before + 1);
            for (int i = 0; i < 10; i++) {
                database.execute("UPDATE schema_version SET version = version");
            }

            try (Connection connection = database.address().connect()) {
                connection.setAutoCommit(false);
                requeue.requeue(connection, List.of(taken));
            }

            assertThat(database.number("SELECT count(*) FROM message WHERE queue_id = " + queue)).isEqualTo(1);
        }
    }

    /** @return the same connection, which commits or rolls back and then breaks */
    private static Connection silent(Connection connection, boolean commits) {
        return (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(), new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (!method.getName().equals("commit")) {
                        return method.invoke(connection, arguments);
                    }
                    if (commits) {
                        connection.commit();
                    } else {
                        connection.rollback();
                    }
                    throw new SQLException("silence");
                });
    }
}
