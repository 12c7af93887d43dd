package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.client.SendOptions;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageProperties;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Response;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages with a delay or a time to live. */
class TimesContractTest {
    private static final byte[] CONTENT = {1};
    private static final int LEASE_MILLIS = 600_000;
    private static final int LONG_MILLIS = 600_000;
    private static final int WAIT_MILLIS = 20_000;

    @RegisterExtension
    static final Brokers BROKERS = new Brokers(Map.of("broker.deliveries.max", "2"));

    @OnEveryStorage
    void shouldHideAMessageUntilItsDelayIsOver(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        long begun = System.currentTimeMillis();
        send(client, queue, SendOptions.none().withDelay(700));
        assertThat(client.queueLength(queue)).isEqualTo(new Response.QueueLength(0, 1));
        assertThat(client.peekMessage(MessageQuery.queue(queue))).isEmpty();
        assertThatThrownBy(() -> client.deleteQueue(queue, true)).isInstanceOf(MlmqException.QueueNotEmpty.class);

        Message message = client.dequeueMessage(MessageQuery.queue(queue).waiting(WAIT_MILLIS)).orElseThrow();

        assertThat(System.currentTimeMillis() - begun).isGreaterThanOrEqualTo(700);
        assertThat(message.deliveries()).isEqualTo(1);
        assertThat(message.properties()).isEqualTo(MessageProperties.NONE);
        assertThat(message.sentMillis()).isLessThan(begun + 700);
    }

    @OnEveryStorage
    void shouldLetOthersPassADelayedMessageAndKeepItsPriority(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        MessageProperties delayed = SendOptions.none().withDelay(300).properties();
        client.sendMessages(List.of(new OutgoingMessage(queue, CONTENT, 9).with(delayed.with("id", 1)),
                new OutgoingMessage(queue, CONTENT, 5)));
        assertThat(client.peekMessage(MessageQuery.queue(queue)).orElseThrow().priority()).isEqualTo(5);

        BROKERS.until("the delay is over", () -> client.queueLength(queue).ready() == 2);

        assertThat(client.dequeueMessages(MessageQuery.queue(queue), 10))
                .extracting(Message::priority, message -> message.properties().get("id"))
                .containsExactly(tuple(9, 1L),
                        tuple(5, null));
    }

    @OnEveryStorage
    void shouldRemoveAMessageWhenItsTimeToLiveIsOver(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        send(client, queue, SendOptions.none().withTimeToLive(300));
        send(client, queue, SendOptions.none().withTimeToLive(LONG_MILLIS));
        send(client, queue, SendOptions.none());
        assertThat(client.queueLength(queue).ready()).isEqualTo(3);

        BROKERS.until("one is gone", () -> client.queueLength(queue).ready() == 2);

        assertThat(client.dequeueMessages(MessageQuery.queue(queue), 10)).hasSize(2);
        assertThat(client.queueLength(queue)).isEqualTo(new Response.QueueLength(0, 0));
    }

    @OnEveryStorage
    void shouldForgetAMessageThatWasTakenBeforeItsTimeToLiveWasOver(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        send(client, queue, SendOptions.none().withTimeToLive(300));
        assertThat(client.dequeueMessage(MessageQuery.queue(queue))).isPresent();

        int other = BROKERS.queue(client);
        send(client, other, SendOptions.none().withTimeToLive(400));

        BROKERS.until("one of another queue is gone", () -> client.queueLength(other).ready() == 0);
    }

    @OnEveryStorage
    void shouldRemoveManyAtOnce(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        MessageProperties brief = SendOptions.none().withTimeToLive(300).properties();
        for (int i = 0; i < 3; i++) {
            client.sendMessages(Collections.nCopies(1_000, new OutgoingMessage(queue, CONTENT, 5).with(brief)));
        }
        client.sendMessage(queue, CONTENT, 5);

        BROKERS.until("one is left", () -> client.queueLength(queue).ready() == 1);

        assertThat(client.dequeueMessages(MessageQuery.queue(queue), 10)).hasSize(1);
        BROKERS.until("none is left", () -> client.queueLength(queue).ready() == 0);
    }

    @OnEveryStorage
    void shouldCountTheTimeToLiveFromTheEndOfTheDelay(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        send(client, queue, SendOptions.none().withDelay(500).withTimeToLive(LONG_MILLIS)
                .withProperties(MessageProperties.NONE.with("id", 7)));
        send(client, queue, SendOptions.none().withTimeToLive(1).withDelay(500));

        BROKERS.until("the first can be taken, and the second is gone",
                () -> client.queueLength(queue).equals(new Response.QueueLength(1, 0)));

        assertThat(client.dequeueMessage(MessageQuery.queue(queue)).orElseThrow().properties().asMap())
                .isEqualTo(Map.of("id", 7L));
    }

    @OnEveryStorage
    void shouldKeepALeasedMessageUntilItsLeaseIsOver(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        send(client, queue, SendOptions.none().withTimeToLive(300));
        send(client, queue, SendOptions.none().withTimeToLive(400));
        Message first = client.receiveMessage(MessageQuery.queue(queue), LEASE_MILLIS).orElseThrow();
        BROKERS.until("the other is gone", () -> client.queueLength(queue).ready() == 0);
        assertThat(client.queueLength(queue).leased()).isEqualTo(1);

        client.extend(first, 300);

        BROKERS.until("it is gone, too", () -> client.queueLength(queue).equals(new Response.QueueLength(0, 0)));
        assertThat(client.dequeueMessage(MessageQuery.queue(queue))).isEmpty();
    }

    @OnEveryStorage
    void shouldKeepDeadLetters(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        String name = BROKERS.name("queue");
        int queue = client.createQueue(name);
        send(client, queue, SendOptions.none().withTimeToLive(400));
        for (int i = 0; i < 2; i++) {
            client.release(client.receiveMessage(MessageQuery.queue(queue), LEASE_MILLIS).orElseThrow());
        }
        int dead = client.lookupQueue(name + ".dead");
        send(client, queue, SendOptions.none().withTimeToLive(500));
        BROKERS.until("a later one is gone", () -> client.queueLength(queue).ready() == 0);

        assertThat(client.queueLength(dead).ready()).isEqualTo(1);
    }

    @OnEveryStorage
    void shouldForgetTheEndOfADeadLetterThatIsMovedBack(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        String name = BROKERS.name("queue");
        int queue = client.createQueue(name);
        send(client, queue, SendOptions.none().withTimeToLive(2_000));
        for (int i = 0; i < 2; i++) {
            client.release(client.receiveMessage(MessageQuery.queue(queue), LEASE_MILLIS).orElseThrow());
        }

        assertThat(client.moveMessages(client.lookupQueue(name + ".dead"), queue, 10)).isEqualTo(1);

        int other = BROKERS.queue(client);
        send(client, other, SendOptions.none().withTimeToLive(2_200));
        BROKERS.until("a later one is gone", () -> client.queueLength(other).ready() == 0);
        assertThat(client.queueLength(queue).ready()).isEqualTo(1);
    }

    @OnEveryStorage
    void shouldEndAMovedMessageInItsNewQueue(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int source = BROKERS.queue(client);
        int target = BROKERS.queue(client);
        send(client, source, SendOptions.none().withTimeToLive(300));
        send(client, source, SendOptions.none().withTimeToLive(LONG_MILLIS));

        assertThat(client.moveMessages(source, target, 10)).isEqualTo(2);

        BROKERS.until("the first is gone", () -> client.queueLength(target).ready() == 1);
        assertThat(client.queueLength(source).ready()).isZero();
    }

    @OnEveryStorage
    void shouldEndAMessageForAReceiverThatIsMovedToItsPersonalQueue(StorageKind storage) throws Exception {
        Client client = BROKERS.client(storage);
        Response.Registered self = client.register(BROKERS.name("client"));
        int source = BROKERS.queue(client);
        send(client, source, SendOptions.none().withTimeToLive(300).withReceiver(self.client()));

        assertThat(client.moveMessages(source, self.ownQueue(), 10)).isEqualTo(1);

        BROKERS.until("it is gone", () -> client.queueLength(self.ownQueue()).ready() == 0);
    }

    @OnEveryStorage
    void shouldDelayAndEndCopiesOfATopic(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int topic = client.createTopic(BROKERS.name("topic"));
        int one = client.subscribe(topic, "one", "", true);
        int other = client.subscribe(topic, "other", "", false);

        assertThat(client.publish(topic, CONTENT, 5, SendOptions.none().withDelay(300))).isEqualTo(2);
        assertThat(client.queueLength(one)).isEqualTo(new Response.QueueLength(0, 1));
        assertThat(client.dequeueMessage(MessageQuery.queue(one).waiting(WAIT_MILLIS))).isPresent();
        assertThat(client.dequeueMessage(MessageQuery.queue(other).waiting(WAIT_MILLIS))).isPresent();

        assertThat(client.publish(topic, CONTENT, 5, SendOptions.none().withTimeToLive(300))).isEqualTo(2);
        BROKERS.until("both are gone", () -> client.queueLength(one).ready() + client.queueLength(other).ready() == 0);
    }

    @OnEveryStorage
    void shouldEndAMessageForOneReceiver(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        Client receiver = BROKERS.client(storage);
        int id = receiver.register(BROKERS.name("receiver")).client();
        int queue = BROKERS.queue(client);
        send(client, queue, SendOptions.none().withReceiver(id).withTimeToLive(300));
        send(client, queue, SendOptions.none().withReceiver(id).withDelay(300));

        assertThat(receiver.queueLength(queue)).isEqualTo(new Response.QueueLength(1, 1));
        BROKERS.until("one is gone, and the other there",
                () -> receiver.queueLength(queue).equals(new Response.QueueLength(1, 0)));
        BROKERS.until("and stays", () -> receiver.peekMessage(MessageQuery.queue(queue)).isPresent());
        assertThat(client.peekMessage(MessageQuery.queue(queue))).isEmpty();
    }

    @Test
    void shouldRefuseTimesBeyondTheLimits() {
        for (long wrong : new long[] {0, -1, MessageProperties.MAX_MILLIS + 1}) {
            assertThatThrownBy(() -> SendOptions.none().withDelay(wrong)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1..31536000000 ms");
            assertThatThrownBy(() -> SendOptions.none().withTimeToLive(wrong))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> MessageProperties.NONE.with(MessageProperties.DELAY, "soon"))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("delay");
    }

    private static void send(Client client, int queue, SendOptions options) {
        client.sendMessage(new int[] {queue}, CONTENT, 5, options);
    }
}
