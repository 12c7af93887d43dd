package ch.ethz.mlmq.storage.postgresql.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import ch.ethz.mlmq.storage.topic.Subscriptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicDirectoryTest {
    private final TestDatabase database = new TestDatabase();
    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        connection = database.address().connect();
        database.execute("INSERT INTO topic (name, account) VALUES ('one', ''), ('two', '')");
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        database.close();
    }

    @Test
    void shouldLoadWhatIsNewAndAllAgainIfASubscriptionHasEnded() throws SQLException {
        TopicDirectory directory = new TopicDirectory(null);
        subscribe(1, "a", "id = 1", 10);
        assertThat(directory.load(connection, 1).size()).isEqualTo(1);

        subscribe(1, "b", "", 10);
        Subscriptions more = directory.load(connection, 1);
        assertThat(more.size()).isEqualTo(2);
        assertThat(more.generation()).isEqualTo(2);

        database.execute("SELECT unsubscribe(1, 'a', 0, '')");
        subscribe(1, "c", "", 10);
        Subscriptions last = directory.load(connection, 1);
        assertThat(last.size()).isEqualTo(2);
        assertThat(last.generation()).isEqualTo(4);
        assertThat(directory.known(1)).isSameAs(last);

        database.execute("SELECT delete_topic(1)");
        assertThat(directory.load(connection, 1)).isNull();
        assertThat(directory.known(1)).isNull();
        assertThat(database.number("SELECT count(*) FROM queue WHERE NOT deleted")).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "id = 1", "a LIKE 'x%' AND b like '%' OR c LiKe 'like'", "likelike = 1", "l IKE 'x'",
        "name = 'Z\u00fcrich \ud83d\ude00 like'", "NOT LIKE\n'%' LIKE"})
    void shouldWeighFiltersAsTheDatabaseDoes(String filter) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT filter_weight(?)")) {
            statement.setString(1, filter);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                assertThat(Subscriptions.weight(filter)).isEqualTo(rows.getLong(1));
            }
        }
    }

    @Test
    void shouldKeepSoManyBytesAndAlwaysTheLastTopic() throws SQLException {
        subscribe(1, "a", "id = 1", 10);
        subscribe(2, "a", "id = 1", 10);
        TopicDirectory directory = new TopicDirectory(null, new TopicDirectory(null).load(connection, 1).bytes());

        directory.load(connection, 1);
        assertThat(directory.known(1)).isNotNull();
        directory.load(connection, 2);

        assertThat(directory.known(1)).isNull();
        assertThat(directory.known(2)).isNotNull();
    }

    @Test
    void shouldRefuseMoreSubscriptionsThanATopicMayHave() throws SQLException {
        subscribe(1, "a", "id = 1", 2);
        subscribe(1, "b", "id = 1", 2);
        subscribe(1, "a", "id = 1", 2);
        assertThat(database.number("SELECT (obstacle = 'full')::int FROM subscribe(1, 'c', '', 0, '', 2, 99, 0)"))
                .isOne();
        assertThat(database.number("SELECT (obstacle = 'full')::int FROM subscribe(1, 'c', 'TRUE', 0, '', 9, 15, 0)"))
                .isOne();
        database.execute("SELECT unsubscribe(1, 'b', 0, '')");
        subscribe(1, "c", "id = 1", 2);
    }

    @Test
    void shouldSayWhichTopicIsStale() {
        assertThatThrownBy(() -> database.execute("SELECT stale_topic(7)")).isInstanceOf(SQLException.class)
                .hasMessageContaining("subscriptions of topic 7 have changed");
    }

    private void subscribe(int topic, String name, String filter, int most) throws SQLException {
        assertThat(database.number("SELECT (obstacle IS NULL)::int FROM subscribe(" + topic + ", '" + name + "', '"
                + filter + "', 0, '', " + most + ", 1000, 0)")).isOne();
    }
}
