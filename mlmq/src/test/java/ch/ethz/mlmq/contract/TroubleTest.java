package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientState;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests what a client gets when the broker or its database fails. */
class TroubleTest {
    private static final byte[] CONTENT = {1};

    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    @Test
    void shouldSayThatTheBrokerCannotAndGoOnWhenItCanAgain() throws Exception {
        Client client = BROKERS.registered(StorageKind.POSTGRESQL);
        int queue = BROKERS.queue(client);
        BROKERS.database().execute("ALTER TABLE message RENAME TO message_away");
        try {
            assertThatThrownBy(() -> client.sendMessage(queue, CONTENT, 5))
                    .isInstanceOf(MlmqException.BrokerError.class);
            assertThatThrownBy(() -> client.dequeueMessage(MessageQuery.queue(queue)))
                    .isInstanceOf(MlmqException.BrokerError.class);
            assertThat(client.echo(CONTENT)).isEqualTo(CONTENT);
        } finally {
            BROKERS.database().execute("ALTER TABLE message_away RENAME TO message");
        }

        BROKERS.until("the broker can again", () -> {
            try {
                client.sendMessage(queue, CONTENT, 5);
                return true;
            } catch (MlmqException.BrokerError e) {
                return false;
            }
        });
        assertThat(client.dequeueMessages(MessageQuery.queue(queue), 10)).hasSize(1);
    }

    @OnEveryStorage
    void shouldSendHomeThoseWhoWaitWhenTheBrokerStops(StorageKind storage) throws Exception {
        String address = BROKERS.start(storage, Map.of());
        AsyncClient client = BROKERS.asyncAt(address);
        client.register(BROKERS.name("alice")).get(30, TimeUnit.SECONDS);
        CompletableFuture<?> waiting = client.dequeueMessage(MessageQuery.any().addressedToMe().waiting(60_000));
        BROKERS.roundTrip(client);

        BROKERS.stop(address);

        assertThatThrownBy(() -> waiting.get(30, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(MlmqException.BrokerStopping.class);
    }

    @OnEveryStorage
    void shouldFailAtOnceWhileThereIsNoBroker(StorageKind storage) throws Exception {
        String address = BROKERS.start(storage, Map.of());
        AsyncClient client = BROKERS.asyncAt(address);
        client.register(BROKERS.name("alice")).get(30, TimeUnit.SECONDS);

        BROKERS.stop(address);
        BROKERS.until("the client has noticed", () -> client.state() != ClientState.CONNECTED);

        assertThatThrownBy(() -> client.echo(CONTENT).get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(MlmqException.NotConnected.class);
    }

    @Test
    void shouldComeBackUnderItsNameWhenTheBrokerDoes() throws Exception {
        String address = BROKERS.start(StorageKind.POSTGRESQL, Map.of());
        AsyncClient client = BROKERS.asyncAt(address);
        String name = BROKERS.name("alice");
        int id = client.register(name).get(30, TimeUnit.SECONDS).client();
        client.sendMessageToClient(id, CONTENT, 5).get(30, TimeUnit.SECONDS);

        BROKERS.stop(address);
        BROKERS.startAt(address, StorageKind.POSTGRESQL, Map.of());

        BROKERS.until("it is back", () -> client.state() == ClientState.CONNECTED);
        assertThat(client.dequeueMessage(MessageQuery.any().addressedToMe()).get(30, TimeUnit.SECONDS)).isPresent();
    }

    @Test
    void shouldAcknowledgeAndForgetWithoutAStorage() {
        Client client = BROKERS.registered(StorageKind.NONE);
        int queue = BROKERS.queue(client);

        client.sendMessage(queue, CONTENT, 5);

        assertThat(client.echo(CONTENT)).isEqualTo(CONTENT);
        assertThat(client.dequeueMessage(MessageQuery.queue(queue))).isEmpty();
        assertThat(client.queueLength(queue)).isEqualTo(new Response.QueueLength(0, 0));
        assertThat(client.receiveMessages(MessageQuery.queue(queue), 10, 1_000)).isEmpty();
        List<Lease> leases = List.of(new Lease(1, 2), new Lease(2, 3));
        assertThat(client.acknowledgeMessages(leases)).containsExactly(Status.OK, Status.OK);
        assertThat(client.extendLeases(leases, 1_000)).containsExactly(Status.OK, Status.OK);
        assertThat(client.releaseMessages(leases)).containsExactly(Status.OK, Status.OK);
    }
}
