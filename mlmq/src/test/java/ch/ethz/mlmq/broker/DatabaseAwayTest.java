package ch.ethz.mlmq.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.campaign.PrivateCluster;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.storage.StorageException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests that a broker survives an outage of its database. */
class DatabaseAwayTest {
    private static PrivateCluster cluster;

    @BeforeAll
    static void start() {
        cluster = PrivateCluster.start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void shouldAnswerBrokerErrorUntilItIsBackAndLoseNothing() throws Exception {
        try (Broker broker = TestBroker.start(settings()); Client client = TestBroker.client(broker.port(), "alice")) {
            int queue = client.createQueue("jobs");
            client.sendMessage(queue, new byte[] {7}, 5);

            cluster.stop();
            assertThatThrownBy(() -> client.sendMessage(queue, new byte[] {8}, 5))
                    .isInstanceOf(MlmqException.BrokerError.class).hasMessageContaining("log has the reason")
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("jdbc:").doesNotContain("127.0.0.1")
                            .doesNotContain(cluster.address().user()));
            TestBroker.until("the status says so", () -> client.brokerStatus().contains("\"database\":\"away\""));
            assertThat(client.echo(new byte[] {1})).containsExactly(1);
            cluster.restart();
            TestBroker.until("the broker has recovered", () -> succeeds(() -> client.lookupQueue("jobs")));
            TestBroker.until("the status says so", () -> client.brokerStatus().contains("\"database\":\"ok\""));

            assertThat(client.dequeueMessage(MessageQuery.queue(queue))).map(Message::content)
                    .hasValueSatisfying(content -> assertThat(content).containsExactly(7));
            assertThat(client.dequeueMessage(MessageQuery.queue(queue))).isEmpty();
        }
    }

    @Test
    void shouldForgetWhoLeftWhileItWasAway() throws Exception {
        try (Broker broker = TestBroker.start(settings())) {
            Client leaving = TestBroker.client(broker.port(), "bob");
            cluster.stop();
            leaving.close();
            cluster.restart();

            try (Broker other = TestBroker.start(settings()); Client again =
                    Client.connect(TestBroker.config(other.port()))) {
                TestBroker.until("bob can come back", () -> succeeds(() -> again.register("bob")));
            }
        }
    }

    @Test
    void shouldNotStartWithoutItAndSayWhyWithoutThePassword() {
        Map<String, String> settings = Map.of("broker.db.url", "jdbc:postgresql://127.0.0.1:1/mlmq",
                "broker.db.user", "mlmq", "broker.db.password", "s3cret");

        assertThatThrownBy(() -> TestBroker.start(settings)).isInstanceOf(StorageException.class)
                .hasMessageStartingWith("cannot use the database jdbc:postgresql://127.0.0.1:1/mlmq as mlmq: ")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("s3cret").doesNotContain("\n"));
    }

    private static Map<String, String> settings() {
        return Map.of("broker.db.url", cluster.address().url(), "broker.db.user", cluster.address().user(),
                "broker.db.timeout", "2s");
    }

    private static boolean succeeds(Runnable request) {
        try {
            request.run();
            return true;
        } catch (MlmqException e) {
            return false;
        }
    }
}
