package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.MessageQuery;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests a request queue with room for one request, before one worker that takes one at a time. */
class SheddingTest {
    private static final int REQUESTS = 500;

    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    @Test
    void shouldRefuseWhatDoesNotFitIntoTheRequestQueue() throws Exception {
        Outcome outcome = sendAtOnce("refuse");

        assertThat(outcome.refused).as("overloaded").isPositive();
        assertThat(outcome.stored).as("stored").isPositive();
        assertThat(outcome.silent).as("unanswered").isZero();
        assertThat(outcome.found).as("messages in the queue").isEqualTo(outcome.stored);
    }

    @Test
    void shouldForgetItWhereTheBrokerIsToDropItSilently() throws Exception {
        Outcome outcome = sendAtOnce("drop");

        assertThat(outcome.silent).as("unanswered").isPositive();
        assertThat(outcome.stored).as("stored").isPositive();
        assertThat(outcome.refused).as("overloaded").isZero();
        assertThat(outcome.found).as("messages in the queue").isEqualTo(outcome.stored);
    }

    @Test
    void shouldRefuseRequestsThatHaveWaitedTooLongForAWorker() throws Exception {
        String address = BROKERS.start(StorageKind.POSTGRESQL, Map.of("broker.workers", "1", "broker.batch.max", "1",
                "broker.db.timeout", "1s"));
        AsyncClient client = BROKERS.asyncAt(address, 60_000);
        client.register(BROKERS.name("alice")).get(30, TimeUnit.SECONDS);
        int queue = client.createQueue(BROKERS.name("jobs")).get(30, TimeUnit.SECONDS);
        CompletableFuture<Void> first;
        List<CompletableFuture<Void>> later = new ArrayList<>();

        try (Connection other = BROKERS.database().address().connect(); Statement lock = other.createStatement()) {
            other.setAutoCommit(false);
            lock.execute("LOCK TABLE message");
            first = client.sendMessage(queue, new byte[] {1});
            for (int i = 0; i < 5; i++) {
                later.add(client.sendMessage(queue, new byte[] {1}));
            }
            assertThatThrownBy(() -> first.get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(MlmqException.BrokerError.class);
            assertThatThrownBy(() -> later.get(4).get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(MlmqException.Overloaded.class).hasMessageContaining("waited");
        }

        client.sendMessage(queue, new byte[] {2}).get(30, TimeUnit.SECONDS);
        assertThat(client.dequeueMessages(MessageQuery.queue(queue), 10).get(30, TimeUnit.SECONDS)).hasSize(1);
    }

    private static Outcome sendAtOnce(String shedding) throws Exception {
        String address = BROKERS.start(StorageKind.POSTGRESQL, Map.of("broker.requestqueue.size", "1",
                "broker.workers", "1", "broker.batch.max", "1", "broker.shedding", shedding));
        AsyncClient client = BROKERS.asyncAt(address, 3_000);
        client.register(BROKERS.name("alice")).get(30, TimeUnit.SECONDS);
        int queue = client.createQueue(BROKERS.name("jobs")).get(30, TimeUnit.SECONDS);
        List<CompletableFuture<Void>> sends = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            sends.add(client.sendMessage(queue, new byte[] {1}, 5));
        }
        Outcome outcome = new Outcome();
        for (CompletableFuture<Void> send : sends) {
            try {
                send.get(30, TimeUnit.SECONDS);
                outcome.stored++;
            } catch (ExecutionException e) {
                if (e.getCause() instanceof MlmqException.Overloaded) {
                    outcome.refused++;
                } else if (e.getCause() instanceof MlmqException.Timeout) {
                    outcome.silent++;
                } else {
                    throw e;
                }
            }
        }
        outcome.found = client.dequeueMessages(MessageQuery.queue(queue), 1_000).get(30, TimeUnit.SECONDS).size();
        return outcome;
    }

    private static final class Outcome {
        private int stored;
        private int refused;
        private int silent;
        private int found;
    }
}
