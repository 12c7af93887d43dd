package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.client.SendOptions;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageProperties;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Response;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages that are moved to another queue, or removed. */
class MoveContractTest {
    private static final byte[] CONTENT = {1};
    private static final int LEASE_MILLIS = 600_000;
    private static final int PATIENT_MILLIS = 20_000;

    @RegisterExtension
    static final Brokers BROKERS = new Brokers(Map.of("broker.deliveries.max", "2"));

    @OnEveryStorage
    void shouldLetAnybodyTakeWhatAClientMovesOutOfItsOwnQueue(StorageKind storage) {
        Client owner = BROKERS.client(storage);
        int own = owner.register(BROKERS.name("owner")).ownQueue();
        Client other = BROKERS.registered(storage);
        int target = BROKERS.queue(owner);
        other.sendMessage(own, CONTENT, 5);

        assertThat(owner.moveMessages(own, target, 10)).isEqualTo(1);

        assertThat(other.dequeueMessage(MessageQuery.queue(target)).orElseThrow().receiver()).isZero();
    }

    @OnEveryStorage
    void shouldRemoveSomeMessagesAndLeaveLeasedOnes(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        send(client, queue, 6);
        Message leased = client.receiveMessage(MessageQuery.queue(queue), LEASE_MILLIS).orElseThrow();

        assertThat(client.moveMessages(queue, 0, 3)).isEqualTo(3);
        assertThat(client.queueLength(queue)).isEqualTo(new Response.QueueLength(2, 1));
        assertThat(client.moveMessages(queue, 0, 1_000)).isEqualTo(2);
        assertThat(client.moveMessages(queue, 0, 1_000)).isZero();

        client.release(leased);
        assertThat(client.dequeueMessage(MessageQuery.queue(queue)).orElseThrow().id()).isEqualTo(leased.id());
    }

    @OnEveryStorage
    void shouldMoveMessagesWithAllThatTheyHave(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        int target = BROKERS.queue(client);
        MessageProperties some = MessageProperties.NONE.with("id", 7);
        client.sendMessage(new int[] {queue}, CONTENT, 3, SendOptions.none().withContext(9).withProperties(some));
        send(client, target, 1);
        Message before = client.peekMessage(MessageQuery.queue(queue)).orElseThrow();

        assertThat(client.moveMessages(queue, target, 1_000)).isEqualTo(1);

        assertThat(client.queueLength(queue).ready()).isZero();
        assertThat(client.queueLength(target).ready()).isEqualTo(2);
        Message after = client.dequeueMessage(MessageQuery.queue(target).oldestFirst()).orElseThrow();
        assertThat(after.id()).isEqualTo(before.id());
        assertThat(after.content()).isEqualTo(CONTENT);
        assertThat(List.of(after.queue(), after.sender(), after.priority(), after.context(), after.sentMillis(),
                after.properties(), after.deliveries())).isEqualTo(List.of(target, before.sender(), 3, 9L,
                before.sentMillis(), some, 1));
    }

    @OnEveryStorage
    void shouldMoveDeadLettersBackAsNewMessages(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        String name = BROKERS.name("queue");
        int queue = client.createQueue(name);
        send(client, queue, 1);
        receiveAndRelease(client, queue);
        receiveAndRelease(client, queue);
        int dead = client.lookupQueue(name + ".dead");
        assertThat(client.queueLength(dead).ready()).isEqualTo(1);

        assertThat(client.moveMessages(dead, queue, 1_000)).isEqualTo(1);

        receiveAndRelease(client, queue);
        assertThat(client.receiveMessage(MessageQuery.queue(queue), LEASE_MILLIS).orElseThrow().deliveries())
                .isEqualTo(2);
        assertThat(client.queueLength(dead).ready()).isZero();
    }

    @OnEveryStorage
    void shouldWakeWhoeverWaitsInTheTarget(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        Client waiter = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        int target = BROKERS.queue(client);
        send(client, queue, 1);
        CompletableFuture<Optional<Message>> waiting = CompletableFuture.supplyAsync(() ->
                waiter.dequeueMessage(MessageQuery.queue(target).waiting(PATIENT_MILLIS)));
        BROKERS.until("it waits", () -> client.brokerStatus().contains("\"waiting\":1"));

        assertThat(client.moveMessages(queue, target, 1)).isEqualTo(1);

        assertThat(waiting.get(PATIENT_MILLIS, TimeUnit.MILLISECONDS)).isPresent();
    }

    @OnEveryStorage
    void shouldKeepTheReceiverOfAMessage(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        Client bob = BROKERS.client(storage);
        int id = bob.register(BROKERS.name("bob")).client();
        int queue = BROKERS.queue(client);
        int target = BROKERS.queue(client);
        send(client, target, 1);
        client.sendMessage(new int[] {queue}, CONTENT, 5, SendOptions.none().withReceiver(id));
        client.dequeueMessage(MessageQuery.queue(target));

        assertThat(client.moveMessages(queue, target, 10)).isEqualTo(1);

        assertThat(client.dequeueMessage(MessageQuery.queue(target))).isEmpty();
        assertThat(bob.dequeueMessage(MessageQuery.queue(target)).orElseThrow().receiver()).isEqualTo(id);
    }

    @OnEveryStorage
    void shouldMoveNoMessageForAnotherClientToTheOwnQueue(StorageKind storage) {
        Client client = BROKERS.client(storage);
        Response.Registered own = client.register(BROKERS.name("client"));
        int bob = BROKERS.client(storage).register(BROKERS.name("bob")).client();
        int queue = BROKERS.queue(client);
        client.sendMessage(new int[] {queue}, CONTENT, 5, SendOptions.none().withReceiver(bob));
        client.sendMessage(new int[] {queue}, CONTENT, 5, SendOptions.none().withReceiver(own.client()));
        send(client, queue, 1);

        assertThat(client.moveMessages(queue, own.ownQueue(), 10)).isEqualTo(2);
        assertThat(client.queueLength(queue).ready()).isEqualTo(1);
    }

    @OnEveryStorage
    void shouldMoveFromAndToTheOwnQueueAlone(StorageKind storage) {
        Client client = BROKERS.client(storage);
        Response.Registered own = client.register(BROKERS.name("client"));
        Client other = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        send(client, queue, 1);

        assertThat(client.moveMessages(queue, own.ownQueue(), 10)).isEqualTo(1);
        assertThatThrownBy(() -> other.moveMessages(own.ownQueue(), queue, 10))
                .isInstanceOf(MlmqException.NotOwner.class);
        assertThatThrownBy(() -> other.moveMessages(own.ownQueue(), 0, 10)).isInstanceOf(MlmqException.NotOwner.class);
        assertThatThrownBy(() -> other.moveMessages(queue, own.ownQueue(), 10))
                .isInstanceOf(MlmqException.NotOwner.class);
        assertThat(client.dequeueMessage(MessageQuery.queue(own.ownQueue())).orElseThrow().receiver())
                .isEqualTo(own.client());
    }

    @OnEveryStorage
    void shouldRefuseWhatIsNotThere(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        int deleted = BROKERS.queue(client);
        client.deleteQueue(deleted, false);
        send(client, queue, 1);

        assertThatThrownBy(() -> client.moveMessages(queue, deleted, 1))
                .isInstanceOf(MlmqException.QueueDoesNotExist.class);
        assertThatThrownBy(() -> client.moveMessages(deleted, queue, 1))
                .isInstanceOf(MlmqException.QueueDoesNotExist.class);
        assertThatThrownBy(() -> client.moveMessages(queue, queue, 1)).isInstanceOf(MlmqException.InvalidRequest.class)
                .hasMessageContaining("itself");
        assertThatThrownBy(() -> client.moveMessages(queue, 0, 1_001)).isInstanceOf(MlmqException.InvalidRequest.class);
        assertThat(client.queueLength(queue).ready()).isEqualTo(1);
    }

    private static void receiveAndRelease(Client client, int queue) {
        client.release(client.receiveMessage(MessageQuery.queue(queue), LEASE_MILLIS).orElseThrow());
    }

    private static void send(Client client, int queue, int count) {
        for (int i = 0; i < count; i++) {
            client.sendMessage(queue, CONTENT, 5);
        }
    }
}
