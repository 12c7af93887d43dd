package ch.ethz.mlmq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.broker.status.BrokerState;
import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientLoop;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.wire.RequestCodec;
import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests a broker that stops while many requests are in flight. */
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

    @Test
    void shouldWriteLengthsOfQueuesWithRequeuedMessagesWhileStopping() throws Exception {
        Map<String, String> settings = new HashMap<>();
        settings.put("broker.shutdown.timeout", "500ms");
        try (TestDatabase database = new TestDatabase(); SocketChannel slow = SocketChannel.open()) {
            settings.putAll(database.settings());
            Broker broker = TestBroker.start(settings);
            int queue;
            try (Client alice = TestBroker.client(broker.port(), "alice")) {
                queue = alice.createQueue("jobs");
            }
            database.execute("INSERT INTO message (queue_id, sender_id, prio, sent_ms, content) "
                    + "SELECT " + queue + ", 1, 1, 0, repeat('x', 2000)::bytea FROM generate_series(1, 5000)");
            database.execute("UPDATE queue_length SET messages = 5000 WHERE queue_id = " + queue);
            slow.setOption(StandardSocketOptions.SO_RCVBUF, 10_000);
            slow.connect(new InetSocketAddress("127.0.0.1", broker.port()));
            ByteBuffer out = ByteBuffer.allocate(1 << 20);
            RequestCodec.encode(new Request.Register("slow"), 1, out);
            for (int i = 0; i < 5_000; i++) {
                RequestCodec.encode(new Request.DequeueMessage(MessageQuery.queue(queue)), i + 2, out);
            }
            slow.write(out.flip());
            TestBroker.until("answers are not read", () -> TestBroker.gauge(broker, "buffers") > 10);
            long[] left = {-1};
            TestBroker.until("no more are taken", () -> {
                long before = left[0];
                left[0] = database.number("SELECT count(*) FROM message");
                return left[0] == before && TestBroker.gauge(broker, "queue") == 0;
            });

            broker.close();

            assertThat(database.number("SELECT count(*) FROM message")).isGreaterThan(left[0]);
            assertThat(database.number("SELECT messages FROM queue_length WHERE queue_id = " + queue))
                    .isEqualTo(database.number("SELECT count(*) FROM message"));
        }
    }

    /**
     * A request that is not executed must get a response that says so, and every promised response must come before the
     * connection closes.
     */
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
