package ch.ethz.mlmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.wire.PlainLink;
import ch.ethz.mlmq.protocol.wire.RequestCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PendingTest {
    private static final Request DEQUEUE = new Request.DequeueMessage(MessageQuery.any());
    private static final Request PEEK = new Request.PeekMessage(MessageQuery.any());
    private static final Request ECHO = new Request.Echo(new byte[10]);
    private static final Response DELIVERY = new Response.Delivery(
            new Message(1, 2, new Message.Envelope(3, 0, 5, 0, 0), new Message.Delivery(1), new byte[10]));
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final Wire wire;
    private final DropCounts drops = new DropCounts();
    private final Pending pending;
    private final List<Status> endings = new ArrayList<>();

    PendingTest() throws Exception {
        wire = new Wire();
        ClientConfig config =
                ClientConfig.builder().brokers(BrokerAddress.parseList("localhost:1")).inflightMax(3).build();
        Outbound outbound = new Outbound(new PlainLink(wire.client), wire.key, config.maxPayloadBytes());
        pending = new Pending(config, 0, outbound, drops, id -> { });
    }

    @AfterEach
    void close() throws Exception {
        wire.close();
    }

    @Test
    void shouldHaveTheBrokerPutBackWhatIsGivenUpWhereItCan() throws Exception {
        add(DEQUEUE);
        add(DEQUEUE);
        assertThat(pending.giveUp(1)).isFalse();
        pending.brokerCancels(true);

        assertThat(pending.giveUp(2)).isTrue();

        pending.write();
        assertThat(wire.next().id()).isEqualTo(1);
        assertThat(wire.next().id()).isEqualTo(2);
        assertThat(wire.next()).isEqualTo(new Wire.Sent(3, new Request.Cancel(2)));
        assertThat(pending.inFlight()).isZero();
    }

    @Test
    void shouldConfirmADeliveryWithTheNextRequest() throws Exception {
        pending.brokerCancels(true);
        add(DEQUEUE);

        assertThat(pending.answered(1, DELIVERY, 80, System.nanoTime())).isFalse();
        add(ECHO);

        pending.write();
        assertThat(endings).containsExactly(Status.OK);
        assertThat(wire.next().id()).isEqualTo(1);
        assertThat(wire.next()).isEqualTo(new Wire.Sent(1, new Request.Received()));
        assertThat(wire.next().id()).isEqualTo(2);
    }

    @Test
    void shouldTellAtTheEndOfWhichRequestsNobodyHasGotTheMessages() {
        pending.brokerCancels(true);
        add(DEQUEUE);
        add(DEQUEUE);
        add(PEEK);
        pending.giveUp(1);

        Pending.Rest rest = pending.end();

        assertThat(rest.unanswered()).containsExactly(1, 2);
        assertThat(rest.waiting()).extracting(InFlightTable.Entry::id).containsExactlyInAnyOrder(2, 3);
        assertThat(pending.end()).isNull();
        assertThat(add(ECHO)).isEqualTo(Status.NOT_CONNECTED);
    }

    @Test
    void shouldCountTheMessageOfACancelThatTheBrokerDoesNotKnow() {
        pending.brokerCancels(true);
        add(DEQUEUE);
        add(DEQUEUE);
        pending.giveUp(1);
        pending.giveUp(2);

        pending.answered(3, Response.Done.INSTANCE, 12, System.nanoTime());
        pending.answered(4, new Response.Failure(Status.INVALID_REQUEST, "it is not known"), 40, System.nanoTime());

        assertThat(drops.droppedMessages()).isEqualTo(1);
        assertThat(pending.end().unanswered()).isEmpty();
    }

    @Test
    void shouldTakeNoMoreThanItHasRoomForAndKnowTheFirstDeadline() throws Exception {
        assertThat(pending.write()).isEqualTo(Connection.Alarm.NEVER);
        long before = System.nanoTime();
        add(ECHO);
        pending.add(ECHO, RequestCodec.frameBytes(ECHO), 0, 0, this::ended);
        add(ECHO);
        assertThat(add(ECHO)).isEqualTo(Status.TOO_MANY_IN_FLIGHT);

        assertThat(pending.write() - before).isBetween(0L, MINUTE - 1);
        assertThat(pending.giveUpOverdue(System.nanoTime())).extracting(InFlightTable.Entry::id).containsExactly(2);
        assertThat(pending.write() - before).isGreaterThanOrEqualTo(MINUTE);
    }

    private Status add(Request request) {
        return pending.add(request, RequestCodec.frameBytes(request), MINUTE, 0, this::ended);
    }

    private void ended(long tag, Status status, Response response, long sentNanos, long endNanos) {
        endings.add(status);
    }
}
