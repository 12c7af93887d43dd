package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Response;
import java.util.concurrent.atomic.LongAdder;

/** Counts responses that came too late. Used by any thread. */
final class DropCounts {
    private final LongAdder lateAnswers = new LongAdder();
    private final LongAdder droppedMessages = new LongAdder();

    void lateAnswer() {
        lateAnswers.increment();
    }

    void dropped(int messages) {
        droppedMessages.add(messages);
    }

    /** Counts messages that the broker could not requeue, by its response: it knew none or not all of them. */
    void notGivenBack(Response answer) {
        if (answer instanceof Response.Failure) {
            droppedMessages.increment();
        }
    }

    long lateAnswers() {
        return lateAnswers.sum();
    }

    long droppedMessages() {
        return droppedMessages.sum();
    }

    /** @return number of messages in the response */
    static int messages(Response response) {
        if (response instanceof Response.Delivery delivery) {
            Message message = delivery.message();
            return message == null ? 0 : 1;
        }
        return response instanceof Response.Deliveries deliveries ? deliveries.messages().size() : 0;
    }
}
