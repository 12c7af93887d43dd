package ch.ethz.mlmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Consumers whose listeners or requests fail. */
class QueueConsumerTest {
    private static final int LEASE_MILLIS = 30_000;

    private final ClientLoop loop = ClientLoop.start("client-test");
    private final BlockingQueue<Integer> receives = new LinkedBlockingQueue<>();
    private final List<Message> received = new CopyOnWriteArrayList<>();
    private StubBroker broker;
    private AsyncClient client;
    private volatile StubBroker.Peer peer;

    @BeforeEach
    void start() throws Exception {
        broker = new StubBroker((from, id, request) -> {
            peer = from;
            if (request instanceof Request.ReceiveMessages) {
                receives.add(id);
            } else {
                StubBroker.answerAll(from, id, request);
            }
        });
        broker.grant(Features.BULK_LEASES | Features.CANCEL);
        client = AsyncClient.open(loop, ClientConfig.of(broker.address()));
        client.whenConnected().get(30, TimeUnit.SECONDS);
    }

    @AfterEach
    void stop() throws Exception {
        loop.close();
        broker.close();
    }

    @Test
    void shouldGoOnIfItsListenerFailsInAnyWay() throws Exception {
        QueueConsumer.start(client, MessageQuery.queue(3), 2, LEASE_MILLIS, message -> {
            received.add(message);
            if (message.id() == 1) {
                throw new NoSuchMethodError("of another version of a library");
            }
        });
        assertThat(receives.poll(30, TimeUnit.SECONDS)).isNotNull();
        int second = receives.poll(30, TimeUnit.SECONDS);

        peer.answer(second, new Response.Deliveries(List.of(message(1), message(2))));

        Await.until("the other message has come", () -> received.size() == 2);
        Await.until("the first one is released", () -> broker.received().contains(new Request.Release(1, 101)));
    }

    @Test
    void shouldAskForNothingMoreOnceItHasEnded() throws Exception {
        CompletableFuture<MlmqException> ended = new CompletableFuture<>();
        QueueConsumer.start(client, MessageQuery.queue(3), 2, LEASE_MILLIS, new QueueConsumer.Listener() {
            @Override
            public void received(Message message) {
                received.add(message);
            }

            @Override
            public void ended(MlmqException why) {
                ended.complete(why);
            }
        });
        int first = receives.poll(30, TimeUnit.SECONDS);
        int second = receives.poll(30, TimeUnit.SECONDS);

        peer.answer(first, new Response.Failure(Status.NOT_PERMITTED, "no"));

        assertThat(ended.get(30, TimeUnit.SECONDS)).hasMessageContaining("no");
        Await.until("the other request is given up", () -> broker.received().contains(new Request.Cancel(second)));
    }

    @Test
    void shouldCallItsListenerOnTheLoopsThreadAlone() throws Exception {
        AtomicLong ids = new AtomicLong();
        broker.follow((from, id, request) -> {
            if (request instanceof Request.ReceiveMessages) {
                from.answer(id, new Response.Deliveries(List.of(message(ids.incrementAndGet()))));
            } else if (request instanceof Request.OfLeases leases) {
                from.answer(id, new Response.LeaseStatuses(leases.leases().stream().map(one -> Status.OK).toList()));
            }
        });
        BlockingQueue<Message> come = new LinkedBlockingQueue<>();
        Set<String> threads = ConcurrentHashMap.newKeySet();
        try (QueueConsumer consumer = QueueConsumer.start(client, MessageQuery.queue(3), 2, LEASE_MILLIS, message -> {
            threads.add(Thread.currentThread().getName());
            come.add(message);
        })) {
            for (int i = 0; i < 20_000; i++) {
                consumer.acknowledge(come.poll(30, TimeUnit.SECONDS));
            }
        }
        assertThat(threads).hasSize(1);
    }

    private static Message message(long id) {
        return new Message(id, 3, new Message.Envelope(1, 0, 5, 0, 1), new Message.Delivery(1, id + 100),
                new byte[] {1});
    }
}
