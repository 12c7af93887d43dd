package ch.ethz.mlmq.scenario.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.Subscribed.Subscription;
import ch.ethz.mlmq.scenario.link.ConnectedLink;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoadTopicsTest {
    private static final int QUEUE = 3;
    private static final int NEW_QUEUE = 9;
    private static final Subscription SUBSCRIPTION = new Subscription(
            new TopicRequest.Subscribe(1, "matching0", "", true), true, QUEUE);

    /** Ids of a memory broker begin again at its restart. */
    @Test
    void shouldCountNothingLeftInAForgottenSubscriptionWhoseIdAnotherQueueHas() {
        assertThat(left(subscribe -> refusal(Status.TOPIC_DOES_NOT_EXIST))).isZero();
    }

    @Test
    void shouldCountWhatIsLeftInASubscriptionThatIsThereUnderAnotherId() {
        assertThat(left(subscribe -> new Response.QueueFound(NEW_QUEUE, "topic1/matching0"))).isEqualTo(5);
    }

    private static long left(Function<TopicRequest.Subscribe, Response> broker) {
        Member member = new Member(new ClientId("Subscriber", 0, 0), ConnectedLink.each((request, completion) -> {
            if (request instanceof TopicRequest.Subscribe subscribe) {
                answer(completion, broker.apply(subscribe));
            } else if (request instanceof Request.QueueLength length) {
                answer(completion, length.queue() == NEW_QUEUE ? new Response.QueueLength(4, 1)
                        : refusal(Status.NOT_OWNER));
            }
            return Status.OK;
        }), new AtomicInteger());
        return LoadTopics.left(member, List.of(SUBSCRIPTION), System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
    }

    private static Response refusal(Status status) {
        return new Response.Failure(status, "refused in a test");
    }

    private static void answer(Completion completion, Response response) {
        completion.completed(0, response instanceof Response.Failure failure ? failure.status() : Status.OK, response,
                0, 0);
    }
}
