package ch.ethz.mlmq.storage.postgresql.operation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.storage.postgresql.StorageUser;
import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class SlowFilterTest {
    /** More messages than a filter looks at within the timeout. */
    private static final int MANY = 500_000;

    private static TestDatabase database;
    private static StorageUser user;
    private static int queue;

    @BeforeAll
    static void fill() throws Exception {
        database = new TestDatabase();
        user = new StorageUser(database, Map.of("broker.db.timeout", "100ms"));
        queue = user.queue();
        user.send(queue, 10, "first");
        database.execute("INSERT INTO message (queue_id, sender_id, prio, sent_ms, content) SELECT " + queue
                + ", 1, 5, 0, '' FROM generate_series(1, " + MANY + ")");
        database.execute("ANALYZE message");
    }

    @AfterAll
    static void close() throws Exception {
        user.close();
        database.close();
    }

    @Test
    void shouldTellThatAFilterTakesTooLong() {
        Response.Failure failure = (Response.Failure) user.execute(new Request.DequeueMessage(query("id = 1")));

        assertThat(failure.status()).isEqualTo(Status.BROKER_ERROR);
        assertThat(failure.text()).contains("filter", "100 ms", "name a queue with fewer messages");
        assertThat(user.execute(new Request.PeekMessage(query("id = 1")))).isEqualTo(failure);
    }

    @Test
    void shouldNotReadAllMessagesIfTheFirstMatches() throws Exception {
        try (Connection connection = database.address().connect()) {
            connection.setAutoCommit(false);
            FilterSearch search = new FilterSearch(query("$priority = 10"), 1, Duration.ofMinutes(10));

            assertThat(search.find(connection, 1).count()).isEqualTo(1);

            assertThat(readBy(connection)).isBetween(1L, MANY / 10L);
        }
    }

    /** @return number of messages that the connection's transaction has read */
    private static long readBy(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(
                "SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'message'")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static MessageQuery query(String filter) {
        return MessageQuery.queue(queue).matching(filter);
    }
}
