package ch.ethz.mlmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls for many leases: one request to a broker with bulk leases, one request for each lease to others. */
class BulkLeasesTest {
    private static final Message MESSAGE = new Message(12, 3, new Message.Envelope(1, 0, 5, 0, 1),
            new Message.Delivery(1, 77), new byte[] {1});
    private static final Message OTHER = new Message(13, 3, new Message.Envelope(1, 0, 5, 0, 1),
            new Message.Delivery(1, 78), new byte[] {1});
    private static final int LEASE_MILLIS = 30_000;

    private final ClientLoop loop = ClientLoop.start("client-test");
    private final List<StubBroker> brokers = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        loop.close();
        for (StubBroker broker : brokers) {
            broker.close();
        }
    }

    @Test
    void shouldSendOneRequestToABrokerWithBulkLeases() throws Exception {
        StubBroker broker = broker(Features.BULK_LEASES, (peer, id, request) -> peer.answer(id,
                request instanceof Request.OfLeases ? new Response.LeaseStatuses(List.of(Status.OK, Status.OK))
                        : new Response.Deliveries(List.of(MESSAGE, OTHER))));
        AsyncClient client = connect(broker, 1_000);
        List<Lease> leases = List.of(MESSAGE.lease(), OTHER.lease());

        assertThat(get(client.receiveMessages(MessageQuery.queue(3), 5, LEASE_MILLIS))).extracting(Message::lease)
                .containsExactlyElementsOf(leases);
        assertThat(get(client.acknowledgeMessages(leases))).containsExactly(Status.OK, Status.OK);
        assertThat(get(client.extendLeases(leases, LEASE_MILLIS))).hasSize(2);
        assertThat(get(client.releaseMessages(leases))).hasSize(2);

        assertThat(broker.received()).containsExactly(
                new Request.ReceiveMessages(MessageQuery.queue(3), 5, LEASE_MILLIS),
                new Request.AcknowledgeMessages(leases), new Request.ExtendLeases(leases, LEASE_MILLIS),
                new Request.ReleaseMessages(leases));
    }

    @Test
    void shouldReceiveOneMessageFromABrokerWithoutBulkLeases() throws Exception {
        StubBroker broker = broker(0, (peer, id, request) -> peer.answer(id, new Response.Delivery(MESSAGE)));
        AsyncClient client = connect(broker, 1_000);

        assertThat(get(client.receiveMessages(MessageQuery.queue(3).waiting(100), 5, LEASE_MILLIS)))
                .extracting(Message::id).containsExactly(12L);
        broker.follow((peer, id, request) -> peer.answer(id, Response.Delivery.NONE));
        assertThat(get(client.receiveMessages(MessageQuery.queue(3), 5, LEASE_MILLIS))).isEmpty();

        assertThat(broker.received()).containsExactly(
                new Request.ReceiveMessage(MessageQuery.queue(3).waiting(100), LEASE_MILLIS),
                new Request.ReceiveMessage(MessageQuery.queue(3), LEASE_MILLIS));
    }

    @Test
    void shouldSendARequestForEachLeaseToABrokerWithoutBulkLeases() throws Exception {
        Set<Long> held = ConcurrentHashMap.newKeySet();
        LongStream.rangeClosed(1, 1_000).filter(id -> id % 3 != 0).forEach(held::add);
        StubBroker broker = broker(0, (peer, id, request) -> {
            long message = ((Request.Acknowledge) request).message();
            peer.answer(id, held.remove(message) ? Response.Done.INSTANCE
                    : new Response.Failure(Status.UNKNOWN_LEASE, "it is not leased"));
        });
        AsyncClient client = connect(broker, 3);
        List<Lease> leases = LongStream.rangeClosed(1, 1_000).mapToObj(id -> new Lease(id, id)).toList();

        List<Status> statuses = get(client.acknowledgeMessages(leases));

        assertThat(statuses).hasSize(1_000);
        for (int i = 0; i < statuses.size(); i++) {
            assertThat(statuses.get(i)).isEqualTo((i + 1) % 3 != 0 ? Status.OK : Status.UNKNOWN_LEASE);
        }
        assertThat(broker.received()).extracting(request -> ((Request.Acknowledge) request).message())
                .containsExactlyElementsOf(leases.stream().map(Lease::message).toList());
    }

    @Test
    void shouldUseADuplicateLeaseOnceWithABrokerWithoutBulkLeases() throws Exception {
        StubBroker broker = broker(0, (peer, id, request) -> peer.answer(id, Response.Done.INSTANCE));
        AsyncClient client = connect(broker, 1_000);
        List<Lease> leases = List.of(MESSAGE.lease(), OTHER.lease(), MESSAGE.lease());

        assertThat(get(client.extendLeases(leases, LEASE_MILLIS)))
                .containsExactly(Status.OK, Status.OK, Status.UNKNOWN_LEASE);
        assertThat(get(client.releaseMessages(leases))).containsExactly(Status.OK, Status.OK, Status.UNKNOWN_LEASE);

        assertThat(broker.received()).containsExactly(new Request.Extend(12, 77, LEASE_MILLIS),
                new Request.Extend(13, 78, LEASE_MILLIS), new Request.Release(12, 77), new Request.Release(13, 78));
    }

    @Test
    void shouldFailWhenTheRequestForOneLeaseFails() throws Exception {
        StubBroker broker = broker(0, (peer, id, request) -> peer.answer(id, request.equals(new Request.Release(13, 78))
                ? new Response.Failure(Status.BROKER_ERROR, "the database is away") : Response.Done.INSTANCE));
        AsyncClient client = connect(broker, 1_000);

        CompletableFuture<List<Status>> released = client.releaseMessages(List.of(MESSAGE.lease(), OTHER.lease()));

        assertThatThrownBy(() -> get(released)).isInstanceOf(MlmqException.BrokerError.class)
                .hasMessage("the database is away");
    }

    /** OVERLOADED says that nothing was executed; a caller that repeats the request would find no lease. */
    @Test
    void shouldNotReportOverloadedWhenSomeLeasesMayBeSettled() throws Exception {
        for (Status refusal : List.of(Status.OVERLOADED, Status.BROKER_STOPPING)) {
            StubBroker broker = broker(0, (peer, id, request) -> peer.answer(id,
                    request.equals(new Request.Acknowledge(13, 78))
                            ? new Response.Failure(refusal, "not now") : Response.Done.INSTANCE));
            AsyncClient client = connect(broker, 1_000);

            CompletableFuture<List<Status>> both = client.acknowledgeMessages(List.of(MESSAGE.lease(), OTHER.lease()));
            CompletableFuture<List<Status>> one = client.acknowledgeMessages(List.of(OTHER.lease()));

            assertThatThrownBy(() -> get(both)).isInstanceOf(MlmqException.BrokerError.class).hasMessage("not now");
            assertThatThrownBy(() -> get(one)).as("nothing was").isInstanceOf(MlmqException.class)
                    .extracting(failure -> ((MlmqException) failure).status()).isEqualTo(refusal);
        }
    }

    @Test
    void shouldRefuseCountsOutOfRangeWithAnyBroker() throws Exception {
        StubBroker broker = broker(0, StubBroker::answerAll);
        AsyncClient client = connect(broker, 1_000);

        for (CompletableFuture<?> refused : List.of(client.receiveMessages(MessageQuery.any(), 1_001, 1),
                client.acknowledgeMessages(List.of()), client.releaseMessages(List.of(new Lease(1, 0))))) {
            assertThatThrownBy(() -> get(refused)).isInstanceOf(MlmqException.InvalidRequest.class);
        }
        assertThat(broker.received()).isEmpty();
    }

    @Test
    void shouldNotSendAnUnknownFrameToAnOldBroker() throws Exception {
        StubBroker broker = broker(0, StubBroker::answerAll);
        AsyncClient client = connect(broker, 1_000);

        assertThat(client.submit(new Request.ReleaseMessages(List.of(MESSAGE.lease())), 0,
                (tag, status, response, sent, end) -> { })).isEqualTo(Status.INVALID_REQUEST);
        assertThat(broker.received()).isEmpty();
    }

    @Test
    void shouldFailWithoutAConnection() throws Exception {
        StubBroker broker = broker(0, StubBroker::answerAll);
        AsyncClient client = connect(broker, 1_000);
        get(client.close());

        assertThatThrownBy(() -> get(client.acknowledgeMessages(List.of(MESSAGE.lease()))))
                .isInstanceOf(MlmqException.NotConnected.class);
    }

    @Test
    void shouldReleaseLateMessagesOfABrokerWithoutCancellation() throws Exception {
        CompletableFuture<Runnable> late = new CompletableFuture<>();
        StubBroker broker = broker(Features.BULK_LEASES, (peer, id, request) -> {
            if (request instanceof Request.ReceiveMessages) {
                late.complete(() -> peer.answer(id, new Response.Deliveries(List.of(MESSAGE, OTHER))));
            }
        });
        AsyncClient client = connect(broker, 1_000);
        CompletableFuture<List<Message>> received = client.receiveMessages(MessageQuery.any(), 2, LEASE_MILLIS);
        Runnable answer = late.get(30, TimeUnit.SECONDS);

        received.cancel(true);
        answer.run();

        Await.until("both are given back", () -> broker.received().contains(
                new Request.ReleaseMessages(List.of(MESSAGE.lease(), OTHER.lease()))));
        assertThat(client.droppedMessages()).isZero();
    }

    private StubBroker broker(long features, StubBroker.Script script) throws Exception {
        StubBroker broker = new StubBroker(script);
        broker.grant(features);
        brokers.add(broker);
        return broker;
    }

    private AsyncClient connect(StubBroker broker, int inFlightMax) throws Exception {
        AsyncClient client = AsyncClient.open(loop, ClientConfig.builder().backoffMillis(1, 10)
                .requestTimeoutMillis(20_000).inflightMax(inFlightMax)
                .brokers(BrokerAddress.parseList(broker.address())).build());
        get(client.whenConnected());
        return client;
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        try {
            return future.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }
}
