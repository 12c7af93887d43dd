package ch.ethz.mlmq.driver.contract;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.jvm.ClientJvm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** The contract of receipts and acknowledgements, tested on a real server: each message is delivered at least once. */
@Timeout(400)
public abstract class LeaseContract {
    static final int LEASE_MILLIS = 1_000;
    private static final int ROUNDS = 20;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    static final String QUEUE = "queue1";

    private String prefix;

    /** @return the started server; one serves all tests of a class */
    protected abstract ServerUnderTest server();

    /**
     * @return the driver's own settings, without the prefix {@code client.driver.}; {@code client.driver} itself is ""
     */
    protected abstract Map<String, String> driver();

    /** @return false if every client may acknowledge a message that another one has received */
    protected boolean hasOwnersOfLeases() {
        return true;
    }

    @BeforeEach
    void nameQueues(TestInfo test) {
        prefix = "lease_" + Integer.toHexString(test.getDisplayName().hashCode());
    }

    /** Connects a client of the queues of this test. */
    TestClient client(int number) throws InterruptedException {
        Map<String, String> text = new HashMap<>(Map.of("common.scenario.mytype", "client",
                "common.scenario.mapping.client", "Worker#127.0.0.1", "client.clients", "2", "client.queues", "1",
                "client.timeout", "4s", "client.driver.address", server().address(), "client.driver.prefix", prefix));
        driver().forEach((key, value) -> text.put(key.isEmpty() ? "client.driver" : "client.driver." + key, value));
        return new TestClient(Settings.of(ClientJvm.keys(), text), number);
    }

    @Test
    protected void shouldDeliverAnUnacknowledgedMessageAgainWhenItsClientHasLeft() throws Exception {
        try (TestClient other = client(1)) {
            int queue = other.queue(QUEUE);
            other.send(queue, 1);
            byte[] content;
            try (TestClient first = client(0)) {
                content = awaited(first, queue).content();
            }

            Message again = awaited(other, queue);
            assertThat(again.content()).isEqualTo(content);
            assertThat(other.acknowledge(again)).isEqualTo(Status.OK);
        }
    }

    @Test
    protected void shouldNotDeliverAnAcknowledgedMessageAgain() throws Exception {
        int queue;
        try (TestClient first = client(0)) {
            queue = first.queue(QUEUE);
            first.send(queue, 1);
            assertThat(first.acknowledge(awaited(first, queue))).isEqualTo(Status.OK);
        }
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2 * LEASE_MILLIS);
        try (TestClient other = client(1)) {
            while (System.nanoTime() - end < 0) {
                assertThat(other.receive(queue, LEASE_MILLIS)).isNull();
            }
        }
    }

    @Test
    protected void shouldReceiveNothingFromAnEmptyQueue() throws Exception {
        try (TestClient client = client(0)) {
            int queue = client.queue(QUEUE);

            assertThat(client.receive(queue, LEASE_MILLIS)).isNull();
            assertThat(client.receive(queue, 10, LEASE_MILLIS)).isEmpty();
        }
    }

    @Test
    protected void shouldReceiveAndAcknowledgeBatchesOfAtMostTheWantedSize() throws Exception {
        try (TestClient client = client(0)) {
            int queue = client.queue(QUEUE);
            boolean severalAtOnce = false;
            // Messages that are pushed may come one by one now and then.
            for (int round = 0; round < ROUNDS && !severalAtOnce; round++) {
                client.send(queue, 10);
                Set<String> contents = new HashSet<>();
                while (contents.size() < 10) {
                    List<Message> batch = awaited(client, queue, 4);
                    assertThat(batch).hasSizeLessThanOrEqualTo(4);
                    severalAtOnce |= batch.size() > 1;
                    batch.forEach(message -> contents.add(Arrays.toString(message.content())));
                    assertThat(client.acknowledge(leases(batch))).hasSameSizeAs(batch).containsOnly(Status.OK);
                }
            }

            assertThat(severalAtOnce).as("a batch of more than one message").isTrue();
            assertThat(client.receive(queue, 10, LEASE_MILLIS)).isEmpty();
        }
    }

    @Test
    protected void shouldDeliverOnlyTheUnacknowledgedMessagesOfABatchAgain() throws Exception {
        try (TestClient other = client(1)) {
            int queue = other.queue(QUEUE);
            other.send(queue, 4);
            List<Message> batch = new ArrayList<>();
            try (TestClient client = client(0)) {
                while (batch.size() < 4) {
                    batch.addAll(awaited(client, queue, 4 - batch.size()));
                }
                assertThat(client.acknowledge(leases(batch.subList(2, 4)))).containsExactly(Status.OK, Status.OK);
            }

            Set<String> contents = new HashSet<>();
            while (contents.size() < 2) {
                Message message = awaited(other, queue);
                contents.add(Arrays.toString(message.content()));
                assertThat(other.acknowledge(message)).isEqualTo(Status.OK);
            }
            assertThat(contents).containsExactlyInAnyOrder(Arrays.toString(batch.get(0).content()),
                    Arrays.toString(batch.get(1).content()));
            assertThat(other.receive(queue, LEASE_MILLIS)).isNull();
        }
    }

    @Test
    protected void shouldKnowNoLeaseThatWasAcknowledgedBefore() throws Exception {
        try (TestClient client = client(0)) {
            int queue = client.queue(QUEUE);
            client.send(queue, 2);
            Message first = awaited(client, queue);
            assertThat(client.acknowledge(first)).isEqualTo(Status.OK);

            assertThat(client.acknowledge(first)).isEqualTo(Status.UNKNOWN_LEASE);
            Message second = awaited(client, queue);
            assertThat(client.acknowledge(List.of(first.lease(), second.lease(), second.lease())))
                    .containsExactly(Status.UNKNOWN_LEASE, Status.OK, Status.OK);
        }
    }

    @Test
    protected void shouldLetOnlyTheReceiverAcknowledgeIfLeasesHaveOwners() throws Exception {
        try (TestClient receiver = client(0); TestClient other = client(1)) {
            int queue = receiver.queue(QUEUE);
            receiver.send(queue, 1);
            Message message = awaited(receiver, queue);

            Status foreign = other.acknowledge(message);
            List<Status> own = receiver.acknowledge(List.of(message.lease()));

            assertThat(foreign).isEqualTo(hasOwnersOfLeases() ? Status.UNKNOWN_LEASE : Status.OK);
            assertThat(own).containsExactly(hasOwnersOfLeases() ? Status.OK : Status.UNKNOWN_LEASE);
        }
    }

    @Test
    protected void shouldStoreAMessageSentWhileAnotherIsUnacknowledged() throws Exception {
        try (TestClient other = client(1)) {
            int queue = other.queue(QUEUE);
            try (TestClient client = client(0)) {
                client.send(queue, 1);
                awaited(client, queue);
                client.send(queue, 1);
            }

            Set<String> contents = new HashSet<>();
            while (contents.size() < 2) {
                Message message = awaited(other, queue);
                contents.add(Arrays.toString(message.content()));
                assertThat(other.acknowledge(message)).isEqualTo(Status.OK);
            }
        }
    }

    /** Waits for a message; ActiveMQ may report none while it still reads (docs/reference/systems.md). */
    static Message awaited(TestClient client, int queue) throws Exception {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        Message message = client.receive(queue, LEASE_MILLIS);
        while (message == null) {
            assertThat(System.nanoTime()).as("deadline of a delivery").isLessThan(deadline);
            message = client.receive(queue, LEASE_MILLIS);
        }
        return message;
    }

    private static List<Message> awaited(TestClient client, int queue, int max) throws Exception {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        List<Message> messages = client.receive(queue, max, LEASE_MILLIS);
        while (messages.isEmpty()) {
            assertThat(System.nanoTime()).as("deadline of a delivery").isLessThan(deadline);
            messages = client.receive(queue, max, LEASE_MILLIS);
        }
        return messages;
    }

    private static List<Lease> leases(List<Message> messages) {
        return messages.stream().map(Message::lease).toList();
    }
}
