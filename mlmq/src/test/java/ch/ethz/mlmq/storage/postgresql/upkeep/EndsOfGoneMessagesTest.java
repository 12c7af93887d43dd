package ch.ethz.mlmq.storage.postgresql.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageProperties;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.storage.postgresql.StorageUser;
import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import ch.ethz.mlmq.storage.postgresql.operation.Requeueing;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EndsOfGoneMessagesTest {
    private static final MessageProperties YEAR =
            MessageProperties.NONE.with(MessageProperties.TIME_TO_LIVE, MessageProperties.MAX_MILLIS);

    private final EndsOfGoneMessages ends = new EndsOfGoneMessages(Duration.ZERO);
    private TestDatabase database;
    private StorageUser user;
    private Connection connection;
    private int queue;

    @BeforeEach
    void open() throws Exception {
        database = new TestDatabase();
        user = new StorageUser(database);
        connection = database.address().connect();
        queue = user.queue();
    }

    @AfterEach
    void close() throws Exception {
        connection.close();
        user.close();
        database.close();
    }

    @Test
    void shouldForgetThoseOfMessagesThatAreMissingInTwoPasses() throws Exception {
        send(YEAR);
        user.acknowledge(user.receive(queue, 60_000));
        send(YEAR);
        user.take(queue);
        assertThat(ends.remove(connection)).isEqualTo(2);
        assertThat(count()).isEqualTo(2);

        ends.remove(connection);

        assertThat(count()).isZero();
    }

    @Test
    void shouldKeepThoseOfMessagesThatAreReadyOrLeasedOrDelayed() throws Exception {
        send(YEAR);
        user.receive(queue, 60_000);
        send(YEAR);
        send(YEAR.with(MessageProperties.DELAY, MessageProperties.MAX_MILLIS));

        for (int i = 0; i < 3; i++) {
            assertThat(ends.remove(connection)).isEqualTo(3);
        }

        assertThat(count()).isEqualTo(3);
    }

    @Test
    void shouldKeepThatOfAMessageThatCameBack() throws Exception {
        send(YEAR);
        Message taken = user.take(queue);
        ends.remove(connection);
        try (Connection other = database.address().connect()) {
            other.setAutoCommit(false);
            new Requeueing().requeue(other, List.of(taken));
        }

        ends.remove(connection);
        user.take(queue);
        ends.remove(connection);

        assertThat(count()).isEqualTo(1);
    }

    @Test
    void shouldMakePassesAtOneBrokerOnly() throws Exception {
        send(YEAR);
        assertThat(ends.remove(connection)).isEqualTo(1);

        try (Connection other = database.address().connect()) {
            assertThat(new EndsOfGoneMessages(Duration.ZERO).remove(other)).isZero();
        }
    }

    @Test
    void shouldLookAtManyInOnePass() throws Exception {
        database.execute("INSERT INTO expiry SELECT i, 1, 0, 5, now() + interval '1 d' "
                + "FROM generate_series(1, 25000) i");
        for (int left = 50_000; left > 0;) {
            left -= ends.remove(connection);
        }

        assertThat(count()).isZero();
    }

    private void send(MessageProperties properties) {
        user.execute(new Request.SendMessage(new int[] {queue}, 0, 5, 0, "", new byte[1], properties));
    }

    private long count() throws SQLException {
        return database.number("SELECT count(*) FROM expiry");
    }
}
