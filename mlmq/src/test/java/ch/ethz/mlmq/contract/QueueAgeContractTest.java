package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.client.SendOptions;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Response;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Queues that limit how old a message becomes, how often it is delivered, and how soon again. */
class QueueAgeContractTest {
    private static final byte[] CONTENT = {1};
    private static final int LEASE_MILLIS = 600_000;
    private static final int WAIT_MILLIS = 20_000;

    @RegisterExtension
    static final Brokers BROKERS = new Brokers(Map.of("broker.deliveries.max", "2"));

    private final String name = BROKERS.name("queue");

    @OnEveryStorage
    void shouldRemoveOldMessagesOfAllReceiversAndPriorities(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int other = BROKERS.client(storage).register(BROKERS.name("other")).client();
        int queue = client.createQueue(name);
        int free = BROKERS.queue(client);
        long before = BROKERS.gauge(BROKERS.address(storage), "aged");
        for (int priority = 1; priority <= 10; priority++) {
            client.sendMessage(new int[] {queue, free}, CONTENT, priority, SendOptions.none());
            client.sendMessage(new int[] {queue}, CONTENT, priority, SendOptions.none().withReceiver(other));
        }
        assertThat(client.queueLength(queue).ready()).isEqualTo(20);

        client.execute("limit queue " + name + " to age 400ms");

        BROKERS.until("all are gone", () -> client.queueLength(queue).ready() == 0);
        assertThat(client.queueLength(free).ready()).isEqualTo(10);
        BROKERS.until("they are counted", () -> BROKERS.gauge(BROKERS.address(storage), "aged") == before + 20);
    }

    @OnEveryStorage
    void shouldKeepYoungMessages(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int queue = client.createQueue(name);
        client.sendMessage(queue, CONTENT, 5);
        client.sendMessages(Collections.nCopies(900, new OutgoingMessage(queue, CONTENT, 5)));
        client.execute("limit queue " + name + " to age 1h");
        int brief = BROKERS.queue(client);
        client.execute("limit queue #" + brief + " to age 1ms");
        client.sendMessages(Collections.nCopies(1_000, new OutgoingMessage(brief, CONTENT, 5)));
        client.sendMessages(Collections.nCopies(1_000, new OutgoingMessage(brief, CONTENT, 5)));
        client.sendMessage(brief, CONTENT, 5);

        BROKERS.until("those of another queue are gone", () -> client.queueLength(brief).ready() == 0);

        assertThat(client.queueLength(queue).ready()).isEqualTo(901);
    }

    @OnEveryStorage
    void shouldRemoveAMessageThatComesBackTooOld(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int queue = client.createQueue(name);
        client.execute("limit queue " + name + " to age 500ms");
        client.sendMessage(queue, CONTENT, 5);
        Message message = client.receiveMessage(MessageQuery.queue(queue), LEASE_MILLIS).orElseThrow();
        client.sendMessage(queue, CONTENT, 5);
        BROKERS.until("the other is gone", () -> client.queueLength(queue).equals(new Response.QueueLength(0, 1)));

        client.release(message);

        BROKERS.until("it is gone", () -> client.queueLength(queue).equals(new Response.QueueLength(0, 0)));
    }

    @OnEveryStorage
    void shouldHaveAttemptsOfItsOwn(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = client.createQueue(name);
        client.execute("limit queue " + name + " to 3 attempts");
        client.sendMessage(queue, CONTENT, 5);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> client.lookupQueue(name + ".dead"))
                    .isInstanceOf(MlmqException.QueueDoesNotExist.class);
            client.release(client.receiveMessage(MessageQuery.queue(queue), LEASE_MILLIS).orElseThrow());
        }

        assertThat(client.queueLength(client.lookupQueue(name + ".dead")).ready()).isEqualTo(1);
        assertThat(client.queueLength(queue)).isEqualTo(new Response.QueueLength(0, 0));
    }

    @OnEveryStorage
    void shouldKeepAReleasedMessageBackUntilItsWaitIsOver(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = client.createQueue(name);
        client.execute("limit queue " + name + " to backoff 300ms to 600ms, 4 attempts");
        client.sendMessage(queue, CONTENT, 5);
        Message message = client.receiveMessage(MessageQuery.queue(queue), LEASE_MILLIS).orElseThrow();
        for (int wait : new int[] {300, 600, 600}) {
            Message released = message;
            // Storages wait by the time of day, which may be corrected meanwhile.
            long begun = System.currentTimeMillis();
            client.release(released);
            assertThat(client.queueLength(queue)).isEqualTo(new Response.QueueLength(0, 1));
            assertThatThrownBy(() -> client.acknowledge(released)).isInstanceOf(MlmqException.UnknownLease.class);

            message = waitFor(client, queue);

            assertThat(System.currentTimeMillis() - begun).isGreaterThanOrEqualTo(wait);
            assertThat(message.id()).isEqualTo(released.id());
            assertThat(message.deliveries()).isEqualTo(released.deliveries() + 1);
        }
        client.release(message);
        assertThat(client.queueLength(client.lookupQueue(name + ".dead")).ready()).as("after its last attempt")
                .isEqualTo(1);
    }

    @OnEveryStorage
    void shouldKeepManyReleasedMessagesBack(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int queue = client.createQueue(name);
        client.execute("limit queue " + name + " to backoff 1h");
        client.sendMessages(Collections.nCopies(3, new OutgoingMessage(queue, CONTENT, 5)));
        List<Lease> leases = client.receiveMessages(MessageQuery.queue(queue), 2, LEASE_MILLIS).stream()
                .map(Message::lease).toList();
        client.receiveMessage(MessageQuery.queue(queue), 1).orElseThrow();

        assertThat(client.releaseMessages(leases)).extracting(Enum::name).containsExactly("OK", "OK");

        BROKERS.until("all wait", () -> client.queueLength(queue).equals(new Response.QueueLength(0, 3)));
        int other = BROKERS.queue(client);
        client.sendMessage(other, CONTENT, 5);
        client.receiveMessage(MessageQuery.queue(other), 300).orElseThrow();
        BROKERS.until("a later lease has ended", () -> client.queueLength(other).ready() == 1);
        assertThat(client.queueLength(queue)).isEqualTo(new Response.QueueLength(0, 3));
    }

    @OnEveryStorage
    void shouldLimitDeadLettersToo(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int queue = client.createQueue(name);
        client.execute("limit queue " + name + " to 1 attempts");
        die(client, queue, 1);
        int dead = client.lookupQueue(name + ".dead");
        client.execute("limit queue " + name + ".dead to 2 messages, drop oldest");

        die(client, queue, 4);

        BROKERS.until("the oldest were dropped", () -> client.queueLength(dead).ready() == 2);
    }

    private static void die(Client client, int queue, int times) {
        for (int i = 0; i < times; i++) {
            client.sendMessage(queue, CONTENT, 5);
            client.release(client.receiveMessage(MessageQuery.queue(queue), LEASE_MILLIS).orElseThrow());
        }
    }

    private static Message waitFor(Client client, int queue) {
        return client.receiveMessage(MessageQuery.queue(queue).waiting(WAIT_MILLIS), LEASE_MILLIS).orElseThrow();
    }
}
