package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.BrokerAddress;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientConfig;
import ch.ethz.mlmq.client.Credentials;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.scram.ScramVerifier;
import ch.ethz.mlmq.storage.postgresql.access.AccountScript;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Users that wait for messages, whose rights are checked in the batch that stores one. */
class WaitingUsersTest {
    private static final int PATIENT_MILLIS = 60_000;
    private static final String PASSWORD = "correct horse";

    @RegisterExtension
    static final Brokers BROKERS = new Brokers(Map.of("broker.wait.poll", "60s"));

    private static String address;

    @BeforeAll
    static void makeUsers() throws Exception {
        BROKERS.address(StorageKind.POSTGRESQL);
        AccountScript users = new AccountScript(BROKERS.database().address());
        users.add("alice", ScramVerifier.of(PASSWORD));
        users.add("bob", ScramVerifier.of(PASSWORD));
        users.add("carol", ScramVerifier.of(PASSWORD));
        users.execute("grant send, receive, manage on queue '%' to bob");
        users.execute("grant receive on queue '%' to alice");
        users.execute("grant receive on queue '%' to carol");
        // The only connection is busy while a batch is executed.
        address = BROKERS.start(StorageKind.POSTGRESQL, Map.of("broker.auth", "scram", "broker.db.connections", "1",
                "broker.db.timeout", "20s"));
    }

    /** The owner of such a queue may change, so the broker always looks it up. */
    @Test
    void shouldGetAMessageOfAQueueWhoseOwnerIsNotCached() throws Exception {
        try (Client bob = connect("bob"); Client alice = connect("alice")) {
            bob.register(BROKERS.name("bob"));
            alice.register(BROKERS.name("alice"));
            int queue = bob.createQueue(BROKERS.name("letters") + ".dead");
            CompletableFuture<Optional<Message>> waiting = CompletableFuture.supplyAsync(
                    () -> alice.dequeueMessage(MessageQuery.queue(queue).waiting(30_000)));
            BROKERS.until("alice waits", () -> BROKERS.gauge(address, "waiting") == 1);

            bob.sendMessage(queue, new byte[] {1}, 5);

            assertThat(waiting.get(60, TimeUnit.SECONDS)).isPresent();
        }
    }

    @Test
    void shouldGetNoMessageOnceTheRightIsRevoked() throws Exception {
        try (Client bob = connect("bob"); Client carol = connect("carol")) {
            bob.register(BROKERS.name("bob"));
            carol.register(BROKERS.name("carol"));
            int queue = BROKERS.queue(bob);
            CompletableFuture<Optional<Message>> waiting = CompletableFuture.supplyAsync(
                    () -> carol.dequeueMessage(MessageQuery.queue(queue).waiting(30_000)));
            BROKERS.until("carol waits", () -> BROKERS.gauge(address, "waiting") == 1);
            new AccountScript(BROKERS.database().address()).execute("revoke receive on queue '%' from carol");
            BROKERS.until("the right is gone", () -> {
                try {
                    carol.peekMessage(MessageQuery.queue(queue));
                    return false;
                } catch (MlmqException.NotPermitted e) {
                    return true;
                }
            });

            bob.sendMessage(queue, new byte[] {1}, 5);

            assertThatThrownBy(() -> waiting.get(60, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(MlmqException.NotPermitted.class);
            assertThat(bob.dequeueMessage(MessageQuery.queue(queue))).isPresent();
        }
    }

    private static Client connect(String user) {
        return Client.connect(ClientConfig.builder()
                .brokers(BrokerAddress.parseList(address)).requestTimeoutMillis(PATIENT_MILLIS)
                .credentials(Credentials.of(user, PASSWORD)).build());
    }
}
