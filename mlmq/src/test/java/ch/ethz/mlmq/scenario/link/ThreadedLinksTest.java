package ch.ethz.mlmq.scenario.link;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.jvm.ClientJvm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ThreadedLinksTest {
    private static final int AT_ONCE = 5;

    /** The table holds the leases of one request at a time: the next one ends them. */
    @Test
    void shouldAcknowledgeATakeBeforeTheNextOneThatWaits() throws Exception {
        CountDownLatch submitted = new CountDownLatch(1);
        CountDownLatch connected = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(AT_ONCE);
        List<Long> taken = new ArrayList<>();
        try (ThreadedLinks links = new ThreadedLinks(new Table(submitted), Settings.of(ClientJvm.keys(),
                Map.of("common.scenario.mytype", "client")))) {
            Link link = links.open(new ClientId("Bob", 0, 0), connected::countDown);
            connected.await();
            for (int i = 0; i < AT_ONCE; i++) {
                link.submit(new Request.DequeueMessages(MessageQuery.queue(7), 10),
                        (tag, status, response, sentNanos, endNanos) -> {
                            ((Response.Deliveries) response).messages().forEach(message -> taken.add(message.id()));
                            over.countDown();
                        });
            }
            submitted.countDown();

            assertThat(over.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(taken).containsExactly(1L, 2L, 3L, 4L, 5L);
        }
    }

    @Test
    void shouldExecuteAsManyRequestsAtOnceAsThereAreSessions() throws Exception {
        CountDownLatch connected = new CountDownLatch(3);
        CountDownLatch over = new CountDownLatch(6);
        Meeting meeting = new Meeting(3);
        try (ThreadedLinks links = new ThreadedLinks(meeting, Settings.of(ClientJvm.keys(),
                Map.of("common.scenario.mytype", "client", "client.driver.sessions", "3")))) {
            Link link = links.open(new ClientId("Bob", 0, 0), connected::countDown);
            connected.await();
            assertThat(links.threadsPerLink()).isEqualTo(3);
            for (int i = 0; i < 6; i++) {
                link.submit(new Request.DequeueMessages(MessageQuery.queue(7), 10),
                        (tag, status, response, sentNanos, endNanos) -> {
                            assertThat(((Response.Deliveries) response).messages()).hasSize(1);
                            over.countDown();
                        });
            }

            assertThat(over.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Answers receipts when all sessions have one. Only the session of a receipt may acknowledge it. */
    private static final class Meeting implements BlockingSession.Source {
        private final CyclicBarrier all;
        private final AtomicLong sessions = new AtomicLong();

        private Meeting(int sessions) {
            this.all = new CyclicBarrier(sessions);
        }

        @Override
        public BlockingSession connect(ClientId id) {
            long me = sessions.incrementAndGet();
            return new BlockingSession() {
                @Override
                public Response execute(Request request) throws Exception {
                    if (request instanceof Request.AcknowledgeMessages ended) {
                        return new Response.LeaseStatuses(ended.leases().stream().map(lease ->
                                lease.token() == me ? Status.OK : Status.UNKNOWN_LEASE).toList());
                    }
                    all.await();
                    return new Response.Deliveries(List.of(new Message(1, 7, new Message.Envelope(1, 0, 5, 0, 0),
                            new Message.Delivery(1, me), new byte[1])));
                }

                @Override
                public void abort() {
                    // It never waits for a server.
                }

                @Override
                public void close() {
                    // There is nothing to close.
                }
            };
        }

        @Override
        public BlockingSession.Failure failure(Exception e) {
            return new BlockingSession.Failure(Status.CONNECTION_LOST, e.toString());
        }

        @Override
        public String target() {
            return "a meeting";
        }
    }

    /** Gives one message at a time, whose lease ends with the next request for messages. */
    private static final class Table implements BlockingSession.Source, BlockingSession {
        private final CountDownLatch submitted;
        private long received;

        private Table(CountDownLatch submitted) {
            this.submitted = submitted;
        }

        @Override
        public BlockingSession connect(ClientId id) {
            return this;
        }

        @Override
        public Response execute(Request request) throws InterruptedException {
            submitted.await();
            if (request instanceof Request.AcknowledgeMessages ended) {
                return new Response.LeaseStatuses(ended.leases().stream().map(Lease::token)
                        .map(token -> token == received ? Status.OK : Status.UNKNOWN_LEASE).toList());
            }
            received++;
            return new Response.Deliveries(List.of(new Message(received, 7, new Message.Envelope(1, 0, 5, 0, 0),
                    new Message.Delivery(1, received), new byte[1])));
        }

        @Override
        public Failure failure(Exception e) {
            return new Failure(Status.CONNECTION_LOST, e.toString());
        }

        @Override
        public String target() {
            return "a table";
        }

        @Override
        public void abort() {
            // It never waits for a server.
        }

        @Override
        public void close() {
            // There is nothing to close.
        }
    }
}
