package ch.ethz.mlmq.storage.postgresql.operation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.config.SynchronousCommit;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import ch.ethz.mlmq.storage.postgresql.connection.ConnectionPool;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeaseOperationsTest {
    private static final int LEASED = 400;
    private static final int TOKEN = 7;
    private static final String STORED = "INSERT INTO lease (message_id, context, sent_ms, queue_id, receiver_id, "
            + "sender_id, prio, deliveries, content, token, until) SELECT n, 0, 0, 1, 0, 1, 5, 1, '', " + TOKEN
            + ", now() + interval '%s' FROM generate_series(%d, %d) n";

    private interface Operation {
        Response execute(LeaseOperations leases, Connection connection) throws SQLException;
    }

    /** PostgreSQL's statistics say so after leases came to their end: the index of ends seems to find almost none. */
    @Test
    void shouldReadItsOwnLeasesOnlyWherePostgresqlExpectsThatAllLeasesHaveEnded() throws Exception {
        List<Lease> two = List.of(new Lease(1, TOKEN), new Lease(LEASED, TOKEN));
        List<Operation> operations = List.of(
                (leases, connection) -> leases.acknowledge(connection, new Request.Acknowledge(1, TOKEN)),
                (leases, connection) -> leases.acknowledge(connection, new Request.AcknowledgeMessages(two)),
                (leases, connection) -> leases.acknowledgeUnlocked(connection, new Request.Acknowledge(1, TOKEN),
                        List.of(new Lease(1, TOKEN))),
                (leases, connection) -> leases.extend(connection, new Request.Extend(1, TOKEN, 1_000)),
                (leases, connection) -> leases.extend(connection, new Request.ExtendLeases(two, 1_000)),
                (leases, connection) -> leases.release(connection, new Changes(1), new Request.Release(1, TOKEN)),
                (leases, connection) -> leases.release(connection, new Changes(1), new Request.ReleaseMessages(two)));
        try (TestDatabase database = new TestDatabase();
                ConnectionPool pool = new ConnectionPool("test", database.address(), 1, Duration.ofSeconds(10),
                        SynchronousCommit.ON)) {
            database.execute(String.format(STORED, "-1 hour", 1, 2 * LEASED));
            database.execute("ANALYZE lease");
            database.execute("DELETE FROM lease");
            database.execute(String.format(STORED, "1 hour", 1, LEASED));

            for (Operation operation : operations) {
                assertThat(rowsRead(pool, operation)).isBetween(1, 20);
            }
        }
    }

    /** @return rows of leases that it reads by indexes; it is rolled back */
    private static int rowsRead(ConnectionPool pool, Operation operation) throws SQLException {
        try (Connection connection = pool.take(); Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            operation.execute(new LeaseOperations(5), connection);
            try (ResultSet rows = statement.executeQuery(
                    "SELECT idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'lease'")) {
                rows.next();
                return rows.getInt(1);
            } finally {
                connection.rollback();
            }
        }
    }
}
