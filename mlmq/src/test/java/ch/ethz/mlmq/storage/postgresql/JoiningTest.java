package ch.ethz.mlmq.storage.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageProperties;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.storage.Answers;
import ch.ethz.mlmq.storage.Arrivals;
import ch.ethz.mlmq.storage.Call;
import ch.ethz.mlmq.storage.Lane;
import ch.ethz.mlmq.storage.WaitingCalls;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Takes that wait for a message, and are executed in the transaction that stores it. */
@Timeout(300)
class JoiningTest {
    private static final int LEASE_MILLIS = 60_000;

    private final List<String> told = new ArrayList<>();
    private final Map<Integer, Queue<Call>> waiting = new HashMap<>();
    private final WaitingCalls waitingCalls = queue -> waiting.getOrDefault(queue, new ArrayDeque<>()).poll();
    private TestDatabase database;
    private StorageUser user;

    @BeforeEach
    void start() throws Exception {
        database = new TestDatabase();
        user = new StorageUser(database);
        user.storage.tell(new Arrivals() {
            @Override
            public void arrived(int queue, int receiver, long context) {
                told.add(queue + " " + context);
            }

            @Override
            public void signal(long key) {
                told.add("key " + key);
            }

            @Override
            public Set<Long> awaited() {
                return Set.of();
            }
        }, () -> { }, (client, session, over) -> { });
    }

    @AfterEach
    void stop() throws Exception {
        user.close();
        database.close();
    }

    @Test
    void shouldGiveAMessageToAWaitingTakeInItsOwnTransaction() throws Exception {
        int queue = user.queue();
        Call take = waits(queue, new Request.DequeueMessage(MessageQuery.queue(queue).waiting(60_000)));
        Call send = call(StorageUser.message(queue, 5, "a"));

        execute(send);

        assertThat(send.response()).isEqualTo(Response.Done.INSTANCE);
        assertThat(texts(take)).containsExactly("a");
        assertThat(take.databaseEndNanos()).as("of the same transaction").isEqualTo(send.databaseEndNanos());
        assertThat(told).as("nothing is left for others").isEmpty();
        assertThat(database.number("SELECT count(*) FROM message")).isZero();
        user.tellLengths();
        assertThat(database.number("SELECT messages FROM queue_length WHERE queue_id = " + queue)).isZero();
    }

    @Test
    void shouldLeaseAMessageToAWaitingReceive() throws Exception {
        int queue = user.queue();
        Call first = waits(queue, new Request.ReceiveMessage(MessageQuery.queue(queue).waiting(60_000), LEASE_MILLIS));
        Call second = waits(queue, new Request.ReceiveMessages(MessageQuery.queue(queue).waiting(60_000), 10,
                LEASE_MILLIS));

        execute(call(StorageUser.message(queue, 5, "a")), call(StorageUser.message(queue, 5, "b")),
                call(StorageUser.message(queue, 5, "c")));

        assertThat(texts(first)).containsExactly("a");
        assertThat(texts(second)).containsExactly("b", "c");
        assertThat(told).isEmpty();
        assertThat(database.number("SELECT count(*) FROM lease")).isEqualTo(3);
    }

    @Test
    void shouldTellOthersOfAMessageIfTheWaitingTakeGotAnEarlierOne() {
        int queue = user.queue();
        user.send(queue, 5, "earlier");
        told.clear();
        Call take = waits(queue, new Request.DequeueMessage(MessageQuery.queue(queue).waiting(60_000)));

        execute(call(StorageUser.message(queue, 5, "later")));

        assertThat(texts(take)).containsExactly("earlier");
        assertThat(told).containsExactly(queue + " 0");
        assertThat(user.take(queue).text()).isEqualTo("later");
    }

    @Test
    void shouldGiveCopiesToWaitingSubscribers() throws Exception {
        int topic = ((Response.TopicFound) user.execute(new TopicRequest.CreateTopic("topic"))).topic();
        int first = subscription(topic, "first");
        int second = subscription(topic, "second");
        Call take = waits(first, new Request.DequeueMessage(MessageQuery.queue(first).waiting(60_000)));
        told.clear();

        Call publish = call(new TopicRequest.Publish(topic, 5, 0, "", "news".getBytes(), MessageProperties.NONE));
        execute(publish);

        assertThat(publish.response()).isEqualTo(new Response.Published(2));
        assertThat(texts(take)).containsExactly("news");
        assertThat(told).containsExactly(second + " 0");
    }

    @Test
    void shouldAnswerAWaitingTakeEvenIfTheBatchFails() throws Exception {
        int queue = user.queue();
        Call take = waits(queue, new Request.DequeueMessage(MessageQuery.queue(queue).waiting(60_000)));
        database.execute("ALTER TABLE message ADD CONSTRAINT broken CHECK (prio <> 7)");

        Call broken = call(StorageUser.message(queue, 7, "a"));
        Call sound = call(StorageUser.message(queue, 5, "b"));
        execute(broken, sound);

        assertThat(broken.response()).isInstanceOf(Response.Failure.class);
        assertThat(sound.response()).isEqualTo(Response.Done.INSTANCE);
        assertThat(texts(take)).containsExactly("b");
    }

    private int subscription(int topic, String name) {
        return ((Response.QueueFound) user.execute(new TopicRequest.Subscribe(topic, name, "", true))).queue();
    }

    private void execute(Call... calls) {
        user.storage.execute(List.of(calls), waitingCalls);
    }

    private Call waits(int queue, Request request) {
        Call call = call(request);
        user.execute(new Request.PeekMessage(MessageQuery.queue(queue)));
        waiting.computeIfAbsent(queue, one -> new ArrayDeque<>()).add(call);
        return call;
    }

    private static Call call(Request request) {
        Call call = new Call(new Lane(), request);
        call.from(1);
        return call;
    }

    private static List<String> texts(Call call) {
        return Answers.messages(call.response()).stream().map(Message::text).toList();
    }
}
