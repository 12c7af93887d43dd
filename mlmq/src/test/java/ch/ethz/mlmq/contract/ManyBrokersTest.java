package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientState;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Several brokers on one database. */
class ManyBrokersTest {
    private static final byte[] CONTENT = {1};

    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    private static String one;
    private static String other;

    @BeforeAll
    static void start() {
        one = BROKERS.start(StorageKind.POSTGRESQL, Map.of("broker.wait.poll", "60s"));
        other = BROKERS.start(StorageKind.POSTGRESQL, Map.of());
    }

    @Test
    void shouldServeOneDatabase() {
        Client alice = BROKERS.clientAt(one);
        alice.register(BROKERS.name("alice"));
        Client bob = BROKERS.clientAt(other);
        bob.register(BROKERS.name("bob"));
        String name = BROKERS.name("jobs");

        int queue = alice.createQueue(name);
        assertThat(bob.lookupQueue(name)).isEqualTo(queue);
        alice.sendMessage(queue, CONTENT, 5);
        assertThat(bob.dequeueMessage(MessageQuery.queue(queue))).isPresent();
        assertThat(alice.dequeueMessage(MessageQuery.queue(queue))).isEmpty();
        bob.deleteQueue(queue, true);
        assertThatThrownBy(() -> alice.sendMessage(queue, CONTENT, 5))
                .isInstanceOf(MlmqException.QueueDoesNotExist.class);
    }

    @Test
    void shouldWakeWhoWaitsAtAnotherBroker() throws Exception {
        AsyncClient waiter = BROKERS.asyncAt(one);
        waiter.register(BROKERS.name("alice")).get();
        Client sender = BROKERS.clientAt(other);
        sender.register(BROKERS.name("bob"));
        int queue = BROKERS.queue(sender);
        for (int i = 0; i < 20; i++) {
            CompletableFuture<Optional<Message>> waiting =
                    waiter.dequeueMessage(MessageQuery.queue(queue).waiting(50_000));
            BROKERS.roundTrip(waiter);

            sender.sendMessage(queue, CONTENT, 5);

            assertThat(waiting.get(20, TimeUnit.SECONDS)).isPresent();
        }
    }

    @Test
    void shouldNotLetAClientBeOnlineAtTwo() {
        String name = BROKERS.name("alice");
        Client first = BROKERS.clientAt(one);
        first.register(name);
        Client second = BROKERS.clientAt(other);

        assertThatThrownBy(() -> second.register(name)).isInstanceOf(MlmqException.ClientAlreadyOnline.class);

        first.close();
        assertThat(second.register(name).client()).isPositive();
    }

    @Test
    void shouldGiveContextsThatDifferOverAllOfThem() throws Exception {
        AsyncClient alice = BROKERS.asyncAt(one);
        AsyncClient bob = BROKERS.asyncAt(other);
        int aliceId = alice.register(BROKERS.name("alice")).get().client();
        bob.register(BROKERS.name("bob")).get();
        Set<Long> contexts = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            assertThat(contexts.add(alice.sendRequestToClient(aliceId, CONTENT, 5).get())).isTrue();
            assertThat(contexts.add(bob.sendRequestToClient(aliceId, CONTENT, 5).get())).isTrue();
        }
    }

    @Test
    void shouldTakeOverTheClientsOfOneThatStops() throws Exception {
        String stopping = BROKERS.start(StorageKind.POSTGRESQL, Map.of());
        String name = BROKERS.name("alice");
        AsyncClient client = BROKERS.asyncAt(stopping + "," + other);
        client.register(name).get(30, TimeUnit.SECONDS);
        int queue = client.createQueue(BROKERS.name("jobs")).get(30, TimeUnit.SECONDS);
        client.sendMessage(queue, CONTENT, 5).get(30, TimeUnit.SECONDS);

        BROKERS.stop(stopping);

        BROKERS.until("it is at the other", () -> client.state() == ClientState.CONNECTED
                && client.stateReason().contains(other));
        assertThat(client.dequeueMessage(MessageQuery.queue(queue)).get(30, TimeUnit.SECONDS)).isPresent();
    }
}
