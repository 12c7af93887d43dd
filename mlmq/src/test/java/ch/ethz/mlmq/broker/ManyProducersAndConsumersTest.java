package ch.ethz.mlmq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.SendOptions;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests three brokers on one database with many clients: no message is delivered twice, and none is lost. */
class ManyProducersAndConsumersTest {
    private static final int THREADS = 16;
    private static final int MESSAGES = 20_000;
    private static final int QUEUES = 10;
    private static final int ROUNDS = 3_000;
    private static final int PAIRS = 10;

    private static TestDatabase database;
    private static final List<Broker> BROKERS = new ArrayList<>();
    private static final ExecutorService POOL = Executors.newCachedThreadPool();

    @BeforeAll
    static void start() throws Exception {
        database = new TestDatabase();
        for (int i = 0; i < 3; i++) {
            BROKERS.add(TestBroker.start(database.settings()));
        }
    }

    @AfterAll
    static void stop() {
        BROKERS.forEach(Broker::close);
        POOL.shutdown();
        database.close();
    }

    @Test
    void shouldDeliverEachMessageOnce() throws Exception {
        int[] queues = new int[QUEUES];
        try (Client maker = client(0, "maker")) {
            for (int i = 0; i < QUEUES; i++) {
                queues[i] = maker.createQueue("queue-" + i);
            }
        }
        Set<String> sent = ConcurrentHashMap.newKeySet();
        ConcurrentLinkedQueue<String> received = new ConcurrentLinkedQueue<>();
        AtomicInteger left = new AtomicInteger(MESSAGES);
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            all.add(POOL.submit(() -> produce(number, queues, sent)));
            all.add(POOL.submit(() -> consume(number, queues, received, left)));
        }
        for (Future<?> each : all) {
            each.get();
        }

        assertThat(sent).hasSize(MESSAGES);
        assertThat(received).hasSize(MESSAGES);
        assertThat(Set.copyOf(received)).isEqualTo(sent);
        String ids = Arrays.stream(queues).mapToObj(Integer::toString).collect(Collectors.joining(",", "(", ")"));
        assertThat(database.number("SELECT count(*) FROM message WHERE queue_id IN " + ids)).isZero();
        TestBroker.until("lengths are told", () -> database.number(
                "SELECT sum(abs(messages)) FROM queue_length WHERE queue_id IN " + ids) == 0);
    }

    @Test
    void shouldKeepEachSendersOrderWithinAPriority() throws Exception {
        int queue;
        try (Client maker = client(0, "order-maker")) {
            queue = maker.createQueue("order");
        }
        List<Future<?>> senders = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            int number = i;
            senders.add(POOL.submit(() -> {
                try (Client client = client(number, "order-" + number)) {
                    for (int n = 0; n < 500; n++) {
                        client.sendMessage(queue, (number + " " + n).getBytes(StandardCharsets.UTF_8), 1 + n % 3);
                    }
                }
            }));
        }
        for (Future<?> sender : senders) {
            sender.get();
        }
        List<Message> messages = new ArrayList<>();
        try (Client consumer = client(1, "order-consumer")) {
            for (Optional<Message> m = take(consumer, queue); m.isPresent(); m = take(consumer, queue)) {
                messages.add(m.get());
            }
        }

        assertThat(messages).hasSize(3_000);
        assertThat(messages).extracting(Message::priority).isSortedAccordingTo((a, b) -> b - a);
        Map<String, Integer> last = new HashMap<>();
        for (Message message : messages) {
            String[] words = message.text().split(" ");
            Integer before = last.put(message.priority() + " of " + words[0], Integer.parseInt(words[1]));
            assertThat(before == null ? -1 : before).isLessThan(Integer.parseInt(words[1]));
        }
    }

    @Test
    void shouldFindItsQueueWhateverOthersSendThere() throws Exception {
        int[] queues;
        try (Client maker = client(0, "mixed-maker")) {
            queues = new int[] {maker.createQueue("mixed-1"), maker.createQueue("mixed-2")};
        }
        AtomicInteger received = new AtomicInteger();
        List<Future<?>> senders = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int number = i;
            senders.add(POOL.submit(() -> {
                try (Client client = client(0, "mixed-" + number)) {
                    for (int n = 0; n < 1_000; n++) {
                        client.sendMessage(number % 2 == 0 ? queues : new int[] {queues[n % 2]}, new byte[1], 5,
                                SendOptions.none());
                        received.addAndGet(take(client, queues[n % 2]).isPresent() ? 1 : 0);
                    }
                }
            }));
        }

        for (Future<?> sender : senders) {
            sender.get();
        }
        assertThat(database.number("SELECT count(*) FROM message WHERE queue_id IN (" + queues[0] + "," + queues[1]
                + ")")).isEqualTo(12_000 - received.get());
    }

    @Test
    void shouldNeverGiveTwoConsumersTheSameMessage() throws Exception {
        List<Future<?>> pairs = new ArrayList<>();
        for (int i = 0; i < PAIRS; i++) {
            int number = i;
            pairs.add(POOL.submit(() -> {
                takeInPairs(number);
                return null;
            }));
        }
        for (Future<?> pair : pairs) {
            pair.get();
        }
    }

    private static void takeInPairs(int number) throws Exception {
        try (Client first = client(number, "first-" + number); Client second = client(number + 1, "second-" + number)) {
            int queue = first.createQueue("pair-" + number);
            List<OutgoingMessage> two = List.of(new OutgoingMessage(queue, new byte[] {1}, 5),
                    new OutgoingMessage(queue, new byte[] {2}, 5));
            for (int round = 0; round < ROUNDS / PAIRS; round++) {
                first.sendMessages(two);
                Future<Long> other = POOL.submit(() -> takeOne(second, queue));
                long one = takeOne(first, queue);
                assertThat(other.get()).as("round %d", round).isNotEqualTo(one);
            }
            assertThat(take(first, queue)).isEmpty();
        }
    }

    private static void produce(int number, int[] queues, Set<String> sent) {
        try (Client client = client(number, "producer-" + number)) {
            for (int n = 0; n < MESSAGES / THREADS; n++) {
                String text = number + "-" + n;
                client.sendMessage(queues[(number + n) % QUEUES], text.getBytes(StandardCharsets.UTF_8), 1 + n % 10);
                sent.add(text);
            }
        }
    }

    private static void consume(int number, int[] queues, ConcurrentLinkedQueue<String> received, AtomicInteger left) {
        try (Client client = client(number, "consumer-" + number)) {
            for (int n = number; left.get() > 0; n++) {
                Optional<Message> message = take(client, queues[n % QUEUES]);
                if (message.isPresent()) {
                    received.add(message.get().text());
                    left.decrementAndGet();
                }
            }
        }
    }

    private static Optional<Message> take(Client client, int queue) {
        return client.dequeueMessage(MessageQuery.queue(queue));
    }

    /** Takes a message; if none was found, looks again, because the other broker may have locked it at that moment. */
    private static long takeOne(Client client, int queue) {
        Optional<Message> message = take(client, queue);
        while (message.isEmpty()) {
            message = take(client, queue);
        }
        return message.get().id();
    }

    private static Client client(int broker, String name) {
        return TestBroker.client(BROKERS.get(broker % BROKERS.size()).port(), name);
    }
}
