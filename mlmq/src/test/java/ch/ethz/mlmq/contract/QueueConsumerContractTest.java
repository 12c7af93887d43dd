package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.client.QueueConsumer;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Response;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Consumers, to which messages come as they arrive. */
class QueueConsumerContractTest {
    private static final int LEASE_MILLIS = 60_000;

    /** The slow poll is off: only an event ends a wait here. */
    @RegisterExtension
    static final Brokers BROKERS = new Brokers(Map.of("broker.wait.poll", "60s"));

    private final List<Message> received = new CopyOnWriteArrayList<>();

    @OnEveryStorage
    void shouldGetMessagesAsTheyArriveWithinItsCredit(StorageKind storage) throws Exception {
        Client sender = BROKERS.registered(storage);
        int queue = BROKERS.queue(sender);
        AsyncClient client = BROKERS.asyncRegistered(storage);
        try (QueueConsumer consumer = start(client, queue, 3)) {
            for (int i = 0; i < 10; i++) {
                sender.sendMessage(queue, new byte[] {(byte) i}, 5);
            }
            BROKERS.until("the credit is used", () -> received.size() == 3);
            BROKERS.roundTrip(client);
            assertThat(received).hasSize(3);

            for (int i = 0; i < 10; i++) {
                int next = i;
                BROKERS.until("the next message comes", () -> received.size() > next);
                consumer.acknowledge(received.get(i)).get(30, TimeUnit.SECONDS);
            }

            assertThat(received).extracting(message -> (int) message.content()[0])
                    .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
            assertThat(sender.queueLength(queue)).isEqualTo(new Response.QueueLength(0, 0));
            assertThatThrownBy(() -> consumer.acknowledge(received.get(0)).join())
                    .hasCauseInstanceOf(MlmqException.UnknownLease.class);
        }
    }

    @OnEveryStorage
    void shouldAcknowledgeManyMessagesThatAreSettledTogether(StorageKind storage) throws Exception {
        Client sender = BROKERS.registered(storage);
        int queue = BROKERS.queue(sender);
        try (QueueConsumer consumer = start(BROKERS.asyncRegistered(storage), queue, 1_000)) {
            for (int i = 0; i < 200; i++) {
                sender.sendMessage(queue, new byte[] {1}, 5);
            }
            BROKERS.until("all have come", () -> received.size() == 200);

            CompletableFuture.allOf(received.stream().map(consumer::acknowledge).toArray(CompletableFuture[]::new))
                    .get(30, TimeUnit.SECONDS);

            assertThat(sender.queueLength(queue)).isEqualTo(new Response.QueueLength(0, 0));
        }
    }

    @Test
    void shouldGoOnWithTheNextConnection() throws Exception {
        String address = BROKERS.start(StorageKind.POSTGRESQL, Map.of());
        Client sender = BROKERS.registered(StorageKind.POSTGRESQL);
        int queue = BROKERS.queue(sender);
        AsyncClient client = BROKERS.asyncAt(address);
        client.register(BROKERS.name("consumer")).get(30, TimeUnit.SECONDS);
        try (QueueConsumer consumer = start(client, queue, 10)) {
            BROKERS.stop(address);
            sender.sendMessage(queue, new byte[] {1}, 5);
            BROKERS.startAt(address, StorageKind.POSTGRESQL, Map.of());

            BROKERS.until("the message comes", () -> received.size() == 1);
            consumer.acknowledge(received.get(0)).get(30, TimeUnit.SECONDS);
        }
    }

    @OnEveryStorage
    void shouldReleaseAMessageWhoseListenerFails(StorageKind storage) throws Exception {
        Client sender = BROKERS.registered(storage);
        int queue = BROKERS.queue(sender);
        try (QueueConsumer consumer = QueueConsumer.start(BROKERS.asyncRegistered(storage), MessageQuery.queue(queue),
                1, LEASE_MILLIS, message -> {
                    if (message.deliveries() == 1) {
                        throw new IllegalStateException("not this time");
                    }
                    received.add(message);
                })) {
            sender.sendMessage(queue, new byte[] {1}, 5);

            BROKERS.until("it is delivered again", () -> received.size() == 1);
            consumer.acknowledge(received.get(0)).get(30, TimeUnit.SECONDS);
        }
    }

    @OnEveryStorage
    void shouldGetNothingMoreAfterItWasClosed(StorageKind storage) throws Exception {
        Client sender = BROKERS.registered(storage);
        int queue = BROKERS.queue(sender);
        AsyncClient client = BROKERS.asyncRegistered(storage);
        QueueConsumer consumer = start(client, queue, 10);
        sender.sendMessage(queue, new byte[] {1}, 5);
        BROKERS.until("the message comes", () -> received.size() == 1);

        consumer.close();
        BROKERS.roundTrip(client);
        sender.sendMessage(queue, new byte[] {2}, 5);

        BROKERS.until("the second message is in the queue",
                () -> sender.queueLength(queue).equals(new Response.QueueLength(1, 1)));
        consumer.acknowledge(received.get(0)).get(30, TimeUnit.SECONDS);
        assertThat(received).hasSize(1);
        assertThat(sender.queueLength(queue)).isEqualTo(new Response.QueueLength(1, 0));
    }

    @OnEveryStorage
    void shouldEndIfItsQueueIsMissing(StorageKind storage) throws Exception {
        CompletableFuture<MlmqException> ended = new CompletableFuture<>();
        QueueConsumer.start(BROKERS.asyncRegistered(storage), MessageQuery.queue(1_000_000), 1, LEASE_MILLIS,
                new QueueConsumer.Listener() {
                    @Override
                    public void received(Message message) {
                        received.add(message);
                    }

                    @Override
                    public void ended(MlmqException why) {
                        ended.complete(why);
                    }
                });

        assertThat(ended.get(30, TimeUnit.SECONDS)).isInstanceOf(MlmqException.QueueDoesNotExist.class);
    }

    @Test
    void shouldRefuseCreditsAndLeasesThatAreOutOfRange() throws Exception {
        AsyncClient client = BROKERS.asyncRegistered(StorageKind.MEMORY);
        assertThatThrownBy(() -> start(client, 1, 0)).hasMessageContaining("a credit is 1..1000 messages, not 0");
        assertThatThrownBy(() -> start(client, 1, 1_001)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> QueueConsumer.start(client, MessageQuery.queue(1), 1, 0, received::add))
                .hasMessageContaining("a lease is 1..43200000 ms, not 0");
    }

    private QueueConsumer start(AsyncClient client, int queue, int credit) {
        return QueueConsumer.start(client, MessageQuery.queue(queue), credit, LEASE_MILLIS, received::add);
    }
}
