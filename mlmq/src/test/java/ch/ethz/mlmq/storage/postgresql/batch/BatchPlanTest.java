package ch.ethz.mlmq.storage.postgresql.batch;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.MessageProperties;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.storage.Call;
import ch.ethz.mlmq.storage.Lane;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchPlanTest {
    private static final TopicRequest.Publish PUBLISH =
            new TopicRequest.Publish(1, 5, 0, "", new byte[0], MessageProperties.NONE);

    private final BatchPlan plan = new BatchPlan();
    private final Lane alice = new Lane();
    private final Lane bob = new Lane();

    @Test
    void shouldShareStatementsBetweenConnections() {
        add(alice, CallKind.SEND, 1);
        add(bob, CallKind.TAKE, 1);
        add(alice, CallKind.SEND, 2);

        assertThat(plan.rounds()).hasSize(1);
        assertThat(plan.rounds().get(0).takes).hasSize(1);
        assertThat(plan.rounds().get(0).sends).hasSize(2);
        assertThat(plan.fitsIntoOneTrip()).isTrue();
    }

    @Test
    void shouldTakeAfterTheSameConnectionsSendToThatQueue() {
        PlannedCall send = add(alice, CallKind.SEND, 1);
        PlannedCall take = add(alice, CallKind.TAKE, 1);

        assertThat(send.round).isZero();
        assertThat(take.round).isEqualTo(1);
    }

    @Test
    void shouldPutWaitingTakesBehindAllThatStore() {
        PlannedCall send = new PlannedCall(new Call(alice, new Request.SendMessage(new int[] {2}, 0, 5, 0, "",
                new byte[0])));
        send.kind = CallKind.SEND;
        send.queue = 2;
        plan.add(send);
        PlannedCall joining = PlannedCall.joining(new Call(bob, new Request.DequeueMessage(MessageQuery.queue(2))));
        joining.kind = CallKind.TAKE;
        joining.queue = 2;
        plan.add(joining);
        PlannedCall another = add(bob, CallKind.TAKE, 3);

        assertThat(joining.round).isEqualTo(1);
        assertThat(another.round).isZero();
        assertThat(plan.fitsIntoOneTrip()).isTrue();
    }

    @Test
    void shouldKeepPublishesInOrderWithWhatConcernsTheirQueues() {
        PlannedCall send = add(alice, CallKind.SEND, 2);
        PlannedCall publish = publish(alice, 1, 2, 3);
        PlannedCall again = publish(alice, 3);
        PlannedCall take = add(alice, CallKind.TAKE, 2);
        PlannedCall elsewhere = add(alice, CallKind.TAKE, 4);
        PlannedCall other = publish(bob, 1, 2, 3);
        PlannedCall afterPublish = add(bob, CallKind.SEND, 1);

        assertThat(List.of(send.round, publish.round, again.round, take.round, elsewhere.round, other.round,
                afterPublish.round)).containsExactly(0, 1, 1, 2, 0, 0, 1);
        assertThat(plan.stores()).isTrue();
    }

    @Test
    void shouldHoldSoManyCopiesOnly() {
        PlannedCall many = new PlannedCall(new Call(alice, PUBLISH));
        many.kind = CallKind.PUBLISH;
        many.copies = IntStream.rangeClosed(1, 10_000).toArray();
        assertThat(plan.add(many)).isTrue();

        PlannedCall more = new PlannedCall(new Call(bob, PUBLISH));
        more.kind = CallKind.PUBLISH;
        more.copies = new int[] {1};

        assertThat(plan.add(more)).isFalse();
    }

    private PlannedCall publish(Lane lane, int... copies) {
        PlannedCall call = new PlannedCall(new Call(lane, PUBLISH));
        call.kind = CallKind.PUBLISH;
        call.queue = PlannedCall.SEVERAL;
        call.copies = copies;
        assertThat(plan.add(call)).isTrue();
        return call;
    }

    @Test
    void shouldNotHoldUpATakeFromAnotherQueue() {
        add(alice, CallKind.SEND, 1);
        PlannedCall take = add(alice, CallKind.TAKE, 2);

        assertThat(take.round).isZero();
    }

    @Test
    void shouldSendAfterATakeInTheSamePhase() {
        PlannedCall take = add(alice, CallKind.TAKE, 1);
        PlannedCall send = add(alice, CallKind.SEND, 1);

        assertThat(take.round).isEqualTo(send.round);
    }

    @Test
    void shouldKeepASingleCallBehindAllBeforeItAndBeforeAllBehindIt() {
        add(alice, CallKind.SEND, 1);
        add(alice, CallKind.TAKE, 1);
        PlannedCall single = add(alice, CallKind.SINGLE, 0);
        PlannedCall after = add(alice, CallKind.TAKE, 7);
        PlannedCall other = add(bob, CallKind.TAKE, 7);

        assertThat(single.round).isEqualTo(1);
        assertThat(after.round).isEqualTo(2);
        assertThat(other.round).isZero();
        assertThat(plan.fitsIntoOneTrip()).isFalse();
    }

    @Test
    void shouldGiveABulkTakeAPhaseInWhichItIsTheOnlyTakeOfItsQueue() {
        PlannedCall take = add(alice, CallKind.TAKE, 1);
        PlannedCall bulk = bulk(bob, 1);
        PlannedCall second = bulk(new Lane(), 1);
        PlannedCall single = add(new Lane(), CallKind.TAKE, 1);
        PlannedCall elsewhere = bulk(new Lane(), 2);

        assertThat(List.of(take.round, bulk.round, second.round, single.round, elsewhere.round))
                .containsExactly(0, 1, 2, 0, 0);
    }

    @Test
    void shouldTakeTheMessagesOfAQueueInOneWayInEachPhase() {
        PlannedCall take = add(alice, CallKind.TAKE, 1);
        PlannedCall lease = lease(bob, 1, 1_000);
        PlannedCall same = lease(new Lane(), 1, 1_000);
        PlannedCall shorter = lease(new Lane(), 1, 500);
        PlannedCall elsewhere = lease(new Lane(), 2, 500);

        assertThat(List.of(take.round, lease.round, same.round, shorter.round, elsewhere.round))
                .containsExactly(0, 1, 1, 2, 0);
        assertThat(plan.rounds().get(1).leases).containsExactly(lease, same);
    }

    @Test
    void shouldAcknowledgeWhileOthersTakeAndSend() {
        add(bob, CallKind.SEND, 1);
        PlannedCall acknowledge = add(alice, CallKind.ACKNOWLEDGE, 0);

        assertThat(plan.rounds()).hasSize(1);
        assertThat(plan.rounds().get(0).acknowledgements).containsExactly(acknowledge);
        assertThat(plan.stores()).isFalse();
    }

    @Test
    void shouldForgetWhatALaneDidInAnotherPlan() {
        add(alice, CallKind.SEND, 1);
        BatchPlan next = new BatchPlan();
        PlannedCall take = call(alice, CallKind.TAKE, 1);
        next.add(take);

        assertThat(take.round).isZero();
    }

    private PlannedCall add(Lane lane, CallKind kind, int queue) {
        PlannedCall call = call(lane, kind, queue);
        plan.add(call);
        return call;
    }

    private PlannedCall lease(Lane lane, int queue, int millis) {
        return lease(lane, queue, new Request.ReceiveMessage(MessageQuery.queue(queue), millis));
    }

    private PlannedCall bulk(Lane lane, int queue) {
        return lease(lane, queue, new Request.ReceiveMessages(MessageQuery.queue(queue), 10, 1_000));
    }

    private PlannedCall lease(Lane lane, int queue, Request request) {
        PlannedCall call = new PlannedCall(new Call(lane, request));
        call.kind = CallKind.LEASE;
        call.queue = queue;
        plan.add(call);
        return call;
    }

    private static PlannedCall call(Lane lane, CallKind kind, int queue) {
        PlannedCall call = new PlannedCall(new Call(lane, new Request.BrokerStatus()));
        call.kind = kind;
        call.queue = queue;
        return call;
    }
}
