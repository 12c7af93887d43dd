package ch.ethz.mlmq.broker.request;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestQueueTest {
    private static final Request ECHO = new Request.Echo(new byte[0]);
    private static final Request BY_SENDER = new Request.PeekMessage(MessageQuery.any().from(7));

    private final RequestQueue queue = new RequestQueue(4, 1_000, 3, 100);
    private final RequestQueue large = new RequestQueue(80, 1_000, 3, 100);
    private final ClientConnection alice = connection();
    private final ClientConnection bob = connection();
    private final List<Exchange> refused = new ArrayList<>();

    @Test
    void shouldRefuseWhatFindsItFull() {
        queue.offer(List.of(echo(alice), echo(alice), echo(bob), echo(bob), echo(bob)), refused);

        assertThat(refused).hasSize(1);
        assertThat(queue.size()).isEqualTo(4);
    }

    @Test
    void shouldRefuseWhatHoldsOnToTooMuch() {
        queue.offer(List.of(exchange(alice, ECHO, 900), exchange(alice, ECHO, 200)), refused);

        assertThat(refused).hasSize(1);
    }

    @Test
    void shouldTakeAtMostABatchInOrder() throws Exception {
        Exchange first = echo(alice);
        Exchange second = echo(alice);
        Exchange third = echo(bob);
        queue.offer(List.of(first, third, second, echo(bob)), refused);

        assertThat(take().exchanges).containsExactly(first, second, third);
    }

    @Test
    void shouldGiveAConnectionToOneWorkerAtATime() throws Exception {
        queue.offer(List.of(echo(alice)), refused);
        RequestBatch batch = take();
        Exchange next = echo(alice);
        queue.offer(List.of(next), refused);

        assertThat(take().exchanges).isEmpty();
        assertThat(queue.isIdle()).isFalse();
        queue.done(batch.connections);
        assertThat(take().exchanges).containsExactly(next);
    }

    @Test
    void shouldLetAWaitingRequestJoinABatchUnlessItsConnectionIsBusy() throws Exception {
        queue.offer(List.of(echo(alice)), refused);
        RequestBatch batch = take();

        assertThat(queue.join(batch, echo(alice))).as("a worker has requests of its connection").isFalse();
        Exchange waited = echo(bob);
        assertThat(queue.join(batch, waited)).isTrue();
        assertThat(batch.exchanges).contains(waited);
        Exchange next = echo(bob);
        queue.offer(List.of(next), refused);
        assertThat(take().exchanges).isEmpty();
        queue.done(batch.connections);
        assertThat(take().exchanges).containsExactly(next);
    }

    @Test
    void shouldLetNoWaitingRequestJoinAFullBatch() throws Exception {
        queue.offer(List.of(echo(alice), echo(alice), echo(alice)), refused);
        assertThat(queue.join(take(), echo(bob))).isFalse();
        large.offer(List.of(exchange(connection(), ECHO, 60)), refused);
        RequestBatch batch = take(large);

        assertThat(large.join(batch, exchange(bob, ECHO, 41))).as("too many bytes").isFalse();
        assertThat(large.join(batch, exchange(bob, ECHO, 40))).isTrue();
    }

    /** A context finds by its index, and many messages may have it; a filter then looks at each of them. */
    @Test
    void shouldTakeAFilterApartEvenIfItsQueryNamesAContext() throws Exception {
        Exchange byContext = exchange(alice, new Request.PeekMessage(MessageQuery.response(7)), 1);
        Exchange slow = exchange(bob, new Request.PeekMessage(MessageQuery.response(7).matching("id = 1")), 1);
        large.offer(List.of(byContext, slow), refused);

        assertThat(take(large).exchanges).containsExactly(byContext);
        assertThat(takeApart(large).exchanges).containsExactly(slow);
    }

    @Test
    void shouldTakeWhatMayTakeLongApartAndInOrder() throws Exception {
        Exchange before = echo(alice);
        Exchange slow = exchange(alice, BY_SENDER, 1);
        Exchange behind = echo(alice);
        Exchange other = echo(bob);
        large.offer(List.of(before, slow, behind, other), refused);

        RequestBatch batch = take(large);
        assertThat(batch.exchanges).containsExactly(before, other);
        assertThat(takeApart(large).exchanges).isEmpty();
        large.done(batch.connections);
        assertThat(take(large).exchanges).isEmpty();
        RequestBatch apart = takeApart(large);
        assertThat(apart.exchanges).containsExactly(slow);
        large.doneApart(Route.SEARCHES, apart.connections);
        assertThat(take(large).exchanges).containsExactly(behind);
    }

    @Test
    void shouldNotKeepQueuesFromBeingMadeByWhatIsSearched() throws Exception {
        for (int i = 0; i < 20; i++) {
            large.offer(List.of(exchange(connection(), BY_SENDER, 1)), refused);
        }
        refused.clear();
        Exchange create = exchange(bob, new Request.CreateQueue("jobs"), 1);
        large.offer(List.of(create), refused);

        assertThat(refused).isEmpty();
        RequestBatch batch = new RequestBatch();
        large.takeApart(Route.QUEUES, batch, 0);
        assertThat(batch.exchanges).containsExactly(create);
    }

    @Test
    void shouldLeaveMostOfItsRoomToRequestsThatDoNotWaitForSlowOnes() {
        for (int i = 0; i < 20; i++) {
            ClientConnection connection = connection();
            large.offer(List.of(exchange(connection, BY_SENDER, 1), echo(connection)), refused);
        }
        assertThat(large.size()).as("ten that go apart, or behind such, and those of the others").isEqualTo(10 + 14);
        assertThat(refused).hasSize(16);
        assertThat(((Response.Failure) refused.get(0).response()).status()).isEqualTo(Status.OVERLOADED);

        refused.clear();
        for (int i = 0; i < 80 - 24; i++) {
            large.offer(List.of(echo(connection())), refused);
        }
        assertThat(refused).isEmpty();
    }

    /**
     * One connection sends more slow requests than there is room for; another one must find room for its first request.
     */
    @Test
    void shouldLeaveRoomAmongSlowRequestsForAFirstOneOfAnother() {
        large.offer(Collections.nCopies(40, exchange(alice, BY_SENDER, 1)), refused);
        refused.clear();

        large.offer(List.of(exchange(bob, BY_SENDER, 1)), refused);

        assertThat(refused).isEmpty();
    }

    @Test
    void shouldEndABatchOfAConnectionWhereItRegisters() throws Exception {
        Exchange register = exchange(alice, new Request.Register("alice"), 1);
        queue.offer(List.of(register, echo(alice)), refused);

        RequestBatch batch = take();

        assertThat(batch.exchanges).containsExactly(register);
        queue.done(batch.connections);
        assertThat(take().exchanges).hasSize(1);
    }

    @Test
    void shouldMakeSmallBatchesOfLargeRequests() throws Exception {
        queue.offer(List.of(exchange(alice, ECHO, 90), exchange(alice, ECHO, 90), exchange(alice, ECHO, 90)), refused);

        assertThat(take().exchanges).hasSize(2);
    }

    @Test
    void shouldLeaveWhoDoesNotReadItsAnswers() throws Exception {
        link(alice).congested(true);
        queue.offer(List.of(echo(alice)), refused);
        assertThat(take().exchanges).isEmpty();

        link(alice).congested(false);
        queue.resume(alice);

        assertThat(take().exchanges).hasSize(1);
    }

    @Test
    void shouldLeaveRoomForOthersHoweverMuchOneWantsAndSayWhatIsFull() {
        RequestQueue large = new RequestQueue(100, 1_000_000, 3, 100);
        large.offer(Collections.nCopies(99, echo(alice)), refused);

        assertThat(large.size()).isEqualTo(51);
        assertThat(text(refused.get(0))).contains("of this connection", "broker.requestqueue.size=100");
        refused.clear();
        large.offer(Collections.nCopies(10, echo(bob)), refused);
        assertThat(refused).isEmpty();
        large.offer(List.of(exchange(bob, ECHO, 999_999)), refused);
        assertThat(text(refused.get(0))).contains("use 61 bytes", "1000000");
    }

    /** Many connections send more than is executed; one that waits for each response must find room. */
    @Test
    void shouldLeaveRoomForAFirstRequestHoweverManyConnectionsWantMore() {
        RequestQueue large = new RequestQueue(100, 1_000_000, 3, 100);
        for (int i = 0; i < 10; i++) {
            large.offer(Collections.nCopies(1_000, echo(connection())), refused);
        }
        refused.clear();

        large.offer(List.of(echo(bob)), refused);

        assertThat(refused).isEmpty();
        large.offer(List.of(echo(bob)), refused);
        assertThat(text(refused.get(0))).contains("96 requests wait", "broker.requestqueue.size=100");
    }

    @Test
    void shouldKeepNoRoomForThoseWhoDoNotReadTheirAnswers() throws Exception {
        queue.offer(List.of(echo(alice), echo(alice), echo(alice)), refused);
        refused.clear();
        link(alice).congested(true);
        assertThat(queue.hold(alice)).isNull();

        queue.offer(List.of(echo(bob), echo(bob)), refused);

        assertThat(refused).isEmpty();
        assertThat(take().exchanges).hasSize(2);
        link(alice).congested(false);
        queue.resume(alice);
        assertThat(take().exchanges).hasSize(3);
    }

    /**
     * Many connections may resume or be closed at once; their held requests must not take room from others then either.
     */
    @Test
    void shouldKeepTheRoomOfOthersWhereWhatWasHeldComesBack() throws Exception {
        RequestQueue large = new RequestQueue(10, 1_000, 50, 1_000);
        link(alice).congested(true);
        large.offer(Collections.nCopies(5, echo(alice)), refused);
        large.hold(alice);
        large.offer(Collections.nCopies(6, echo(alice)), refused);
        link(alice).congested(false);
        large.resume(alice);

        large.offer(List.of(echo(bob)), refused);

        assertThat(refused).isEmpty();
        RequestBatch batch = new RequestBatch();
        large.take(batch, 0);
        assertThat(batch.exchanges).hasSize(12);
        large.done(batch.connections);
        assertThat(large.size()).isZero();
        assertThat(large.isIdle()).isTrue();
    }

    @Test
    void shouldNotCountHeldTimeAsAWaitForAWorker() {
        Exchange exchange = echo(alice);
        link(alice).congested(true);
        queue.hold(alice);
        queue.offer(List.of(exchange), refused);
        link(alice).congested(false);
        long before = System.nanoTime();

        queue.resume(alice);

        assertThat(exchange.stages().queuedNanos() - before).isNotNegative();
    }

    @Test
    void shouldNameTheOneToSendAwayWhereTooMuchIsHeld() {
        link(alice).congested(true);
        link(bob).congested(true);
        queue.offer(List.of(exchange(alice, ECHO, 300)), refused);
        assertThat(queue.hold(alice)).isNull();
        queue.offer(List.of(exchange(bob, ECHO, 400)), refused);

        assertThat(queue.hold(bob)).isSameAs(bob);
    }

    @Test
    void shouldNotLetTheAnswersToOneConnectionGrowLongInABatch() throws Exception {
        RequestQueue large = new RequestQueue(100, 1_000_000, 50, 1_000_000, 100);
        large.offer(Collections.nCopies(20, exchange(alice, ECHO, 40)), refused);
        RequestBatch batch = new RequestBatch();

        large.take(batch, 0);

        assertThat(batch.exchanges).hasSize(3);
    }

    private static String text(Exchange exchange) {
        return ((Response.Failure) exchange.response()).text();
    }

    private static RequestBatch takeApart(RequestQueue from) throws InterruptedException {
        RequestBatch batch = new RequestBatch();
        from.takeApart(Route.SEARCHES, batch, 0);
        return batch;
    }

    private RequestBatch take() throws InterruptedException {
        return take(queue);
    }

    private static RequestBatch take(RequestQueue from) throws InterruptedException {
        RequestBatch batch = new RequestBatch();
        from.take(batch, 0);
        return batch;
    }

    private static ClientConnection connection() {
        return IdleLink.connection();
    }

    private static IdleLink link(ClientConnection connection) {
        return (IdleLink) connection.link();
    }

    private static Exchange echo(ClientConnection connection) {
        return exchange(connection, ECHO, 1);
    }

    private static Exchange exchange(ClientConnection connection, Request request, int weight) {
        return new Exchange(connection, 1, request, Exchange.Size.of(weight),
                new Stages(false, 0, 0));
    }
}
