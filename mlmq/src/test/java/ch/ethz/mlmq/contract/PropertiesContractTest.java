package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.SendOptions;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageProperties;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;

class PropertiesContractTest {
    private static final byte[] CONTENT = {1};
    private static final int LEASE_MILLIS = 600_000;
    private static final MessageProperties SOME =
            MessageProperties.NONE.with("id", 7).with("place", "Z\u00fcrich").with("price", 1.5).with("urgent", false);

    @RegisterExtension
    static final Brokers BROKERS = new Brokers(Map.of("broker.deliveries.max", "2"));

    @OnEveryStorage
    void shouldReachWhoeverReadsTheMessage(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        for (int i = 0; i < 4; i++) {
            send(client, queue, SendOptions.none().withProperties(SOME));
        }

        assertThat(client.peekMessage(MessageQuery.queue(queue)).orElseThrow().properties()).isEqualTo(SOME);
        assertThat(client.dequeueMessage(MessageQuery.queue(queue)).orElseThrow().properties()).isEqualTo(SOME);
        assertThat(client.dequeueMessage(MessageQuery.queue(queue).oldestFirst()).orElseThrow().properties())
                .isEqualTo(SOME);
        assertThat(client.receiveMessage(MessageQuery.queue(queue), LEASE_MILLIS).orElseThrow().properties())
                .isEqualTo(SOME);
        assertThat(client.receiveMessages(MessageQuery.queue(queue).oldestFirst(), 1, LEASE_MILLIS))
                .extracting(Message::properties).containsExactly(SOME);
    }

    @OnEveryStorage
    void shouldBeThoseOfEachMessage(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        MessageProperties other = MessageProperties.NONE.with("id", 8);

        client.sendMessages(List.of(new OutgoingMessage(queue, CONTENT, 5).with(SOME),
                new OutgoingMessage(queue, CONTENT, 5), new OutgoingMessage(queue, CONTENT, 5).with(other)));
        send(client, queue, SendOptions.none());
        send(client, queue, SendOptions.none().withKey("k").withProperties(other));

        assertThat(client.dequeueMessages(MessageQuery.queue(queue), 10)).extracting(Message::properties)
                .containsExactly(SOME, MessageProperties.NONE, other, MessageProperties.NONE, other);
    }

    @OnEveryStorage
    void shouldStayWithAMessageThatComesBack(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        String name = BROKERS.name("queue");
        int queue = client.createQueue(name);
        send(client, queue, SendOptions.none().withProperties(SOME));

        client.release(client.receiveMessage(MessageQuery.queue(queue), LEASE_MILLIS).orElseThrow());
        Message again = client.receiveMessage(MessageQuery.queue(queue), LEASE_MILLIS).orElseThrow();
        assertThat(again.properties()).isEqualTo(SOME);
        client.releaseMessages(List.of(again.lease()));

        assertThat(client.dequeueMessage(MessageQuery.queue(client.lookupQueue(name + ".dead"))).orElseThrow()
                .properties()).isEqualTo(SOME);
    }

    @OnEveryStorage
    void shouldStayWithAMessageWhoseDeliveryIsCancelled(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        send(client, queue, SendOptions.none().withProperties(SOME));
        try (RawClient raw = new RawClient(BROKERS.address(storage))) {
            raw.hello(Features.CANCEL);
            raw.register(BROKERS.name("raw"));
            int taking = raw.send(new Request.DequeueMessage(MessageQuery.queue(queue)));
            assertThat(((Response.Delivery) raw.read()).message().properties()).isEqualTo(MessageProperties.NONE);
            assertThat(raw.ask(new Request.Cancel(taking))).isEqualTo(Response.Done.INSTANCE);
        }

        assertThat(client.dequeueMessage(MessageQuery.queue(queue).waiting(20_000)).orElseThrow().properties())
                .isEqualTo(SOME);
    }

    @OnEveryStorage
    void shouldTravelInABatchWithMessagesThatHaveNone(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        try (RawClient raw = new RawClient(BROKERS.address(storage))) {
            raw.hello(Features.PROPERTIES);
            raw.register(BROKERS.name("raw"));
            for (int i = 0; i < 100; i++) {
                raw.send(new Request.SendMessage(new int[] {queue}, 0, 5, 0, "", new byte[] {(byte) i},
                        i % 3 == 0 ? MessageProperties.NONE.with("i", i) : MessageProperties.NONE));
            }
            for (int i = 0; i < 100; i++) {
                assertThat(raw.read()).isEqualTo(Response.Done.INSTANCE);
            }
        }

        List<Message> taken = client.dequeueMessages(MessageQuery.queue(queue), 100);
        assertThat(taken).extracting(Message::properties).containsExactlyElementsOf(IntStream.range(0, 100)
                .mapToObj(i -> i % 3 == 0 ? MessageProperties.NONE.with("i", i) : MessageProperties.NONE).toList());
    }

    @OnEveryStorage
    void shouldCountWhenMessagesMustFitIntoAResponse(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        MessageProperties most = MessageProperties.NONE.with("text", "x".repeat(4_083));
        for (int i = 0; i < 2; i++) {
            client.sendMessages(IntStream.range(0, 500)
                    .mapToObj(n -> new OutgoingMessage(queue, new byte[1_000], 5).with(most)).toList());
        }

        List<Message> first = client.receiveMessages(MessageQuery.queue(queue), 1_000, LEASE_MILLIS);

        assertThat(first).hasSizeBetween(700, 999).allMatch(message -> message.properties().equals(most));
    }

    @OnEveryStorage
    void shouldBeRefusedBeyondTheirLimits(StorageKind storage) throws Exception {
        try (RawClient raw = new RawClient(BROKERS.address(storage))) {
            raw.hello(Features.PROPERTIES);
            Response.Registered own = raw.register(BROKERS.name("raw"));
            for (byte[] wrong : new byte[][] {{0, 0, 0, 1, '1', 3, 1}, {0, 0, 0, 2, 'O', 'r', 3, 1}}) {
                assertThat(((Response.Failure) raw.ask(send(own.ownQueue(), wrong))).status())
                        .isEqualTo(Status.INVALID_REQUEST);
            }
        }
    }

    private static Request.SendMessage send(int queue, byte[] encoded) {
        return new Request.SendMessage(new int[] {queue}, 0, 5, 0, "", CONTENT, MessageProperties.decode(encoded));
    }

    private static void send(Client client, int queue, SendOptions options) {
        client.sendMessage(new int[] {queue}, CONTENT, 5, options);
    }
}
