package ch.ethz.mlmq.storage.postgresql.batch;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.storage.Call;
import ch.ethz.mlmq.storage.Lane;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchPlanTest {
    private final BatchPlan plan = new BatchPlan();
    private final Lane alice = new Lane();
    private final Lane bob = new Lane();

    @Test
    void shouldShareStatementsBetweenConnections() {
        add(alice, Step.SEND, 1);
        add(bob, Step.TAKE, 1);
        add(alice, Step.SEND, 2);

        assertThat(plan.phases()).hasSize(1);
        assertThat(plan.phases().get(0).takes).hasSize(1);
        assertThat(plan.phases().get(0).sends).hasSize(2);
        assertThat(plan.hasSingles()).isFalse();
    }

    @Test
    void shouldTakeAfterTheSameConnectionsSendToThatQueue() {
        PlannedCall send = add(alice, Step.SEND, 1);
        PlannedCall take = add(alice, Step.TAKE, 1);

        assertThat(send.phase).isZero();
        assertThat(take.phase).isEqualTo(1);
    }

    @Test
    void shouldNotHoldUpATakeFromAnotherQueue() {
        add(alice, Step.SEND, 1);
        PlannedCall take = add(alice, Step.TAKE, 2);

        assertThat(take.phase).isZero();
    }

    @Test
    void shouldSendAfterATakeInTheSamePhase() {
        PlannedCall take = add(alice, Step.TAKE, 1);
        PlannedCall send = add(alice, Step.SEND, 1);

        assertThat(take.phase).isEqualTo(send.phase);
    }

    @Test
    void shouldKeepASingleCallBehindAllBeforeItAndBeforeAllBehindIt() {
        add(alice, Step.SEND, 1);
        add(alice, Step.TAKE, 1);
        PlannedCall single = add(alice, Step.SINGLE, 0);
        PlannedCall after = add(alice, Step.TAKE, 7);
        PlannedCall other = add(bob, Step.TAKE, 7);

        assertThat(single.phase).isEqualTo(1);
        assertThat(after.phase).isEqualTo(2);
        assertThat(other.phase).isZero();
        assertThat(plan.hasSingles()).isTrue();
    }

    @Test
    void shouldTakeTheMessagesOfAQueueInOneWayInEachPhase() {
        PlannedCall take = add(alice, Step.TAKE, 1);
        PlannedCall lease = lease(bob, 1, 1_000);
        PlannedCall same = lease(new Lane(), 1, 1_000);
        PlannedCall shorter = lease(new Lane(), 1, 500);
        PlannedCall elsewhere = lease(new Lane(), 2, 500);

        assertThat(List.of(take.phase, lease.phase, same.phase, shorter.phase, elsewhere.phase))
                .containsExactly(0, 1, 1, 2, 0);
        assertThat(plan.phases().get(1).leases).containsExactly(lease, same);
    }

    @Test
    void shouldAcknowledgeWhileOthersTakeAndSend() {
        add(bob, Step.SEND, 1);
        PlannedCall acknowledge = add(alice, Step.ACKNOWLEDGE, 0);

        assertThat(plan.phases()).hasSize(1);
        assertThat(plan.phases().get(0).acknowledgements).containsExactly(acknowledge);
        assertThat(plan.stores()).isFalse();
    }

    @Test
    void shouldForgetWhatALaneDidInAnotherPlan() {
        add(alice, Step.SEND, 1);
        BatchPlan next = new BatchPlan();
        PlannedCall take = call(alice, Step.TAKE, 1);
        next.add(take);

        assertThat(take.phase).isZero();
    }

    private PlannedCall add(Lane lane, Step step, int queue) {
        PlannedCall call = call(lane, step, queue);
        plan.add(call);
        return call;
    }

    private PlannedCall lease(Lane lane, int queue, int millis) {
        PlannedCall call = new PlannedCall(new Call(lane,
                new Request.ReceiveMessage(MessageQuery.queue(queue), millis)));
        call.step = Step.LEASE;
        call.queue = queue;
        plan.add(call);
        return call;
    }

    private static PlannedCall call(Lane lane, Step step, int queue) {
        PlannedCall call = new PlannedCall(new Call(lane, new Request.BrokerStatus()));
        call.step = step;
        call.queue = queue;
        return call;
    }
}
