package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.client.SendOptions;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Clients that register without a name. */
class TemporaryClientContractTest {
    private static final byte[] CONTENT = {1};
    private static final Map<String, String> SHORT = Map.of("broker.client.keep", "100ms");

    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    @OnEveryStorage
    void shouldServeClientsWithoutANameLikeOthers(StorageKind storage) {
        Client alice = BROKERS.client(storage);
        Response.Registered registered = alice.register();
        Client bob = BROKERS.client(storage);
        bob.register();
        int queue = BROKERS.queue(bob);

        bob.sendMessage(queue, CONTENT);
        long context = bob.sendRequestToClient(registered.client(), CONTENT, 5);

        assertThat(alice.receiveMessage(MessageQuery.queue(queue), 60_000)).isPresent();
        assertThat(alice.dequeueMessage(MessageQuery.queue(registered.ownQueue()))).hasValueSatisfying(request ->
                alice.sendResponseToClient(request.sender(), request.context(), CONTENT, 5));
        assertThat(bob.dequeueMessage(MessageQuery.response(context))).isPresent();
        assertThat(alice.register()).isEqualTo(registered);
        assertThatThrownBy(() -> alice.register(BROKERS.name("alice")))
                .isInstanceOf(MlmqException.InvalidRequest.class);
    }

    @OnEveryStorage
    void shouldRemoveATemporaryClientAfterItsGoodbye(StorageKind storage) throws Exception {
        Client client = BROKERS.client(storage);
        int id = client.register().client();
        client.sendMessageToClient(id, CONTENT, 5);

        client.close();

        Client other = BROKERS.registered(storage);
        BROKERS.until("it is removed", () -> isUnknown(other, id));
        assertThatThrownBy(() -> other.sendMessageToClient(id, CONTENT, 5))
                .isInstanceOf(MlmqException.ClientDoesNotExist.class);
    }

    @Test
    void shouldLeaveNothingOfATemporaryClientInTheDatabase() throws Exception {
        Client client = BROKERS.client(StorageKind.POSTGRESQL);
        Response.Registered registered = client.register();
        client.sendMessageToClient(registered.client(), CONTENT, 5);
        client.sendMessageToClient(registered.client(), CONTENT, 5);
        client.receiveMessage(MessageQuery.queue(registered.ownQueue()), 600_000);

        client.close();

        for (String left : new String[] {"client WHERE id = " + registered.client(),
            "queue WHERE id = " + registered.ownQueue(), "message WHERE queue_id = " + registered.ownQueue(),
            "lease WHERE queue_id = " + registered.ownQueue(),
            "queue_length WHERE queue_id = " + registered.ownQueue()}) {
            BROKERS.until("there is no " + left,
                    () -> BROKERS.database().number("SELECT count(*) FROM " + left) == 0);
        }
    }

    @OnEveryStorage
    void shouldRemoveATemporaryClientThatDoesNotReconnect(StorageKind storage) throws Exception {
        String address = BROKERS.start(storage, SHORT);
        AsyncClient lost = BROKERS.asyncAt(address);
        int id = lost.register().get(30, TimeUnit.SECONDS).client();
        Client other = BROKERS.clientAt(address);
        int stays = other.register().client();

        BROKERS.disconnect(lost);

        BROKERS.until("it is removed", () -> isUnknown(other, id));
        assertThat(isUnknown(other, stays)).isFalse();
    }

    @OnEveryStorage
    void shouldResumeATemporaryClientByItsToken(StorageKind storage) throws Exception {
        Response.Registered registered;
        try (RawClient lost = new RawClient(BROKERS.address(storage))) {
            lost.hello(Features.ALL);
            registered = lost.register("");
            assertThat(lost.register("")).isEqualTo(registered);
            lost.ask(new Request.SendMessageToClient(registered.client(), 5, CONTENT));
        }
        try (RawClient back = new RawClient(BROKERS.address(storage))) {
            back.hello(Features.ALL);

            assertThat(back.ask(new Request.Register("", registered.token()))).isEqualTo(registered);

            Response.Delivery delivery = (Response.Delivery) back.ask(
                    new Request.DequeueMessage(MessageQuery.queue(registered.ownQueue())));
            assertThat(delivery.message()).isNotNull();
        }
    }

    @OnEveryStorage
    void shouldKeepATemporaryClientWhilePublicMessagesAreAddressedToIt(StorageKind storage) throws Exception {
        String address = BROKERS.start(storage, SHORT);
        Client other = BROKERS.clientAt(address);
        other.register();
        int queue = BROKERS.queue(other);
        Client addressed = BROKERS.clientAt(address);
        int id = addressed.register().client();
        Client last = BROKERS.clientAt(address);
        final int lastId = last.register().client();
        other.sendMessage(new int[] {queue}, CONTENT, 5, SendOptions.none().withReceiver(id));

        addressed.close();
        last.close();

        BROKERS.until("the other one is removed", () -> isUnknown(other, lastId));
        assertThat(isUnknown(other, id)).isFalse();
        other.deleteQueue(queue, false);
        BROKERS.until("it is removed", () -> isUnknown(other, id));
    }

    @OnEveryStorage
    void shouldRefuseAnEmptyNameWithoutTheFeature(StorageKind storage) throws Exception {
        for (String name : new String[] {"", "~0123456789abcdef0123456789abcdef"}) {
            try (RawClient client = new RawClient(BROKERS.address(storage))) {
                client.hello(name.isEmpty() ? Features.ALL & ~Features.TEMPORARY_CLIENTS : Features.ALL);

                assertThat(client.ask(new Request.Register(name))).isInstanceOfSatisfying(Response.Failure.class,
                        failure -> assertThat(failure.status()).isEqualTo(Status.INVALID_REQUEST));
            }
        }
    }

    @Test
    void shouldRemoveTheTemporaryClientsOfADeadBroker() throws Exception {
        String address = BROKERS.start(StorageKind.POSTGRESQL, SHORT);
        Client other = BROKERS.clientAt(address);
        other.register();
        int id = BROKERS.clientAt(address).register().client();

        BROKERS.database().execute("WITH dead AS (INSERT INTO broker (name, tables) "
                + "SELECT 'dead', version FROM schema_version RETURNING id) "
                + "UPDATE client SET broker_id = dead.id FROM dead WHERE client.id = " + id);

        BROKERS.until("it is removed", () -> isUnknown(other, id));
        assertThat(BROKERS.database().number("SELECT count(*) FROM broker WHERE name LIKE 'dead%'")).isZero();
    }

    private static boolean isUnknown(Client asker, int client) {
        try {
            asker.lookupClientQueue(client);
            return false;
        } catch (MlmqException.ClientDoesNotExist e) {
            return true;
        }
    }
}
