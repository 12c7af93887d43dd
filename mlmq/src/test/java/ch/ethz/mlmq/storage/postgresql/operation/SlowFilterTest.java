package ch.ethz.mlmq.storage.postgresql.operation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.storage.postgresql.StorageUser;
import ch.ethz.mlmq.storage.postgresql.TestDatabase;
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
    void shouldNotLookForMoreThanTheOneThatMatches() {
        Response response = user.execute(new Request.DequeueMessage(query("$priority = 10")));

        assertThat(((Response.Delivery) response).message().content()).isEqualTo("first".getBytes());
    }

    private static MessageQuery query(String filter) {
        return MessageQuery.queue(queue).matching(filter);
    }
}
