package ch.ethz.mlmq.storage.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.Await;
import ch.ethz.mlmq.protocol.MoveMessages;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.storage.postgresql.upkeep.LimitCounting;
import ch.ethz.mlmq.storage.postgresql.upkeep.LimitsKeeper;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a limit of length is kept in the database. */
@Timeout(120)
class FullQueueTest {
    private static final int BULK = 1_000;

    private static TestDatabase database;
    private static StorageUser user;

    private final int queue = user.queue();

    @BeforeAll
    static void open() throws Exception {
        database = new TestDatabase();
        user = new StorageUser(database, Map.of("broker.db.timeout", "300ms"));
    }

    @AfterAll
    static void close() throws Exception {
        user.close();
        database.close();
    }

    @Test
    void shouldFailOnlyThoseWhoStoreThereWhileAnotherBrokerHoldsTheQueue() throws Exception {
        int free = user.queue();
        user.send(free, 5, "before");
        limit(queue, "100 messages");
        try (Connection stalled = database.address().connect(); Statement statement = stalled.createStatement()) {
            stalled.setAutoCommit(false);
            statement.execute("SELECT FROM queue_fill WHERE queue_id = " + queue + " FOR UPDATE");

            List<Response> responses = user.executeAll(List.of(StorageUser.message(queue, 5, "one"),
                    StorageUser.message(free, 5, "two"), bulk(queue, 2), StorageUser.message(free, 5, "three")));

            assertThat(responses).extracting(FullQueueTest::status)
                    .containsExactly(Status.BROKER_ERROR, Status.OK, Status.BROKER_ERROR, Status.OK);
            stalled.rollback();
        }
        user.send(queue, 5, "after");
        assertThat(database.number("SELECT count(*) FROM message WHERE queue_id = " + queue)).isEqualTo(1);
        assertThat(database.number("SELECT count(*) FROM message WHERE queue_id = " + free)).isEqualTo(3);
    }

    @Test
    void shouldRefuseThoseOfABatchThatDoNotFit() throws Exception {
        limit(queue, "3 messages");
        List<Request> requests = List.of(StorageUser.message(queue, 5, "one"), bulk(queue, 3),
                StorageUser.message(queue, 5, "two"), StorageUser.message(queue, 5, "three"),
                StorageUser.message(queue, 5, "four"));

        assertThat(user.executeAll(requests)).extracting(FullQueueTest::status).containsExactly(Status.OK,
                Status.OVERLOADED, Status.OK, Status.OK, Status.OVERLOADED);

        assertThat(database.number("SELECT messages_before + messages FROM queue_fill WHERE queue_id = " + queue))
                .isEqualTo(3);
    }

    @Test
    void shouldKeepTheLastMessagesOfABatchThatIsLargerThanTheQueue() throws Exception {
        limit(queue, "2 messages, drop oldest");

        assertThat(user.executeAll(IntStream.range(0, 7).mapToObj(i -> StorageUser.message(queue, 5, "" + i)).toList()))
                .extracting(FullQueueTest::status).containsOnly(Status.OK);

        assertThat(user.take(queue).text()).isEqualTo("5");
        assertThat(user.take(queue).text()).isEqualTo("6");
        assertThat(user.take(queue)).isNull();
    }

    @Test
    void shouldDropNothingForACallThatIsRefusedAllTheSame() throws Exception {
        limit(queue, "2 messages, drop oldest");
        int full = user.queue();
        limit(full, "1 messages");
        user.send(full, 5, "full");
        user.send(queue, 5, "first");
        user.send(queue, 5, "second");

        assertThat(status(user.execute(new Request.SendMessage(new int[] {queue, full}, 0, 5, 0, "", new byte[1]))))
                .isEqualTo(Status.OVERLOADED);

        assertThat(user.take(queue).text()).isEqualTo("first");
    }

    @Test
    void shouldDropNothingIfItHasRoomThatNobodyHasCountedYet() throws Exception {
        limit(queue, "3 messages, drop oldest");
        List.of("one", "two", "three").forEach(text -> user.send(queue, 5, text));
        database.execute("UPDATE queue_fill SET rests_until = now() + interval '1 h' WHERE queue_id = " + queue);
        user.take(queue);
        user.take(queue);

        user.send(queue, 5, "four");

        assertThat(user.take(queue).text()).isEqualTo("three");
        assertThat(user.take(queue).text()).isEqualTo("four");
    }

    @Test
    void shouldRefuseNothingIfItHasRoomThatNobodyHasCountedYet() throws Exception {
        limit(queue, "3 messages");
        List.of("one", "two", "three").forEach(text -> user.send(queue, 5, text));
        assertThat(status(user.execute(StorageUser.message(queue, 5, "too many")))).isEqualTo(Status.OVERLOADED);
        database.execute("UPDATE queue_fill SET rests_until = now() + interval '1 h' WHERE queue_id = " + queue);
        user.take(queue);

        user.send(queue, 5, "four");

        assertThat(status(user.execute(StorageUser.message(queue, 5, "too many")))).isEqualTo(Status.OVERLOADED);
        assertThat(user.take(queue).text()).isEqualTo("two");
    }

    @Test
    void shouldFindRoomInALongQueueWithoutALock() throws Exception {
        limit(queue, "11000 messages");
        for (int i = 0; i < 11; i++) {
            assertThat(status(user.execute(bulk(queue, BULK)))).isEqualTo(Status.OK);
        }
        assertThat(status(user.execute(bulk(queue, 1)))).isEqualTo(Status.OVERLOADED);
        assertThat(user.receiveAndAcknowledge(queue, BULK)).hasSize(BULK);

        Await.until("the room is found", () -> {
            user.tellLengths();
            user.agent(LimitCounting.class).doWork();
            return status(user.execute(bulk(queue, BULK))) == Status.OK;
        });
        assertThat(status(user.execute(bulk(queue, 1)))).isEqualTo(Status.OVERLOADED);
        assertThat(database.number("SELECT count(*) FROM message WHERE queue_id = " + queue)).isEqualTo(11 * BULK);
    }

    @Test
    void shouldShortenALongQueueThatDropsMessages() throws Exception {
        for (int i = 0; i < 3; i++) {
            user.execute(bulk(queue, BULK));
        }

        limit(queue, "1 KB, drop oldest");

        Await.until("it is short", () -> {
            user.tellLengths();
            user.agent(LimitCounting.class).doWork();
            return database.number("SELECT count(*) FROM message WHERE queue_id = " + queue) == 1_024;
        });
        assertThat(user.storage.limitCounters().dropped.sum()).isGreaterThanOrEqualTo(3 * BULK - 1_024);
    }

    @Test
    void shouldCountWhatWasMovedThere() throws Exception {
        int source = user.queue();
        limit(queue, "5 messages");
        user.send(queue, 5, "one");
        user.execute(bulk(source, 10));
        assertThat(user.execute(new MoveMessages(source, queue, BULK))).isEqualTo(new Response.Moved(10));

        Await.until("it is counted", () -> {
            user.tellLengths();
            user.agent(LimitCounting.class).doWork();
            return database.number("SELECT messages_before + messages FROM queue_fill WHERE queue_id = " + queue) == 11;
        });
        assertThat(status(user.execute(bulk(queue, 1)))).isEqualTo(Status.OVERLOADED);
    }

    @Test
    void shouldLearnOfLimitsThatAnotherBrokerGave() throws Exception {
        try (StorageUser other = new StorageUser(database)) {
            other.execute(new ch.ethz.mlmq.protocol.Statement("limit queue #" + queue + " to 1 messages"));
        }

        Await.until("it is in force", () -> {
            user.agent(LimitsKeeper.class).doWork();
            return status(user.execute(bulk(queue, 2))) == Status.OVERLOADED;
        });
    }

    @Test
    void shouldForgetLimitsWithTheirQueue() throws Exception {
        limit(queue, "1 messages, age 1h");
        user.execute(new Request.DeleteQueue(queue, false));
        database.execute("DELETE FROM queue WHERE id = " + queue);

        assertThat(database.number("SELECT count(*) FROM queue_limit WHERE queue_id = " + queue)).isZero();
        assertThat(database.number("SELECT count(*) FROM queue_fill WHERE queue_id = " + queue)).isZero();
        assertThat(status(user.execute(bulk(queue, 1)))).isEqualTo(Status.QUEUE_DOES_NOT_EXIST);
    }

    private static void limit(int queue, String limits) {
        assertThat(user.execute(new ch.ethz.mlmq.protocol.Statement("limit queue #" + queue + " to " + limits)))
                .isInstanceOf(Response.Report.class);
    }

    private static Request bulk(int queue, int messages) {
        return new Request.SendMessages(Collections.nCopies(messages, new OutgoingMessage(queue, new byte[1], 5)));
    }

    private static Status status(Response response) {
        return response instanceof Response.Failure failure ? failure.status() : Status.OK;
    }
}
