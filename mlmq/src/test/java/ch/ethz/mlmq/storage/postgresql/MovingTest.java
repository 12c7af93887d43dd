package ch.ethz.mlmq.storage.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.MoveMessages;
import ch.ethz.mlmq.protocol.Response;
import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What others do while messages are moved: the move is held where it draws a number from a sequence. */
@Timeout(60)
class MovingTest {
    private static final String RECEIVER = "INSERT INTO message (queue_id, receiver_id, sender_id, prio, sent_ms, "
            + "content) VALUES (%d, 7, 1, 5, 0, '')";

    private static TestDatabase database;
    private static StorageUser user;

    private final int source = user.queue();
    private final int target = user.queue();

    /** What happens while a move is held. */
    private interface Meanwhile {
        void happens() throws Exception;
    }

    @BeforeAll
    static void open() throws Exception {
        database = new TestDatabase();
        user = new StorageUser(database);
    }

    @AfterAll
    static void close() throws Exception {
        user.close();
        database.close();
    }

    @Test
    void shouldHideNoMessageWithAReceiverThatComesWhileOthersAreMoved() throws Exception {
        user.send(source, 5, "plain");

        moveWhile(() -> {
            database.execute("UPDATE queue SET addressed = true WHERE id = " + source);
            database.execute(String.format(RECEIVER, source));
        });

        assertThat(hidden()).isZero();
        move();
        assertThat(hidden()).isZero();
    }

    /** Brokers read the sequence first, and then who stores messages: see {@code LowWaterMarksKeeper}. */
    @Test
    void shouldStoreMessagesBeforeItTellsThatOldIdsHaveReturned() throws Exception {
        user.send(source, 5, "plain");

        moveWhile(() -> assertThat(database.number("SELECT count(*) FROM pg_locks WHERE mode = 'RowExclusiveLock' "
                + "AND relation = 'message'::regclass AND granted")).isEqualTo(1));
    }

    private void moveWhile(Meanwhile meanwhile) throws Exception {
        CompletableFuture<Response.Moved> moving;
        try (Connection holder = database.address().connect(); Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("ALTER SEQUENCE message_return INCREMENT BY 1");
            moving = CompletableFuture.supplyAsync(this::move);
            while (database.number("SELECT count(*) FROM pg_locks WHERE relation = 'message_return'::regclass "
                    + "AND NOT granted") == 0) {
                Thread.onSpinWait();
            }
            meanwhile.happens();
            holder.rollback();
        }
        assertThat(moving.get().messages()).isPositive();
    }

    private Response.Moved move() {
        return (Response.Moved) user.execute(new MoveMessages(source, target, 10));
    }

    /** @return number of messages with a receiver in queues that are taken for plain ones */
    private static long hidden() throws Exception {
        return database.number("SELECT count(*) FROM message m JOIN queue q ON q.id = m.queue_id "
                + "WHERE m.receiver_id <> 0 AND NOT q.addressed");
    }
}
