package ch.ethz.mlmq.storage.postgresql.operation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class CandidateQueryTest {
    private static final int CLIENT = 1;
    private static final Pattern BLOCKS = Pattern.compile("Buffers: shared hit=(\\d+)");

    /** A query for any queue costs as much as the queues that its client may read, however many other clients exist. */
    @Test
    void shouldNotReadTheQueuesOfOtherClients() throws Exception {
        try (TestDatabase database = new TestDatabase(); Connection connection = database.address().connect()) {
            addClients(connection, 1, 20);
            int few = blocks(connection);
            addClients(connection, 21, 50_000);

            assertThat(blocks(connection)).isPositive().isLessThan(few + 100);
        }
    }

    private static void addClients(Connection connection, int first, int last) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(String.format("INSERT INTO queue (name, owner_id, addressed) "
                    + "SELECT 'client-' || n, n, false FROM generate_series(%d, %d) n; ANALYZE queue", first, last));
        }
    }

    /** @return pages that the query reads */
    private static int blocks(Connection connection) throws SQLException {
        CandidateQuery query = new CandidateQuery(MessageQuery.any(), CLIENT, "id", 1);
        try (PreparedStatement statement = connection.prepareStatement("EXPLAIN (ANALYZE, BUFFERS) " + query.sql())) {
            query.bind(statement);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    Matcher blocks = BLOCKS.matcher(rows.getString(1));
                    if (blocks.find()) {
                        return Integer.parseInt(blocks.group(1));
                    }
                }
            }
        }
        throw new AssertionError("the plan names no buffers");
    }
}
