package ch.ethz.mlmq.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientLoop;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests transactions whose commit fails after all statements have succeeded. */
class FailedCommitTest {
    private static final String REFUSE_COMMITS = "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS "
            + "$$ BEGIN RAISE EXCEPTION 'no commit'; END $$; "
            + "CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON client DEFERRABLE INITIALLY DEFERRED "
            + "FOR EACH ROW EXECUTE FUNCTION refuse()";

    @Test
    void shouldExecuteABatchOnceIfARegistrationIsNotCommitted() throws Exception {
        try (TestDatabase database = new TestDatabase(); Broker broker = TestBroker.start(oneWorker(database));
                ClientLoop loop = ClientLoop.start("clients"); Client alice = TestBroker.client(broker.port(),
                        "alice")) {
            int queue = alice.createQueue("jobs");
            AsyncClient bob = AsyncClient.open(loop, TestBroker.config(broker.port()));
            bob.whenConnected().get(30, TimeUnit.SECONDS);
            database.execute(REFUSE_COMMITS);

            CompletableFuture<?> registration = bob.register("bob");
            for (int i = 0; i < 10; i++) {
                alice.sendMessage(queue, new byte[] {(byte) i}, 5);
            }

            assertThatThrownBy(() -> registration.get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(MlmqException.BrokerError.class);
            assertThat(database.number("SELECT count(*) FROM message")).isEqualTo(10);
            database.execute("DROP TRIGGER refuse ON client");
            assertThat(bob.register("bob").get(30, TimeUnit.SECONDS).client()).isPositive();
        }
    }

    private static Map<String, String> oneWorker(TestDatabase database) {
        Map<String, String> settings = new HashMap<>(database.settings());
        settings.put("broker.workers", "1");
        return settings;
    }
}
