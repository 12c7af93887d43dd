package ch.ethz.mlmq.storage.postgresql.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.storage.postgresql.StorageUser;
import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class EndsCleaningTest {
    /** More than one look. */
    private static final int MANY = 25_000;

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
    void shouldForgetTheEndsOfMessagesThatAreGoneInTwoPasses() throws Exception {
        ends("generate_series(1, " + MANY + ") AS i(id)");
        EndsCleaning cleaning = new EndsCleaning(Duration.ZERO);

        assertThat(cleaning.remove(connection)).isZero();
        assertThat(count()).isEqualTo(MANY);
        assertThat(removed(cleaning)).isEqualTo(MANY);
        assertThat(count()).isZero();
    }

    @Test
    void shouldKeepTheEndsOfMessagesThatWaitOrAreLeasedOrReturn() throws Exception {
        for (int i = 0; i < 3; i++) {
            user.send(queue, 5, "kept");
        }
        ends("message i");
        database.execute("INSERT INTO lease (message_id, context, sent_ms, queue_id, receiver_id, sender_id, prio, "
                + "deliveries, content, token, until) SELECT id, context, sent_ms, queue_id, receiver_id, sender_id, "
                + "prio, 1, content, 1, now() + interval '1 h' FROM message WHERE id = (SELECT min(id) FROM message)");
        database.execute("DELETE FROM message WHERE id = (SELECT min(id) FROM message)");
        database.execute("CREATE TABLE taken AS SELECT * FROM message WHERE id = (SELECT max(id) FROM message)");
        database.execute("DELETE FROM message WHERE id = (SELECT max(id) FROM message)");
        EndsCleaning cleaning = new EndsCleaning(Duration.ZERO);

        cleaning.remove(connection);
        database.execute("INSERT INTO message SELECT * FROM taken");

        assertThat(removed(cleaning)).isZero();
        assertThat(count()).isEqualTo(3);
    }

    @Test
    void shouldBeginNoPassTooEarly() throws Exception {
        ends("generate_series(1, 3) AS i(id)");
        EndsCleaning cleaning = new EndsCleaning(Duration.ofHours(1));

        assertThat(removed(cleaning)).isZero();
        assertThat(count()).isEqualTo(3);
    }

    /** @return number that the passes of several steps remove */
    private int removed(EndsCleaning cleaning) throws SQLException {
        int removed = 0;
        for (int i = 0; i < 20; i++) {
            removed += cleaning.remove(connection);
        }
        return removed;
    }

    private void ends(String of) throws SQLException {
        database.execute("INSERT INTO expiry (message_id, queue_id, receiver_id, prio, due) SELECT i.id, " + queue
                + ", 0, 5, now() + interval '1 year' FROM " + of);
    }

    private long count() throws SQLException {
        return database.number("SELECT count(*) FROM expiry");
    }
}
