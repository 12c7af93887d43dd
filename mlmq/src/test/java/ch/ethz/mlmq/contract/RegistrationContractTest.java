package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Response;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.extension.RegisterExtension;

class RegistrationContractTest {
    private static final byte[] CONTENT = {1};

    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    @OnEveryStorage
    void shouldKnowAClientAgain(StorageKind storage) {
        String name = BROKERS.name("alice");
        Client first = BROKERS.client(storage);
        Response.Registered registered = first.register(name);
        first.sendMessageToClient(registered.client(), CONTENT, 5);
        first.close();

        Client second = BROKERS.client(storage);

        assertThat(second.register(name)).isEqualTo(registered);
        assertThat(registered.client()).isPositive();
        assertThat(registered.ownQueue()).isPositive();
        assertThat(second.dequeueMessage(MessageQuery.queue(registered.ownQueue()))).isPresent();
    }

    @OnEveryStorage
    void shouldNotLetTwoConnectionsHaveTheSameName(StorageKind storage) throws Exception {
        String name = BROKERS.name("alice");
        AsyncClient first = BROKERS.async(storage);
        first.register(name).get(30, TimeUnit.SECONDS);
        Client second = BROKERS.client(storage);

        assertThatThrownBy(() -> second.register(name)).isInstanceOf(MlmqException.ClientAlreadyOnline.class)
                .hasMessageContaining(name);

        BROKERS.disconnect(first);
        BROKERS.until("the name is free", () -> {
            try {
                return second.register(name).client() > 0;
            } catch (MlmqException.ClientAlreadyOnline e) {
                return false;
            }
        });
    }

    @OnEveryStorage
    void shouldTakeTheSameNameAgainOnTheSameConnectionButNoOther(StorageKind storage) {
        String name = BROKERS.name("alice");
        Client client = BROKERS.client(storage);
        Response.Registered registered = client.register(name);

        assertThat(client.register(name)).isEqualTo(registered);
        assertThatThrownBy(() -> client.register(BROKERS.name("bob"))).isInstanceOf(MlmqException.InvalidRequest.class);
    }

    @OnEveryStorage
    void shouldRefuseNamesOutsideTheLimits(StorageKind storage) {
        Client client = BROKERS.client(storage);

        for (String name : List.of("", "a b", "é", "x".repeat(51), "a;b", "a\n")) {
            assertThatThrownBy(() -> client.register(name)).isInstanceOf(MlmqException.InvalidRequest.class)
                    .hasMessageContaining("1..50 characters");
        }
        String longest = (BROKERS.name("A.b_c-") + "x".repeat(50)).substring(0, 50);
        assertThat(client.register(longest).client()).isPositive();
    }

    @OnEveryStorage
    void shouldDoNothingForWhoHasNotRegistered(StorageKind storage) {
        Client stranger = BROKERS.client(storage);
        Stream<ThrowingCallable> operations = Stream.of(
                () -> stranger.createQueue(BROKERS.name("jobs")), () -> stranger.deleteQueue(1, true),
                () -> stranger.lookupQueue("jobs"), () -> stranger.lookupClient("alice"),
                () -> stranger.lookupClientQueue("alice"), () -> stranger.lookupClientQueue(1),
                () -> stranger.sendMessage(1, CONTENT, 5), () -> stranger.sendMessageToClient(1, CONTENT, 5),
                () -> stranger.sendRequestToClient(1, CONTENT, 5),
                () -> stranger.sendResponseToClient(1, 1, CONTENT, 5),
                () -> stranger.sendMessages(List.of(new OutgoingMessage(1, CONTENT, 5))),
                () -> stranger.queuesWithPendingMessages(1), () -> stranger.queueLength(1),
                () -> stranger.peekMessage(MessageQuery.any()),
                () -> stranger.dequeueMessage(MessageQuery.any()),
                () -> stranger.dequeueMessages(MessageQuery.any(), 1),
                () -> stranger.receiveMessage(MessageQuery.any(), 1_000), () -> stranger.acknowledge(1, 1),
                () -> stranger.extend(1, 1, 1_000), () -> stranger.release(1, 1),
                () -> stranger.receiveMessages(MessageQuery.any(), 1, 1_000),
                () -> stranger.acknowledgeMessages(List.of(new Lease(1, 1))),
                () -> stranger.extendLeases(List.of(new Lease(1, 1)), 1_000),
                () -> stranger.releaseMessages(List.of(new Lease(1, 1))));

        operations.forEach(operation ->
                assertThatThrownBy(operation).isInstanceOf(MlmqException.NotRegistered.class));

        assertThat(stranger.echo(CONTENT)).isEqualTo(CONTENT);
        assertThat(stranger.brokerStatus()).startsWith("{").endsWith("}").doesNotContain("\n");
    }

    @OnEveryStorage
    void shouldTellThoseAboveTheLimitThatTheBrokerIsFull(StorageKind storage) throws Exception {
        String address = BROKERS.start(storage, Map.of("broker.maxclients", "2"));
        AsyncClient first = BROKERS.asyncAt(address);
        first.register(BROKERS.name("alice")).get(30, TimeUnit.SECONDS);
        BROKERS.clientAt(address).register(BROKERS.name("bob"));

        Client carol = BROKERS.clientAt(address);
        String name = BROKERS.name("carol");
        assertThatThrownBy(() -> carol.register(name)).isInstanceOf(MlmqException.BrokerFull.class);

        BROKERS.disconnect(first);
        BROKERS.until("there is room again", () -> {
            try {
                return carol.register(name).client() > 0;
            } catch (MlmqException.BrokerFull | MlmqException.ConnectionLost | MlmqException.NotConnected e) {
                return false;
            }
        });
    }
}
