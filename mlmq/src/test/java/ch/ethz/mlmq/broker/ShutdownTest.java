package ch.ethz.mlmq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.ClientLoop;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.db.TestDatabase;
import ch.ethz.mlmq.protocol.MessageQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A broker that is told to stop while much is under way. */
class ShutdownTest {
    private static final int REQUESTS = 5_000;

    @Test
    void shouldAnswerWhatIsQueuedAndAcknowledgeOnlyWhatIsStored() throws Exception {
        try (TestDatabase database = new TestDatabase(); ClientLoop loop = ClientLoop.start("clients")) {
            Broker broker = TestBroker.start(database.settings());
            AsyncClient client = TestBroker.async(loop, broker.port(), "alice");
            int queue = client.createQueue("jobs").get(30, TimeUnit.SECONDS);
            List<CompletableFuture<Void>> sends = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                sends.add(client.sendMessage(queue, new byte[10], 5));
            }
            CompletableFuture<?> waiting = client.dequeueMessage(
                    MessageQuery.any().withContext(99).waiting(60_000)).handle((message, e) -> e);
            sends.get(0).get(30, TimeUnit.SECONDS);

            broker.close();

            assertThat(broker.state()).isEqualTo(BrokerState.STOPPED);
            long acknowledged = 0;
            for (CompletableFuture<Void> send : sends) {
                acknowledged += acknowledged(send) ? 1 : 0;
            }
            assertThat(acknowledged).isPositive();
            assertThat(database.number("SELECT count(*) FROM message")).isEqualTo(acknowledged);
            assertThat(database.number("SELECT messages FROM queue_length WHERE queue_id = " + queue))
                    .isEqualTo(acknowledged);
            assertThat(database.number("SELECT count(*) FROM client WHERE broker_id IS NOT NULL")).isZero();
            assertThat(database.number("SELECT count(*) FROM broker")).isZero();
            assertThat(waiting.get(30, TimeUnit.SECONDS)).isInstanceOfAny(MlmqException.BrokerStopping.class,
                    MlmqException.ConnectionLost.class);
        }
    }

    /** Not executed is told as such; every answer that was promised has come before the connection closed. */
    private static boolean acknowledged(CompletableFuture<Void> send) {
        try {
            send.orTimeout(30, TimeUnit.SECONDS).join();
            return true;
        } catch (CompletionException e) {
            assertThat(e.getCause()).isInstanceOfAny(MlmqException.BrokerStopping.class,
                    MlmqException.ConnectionLost.class, MlmqException.NotConnected.class);
            return false;
        }
    }
}
