package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.client.SendOptions;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Response;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class QueueLengthContractTest {
    private static final byte[] CONTENT = {1};
    private static final int LEASE_MILLIS = 600_000;

    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    @OnEveryStorage
    void shouldCountReadyAndLeasedMessages(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        assertThat(client.queueLength(queue)).isEqualTo(length(0, 0));
        send(client, queue, 3);

        Message message = client.receiveMessage(MessageQuery.queue(queue), LEASE_MILLIS).orElseThrow();

        assertThat(client.queueLength(queue)).isEqualTo(length(2, 1));
        client.release(message);
        assertThat(client.queueLength(queue)).isEqualTo(length(3, 0));
        client.dequeueMessages(MessageQuery.queue(queue), 2);
        client.acknowledge(client.receiveMessage(MessageQuery.queue(queue), LEASE_MILLIS).orElseThrow());
        assertThat(client.queueLength(queue)).isEqualTo(length(0, 0));
    }

    @OnEveryStorage
    void shouldCountMessagesForASingleReceiver(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        int bob = BROKERS.client(storage).register(BROKERS.name("bob")).client();

        client.sendMessage(new int[] {queue}, CONTENT, 5, SendOptions.none().withReceiver(bob));

        assertThat(client.queueLength(queue)).isEqualTo(length(1, 0));
    }

    @OnEveryStorage
    void shouldShowTheLengthOfAPersonalQueueToItsOwnerOnly(StorageKind storage) {
        Client alice = BROKERS.client(storage);
        Response.Registered registered = alice.register(BROKERS.name("alice"));
        Client bob = BROKERS.registered(storage);
        bob.sendMessageToClient(registered.client(), CONTENT, 5);

        assertThat(alice.queueLength(registered.ownQueue())).isEqualTo(length(1, 0));
        assertThatThrownBy(() -> bob.queueLength(registered.ownQueue())).isInstanceOf(MlmqException.NotOwner.class);
    }

    @OnEveryStorage
    void shouldRefuseTheLengthOfAMissingQueue(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        client.deleteQueue(queue, true);

        for (int missing : new int[] {queue, Integer.MAX_VALUE, 0, -1}) {
            assertThatThrownBy(() -> client.queueLength(missing)).isInstanceOf(MlmqException.QueueDoesNotExist.class);
        }
    }

    @OnEveryStorage
    void shouldKnowTheLengthOfALongQueue(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);

        send(client, queue, 1_000);
        send(client, queue, 500);

        BROKERS.until("all are counted", () -> client.queueLength(queue).equals(length(1_500, 0)));
    }

    @Test
    void shouldReadTheCounterOfALongQueue() throws Exception {
        Client client = BROKERS.registered(StorageKind.POSTGRESQL);
        int queue = BROKERS.queue(client);
        send(client, queue, 1_000);

        BROKERS.database().execute("UPDATE queue_length SET messages = 1000000000 WHERE queue_id = " + queue);

        assertThat(client.queueLength(queue).ready()).isGreaterThanOrEqualTo(1_000_000_000);
    }

    @Test
    void shouldStopCountingManyLeases() throws Exception {
        Client client = BROKERS.registered(StorageKind.POSTGRESQL);
        int queue = BROKERS.queue(client);

        BROKERS.database().execute("INSERT INTO lease SELECT -n, 0, 0, " + queue
                + ", 0, 0, 5, 1, '', 1, now() + interval '1 hour' FROM generate_series(1, 10001) AS n");

        assertThat(client.queueLength(queue)).isEqualTo(length(0, 10_000));
    }

    private static void send(Client client, int queue, int count) {
        client.sendMessages(Collections.nCopies(count, new OutgoingMessage(queue, CONTENT, 5)));
    }

    private static Response.QueueLength length(long ready, long leased) {
        return new Response.QueueLength(ready, leased);
    }
}
