package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Response;
import org.junit.jupiter.api.extension.RegisterExtension;

class QueueContractTest {
    private static final byte[] CONTENT = {1};

    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    @OnEveryStorage
    void shouldFindAQueueByItsName(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        String name = BROKERS.name("jobs");

        int queue = client.createQueue(name);

        assertThat(client.lookupQueue(name)).isEqualTo(queue);
        assertThat(BROKERS.registered(storage).lookupQueue(name)).isEqualTo(queue);
    }

    @OnEveryStorage
    void shouldCreateAQueueOnlyIfThereIsNone(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        String name = BROKERS.name("jobs");

        int queue = client.createQueueIfAbsent(name);
        client.sendMessage(queue, CONTENT);

        assertThat(BROKERS.registered(storage).createQueueIfAbsent(name)).isEqualTo(queue);
        assertThat(client.dequeueMessage(MessageQuery.queue(queue)).orElseThrow().priority()).isEqualTo(5);
        assertThatThrownBy(() -> client.createQueueIfAbsent("")).isInstanceOf(MlmqException.InvalidRequest.class);
    }

    @OnEveryStorage
    void shouldNotCreateAQueueTwice(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        String name = BROKERS.name("jobs");
        client.createQueue(name);

        assertThatThrownBy(() -> client.createQueue(name)).isInstanceOf(MlmqException.QueueExists.class)
                .hasMessageContaining(name);
    }

    @OnEveryStorage
    void shouldSayThatThereIsNoSuchQueue(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int never = Integer.MAX_VALUE;

        assertThatThrownBy(() -> client.lookupQueue(BROKERS.name("jobs")))
                .isInstanceOf(MlmqException.QueueDoesNotExist.class);
        assertThatThrownBy(() -> client.deleteQueue(never, false)).isInstanceOf(MlmqException.QueueDoesNotExist.class);
        assertThatThrownBy(() -> client.sendMessage(never, CONTENT, 5))
                .isInstanceOf(MlmqException.QueueDoesNotExist.class);
        assertThatThrownBy(() -> client.dequeueMessage(MessageQuery.queue(never)))
                .isInstanceOf(MlmqException.QueueDoesNotExist.class);
        assertThatThrownBy(() -> client.peekMessage(MessageQuery.queue(never)))
                .isInstanceOf(MlmqException.QueueDoesNotExist.class);
    }

    @OnEveryStorage
    void shouldDeleteAQueueWithItsMessages(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        String name = BROKERS.name("jobs");
        int queue = client.createQueue(name);
        client.sendMessage(queue, CONTENT, 5);

        client.deleteQueue(queue, false);

        assertThatThrownBy(() -> client.lookupQueue(name)).isInstanceOf(MlmqException.QueueDoesNotExist.class);
        assertThatThrownBy(() -> client.sendMessage(queue, CONTENT, 5))
                .isInstanceOf(MlmqException.QueueDoesNotExist.class);
        assertThatThrownBy(() -> client.deleteQueue(queue, false)).isInstanceOf(MlmqException.QueueDoesNotExist.class);
        assertThat(client.dequeueMessage(MessageQuery.any())).isEmpty();
        int again = client.createQueue(name);
        assertThat(client.dequeueMessage(MessageQuery.queue(again))).isEmpty();
    }

    @OnEveryStorage
    void shouldDeleteAQueueOnlyIfEmptyWhereAskedTo(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        client.sendMessage(queue, CONTENT, 5);

        assertThatThrownBy(() -> client.deleteQueue(queue, true)).isInstanceOf(MlmqException.QueueNotEmpty.class);

        assertThat(client.dequeueMessage(MessageQuery.queue(queue))).isPresent();
        client.deleteQueue(queue, true);
    }

    @OnEveryStorage
    void shouldNotTakeAQueueForEmptyWhoseMessageIsOutUnderALease(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        client.sendMessage(queue, CONTENT, 5);
        client.receiveMessage(MessageQuery.queue(queue), 60_000).orElseThrow();

        assertThatThrownBy(() -> client.deleteQueue(queue, true)).isInstanceOf(MlmqException.QueueNotEmpty.class);
    }

    @OnEveryStorage
    void shouldLookUpClientsAndTheirPersonalQueues(StorageKind storage) {
        String name = BROKERS.name("bob");
        Response.Registered bob = BROKERS.client(storage).register(name);
        Client alice = BROKERS.registered(storage);

        assertThat(alice.lookupClient(name)).isEqualTo(bob.client());
        assertThat(alice.lookupClientQueue(name)).isEqualTo(bob.ownQueue());
        assertThat(alice.lookupClientQueue(bob.client())).isEqualTo(bob.ownQueue());
        assertThatThrownBy(() -> alice.lookupClient(BROKERS.name("nobody")))
                .isInstanceOf(MlmqException.ClientDoesNotExist.class);
        assertThatThrownBy(() -> alice.lookupClientQueue(BROKERS.name("nobody")))
                .isInstanceOf(MlmqException.ClientDoesNotExist.class);
        assertThatThrownBy(() -> alice.lookupClientQueue(Integer.MAX_VALUE))
                .isInstanceOf(MlmqException.ClientDoesNotExist.class);
    }

    @OnEveryStorage
    void shouldKeepAPersonalQueueForItsOwner(StorageKind storage) {
        Client bob = BROKERS.client(storage);
        Response.Registered registered = bob.register(BROKERS.name("bob"));
        Client alice = BROKERS.registered(storage);
        alice.sendMessageToClient(registered.client(), CONTENT, 5);
        MessageQuery personal = MessageQuery.queue(registered.ownQueue());

        assertThatThrownBy(() -> alice.dequeueMessage(personal)).isInstanceOf(MlmqException.NotOwner.class);
        assertThatThrownBy(() -> alice.peekMessage(personal)).isInstanceOf(MlmqException.NotOwner.class);
        assertThatThrownBy(() -> alice.receiveMessage(personal, 1_000)).isInstanceOf(MlmqException.NotOwner.class);
        assertThatThrownBy(() -> alice.dequeueMessages(personal, 10)).isInstanceOf(MlmqException.NotOwner.class);
        assertThatThrownBy(() -> alice.receiveMessages(personal, 10, 1_000)).isInstanceOf(MlmqException.NotOwner.class);
        assertThatThrownBy(() -> alice.deleteQueue(registered.ownQueue(), false))
                .isInstanceOf(MlmqException.NotOwner.class);
        assertThatThrownBy(() -> bob.deleteQueue(registered.ownQueue(), false))
                .isInstanceOf(MlmqException.InvalidRequest.class).hasMessageContaining("own personal queue");

        assertThat(bob.dequeueMessage(personal)).isPresent();
    }
}
