package ch.ethz.mlmq.storage.postgresql.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import ch.ethz.mlmq.storage.postgresql.SwallowingProxy;
import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OwnConnectionTest {
    @Test
    void shouldGiveUpAConnectionWhoseServerIsSilentAndOpenAnother() {
        assertTimeoutPreemptively(Duration.ofMinutes(1), OwnConnectionTest::giveUpAndOpenAnother);
    }

    private static void giveUpAndOpenAnother() throws Exception {
        try (TestDatabase database = new TestDatabase();
                SwallowingProxy network = new SwallowingProxy(database.address());
                OwnConnection connection = new OwnConnection(network.address(), Duration.ofMillis(500), "")) {
            assertThat(connection.<Integer>work(OwnConnectionTest::one)).isEqualTo(1);

            network.swallow();

            assertThatThrownBy(() -> connection.work(OwnConnectionTest::one)).isInstanceOf(SQLException.class);
            assertThat(connection.<Integer>work(OwnConnectionTest::one)).isEqualTo(1);
        }
    }

    private static int one(Connection open) throws SQLException {
        try (Statement statement = open.createStatement(); ResultSet rows = statement.executeQuery("SELECT 1")) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
