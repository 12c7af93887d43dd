package ch.ethz.mlmq.scenario.recording;

import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.scenario.workload.LoadMessage;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/** Counts the messages of one phase's successful requests. Many threads count. */
public final class MessageCounts {
    private static final Set<FrameType> TAKES = EnumSet.of(FrameType.DEQUEUE_MESSAGE, FrameType.DEQUEUE_MESSAGES,
            FrameType.RECEIVE_MESSAGE, FrameType.RECEIVE_MESSAGES);

    private final LongAdder sent = new LongAdder();
    private final LongAdder published = new LongAdder();
    private final LongAdder timed = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final LongAdder takes = new LongAdder();
    private final LongAdder emptyTakes = new LongAdder();

    void answered(Request request, Response response) {
        if (request instanceof Request.SendMessage message) {
            sent(message.content(), message.queues().length);
        } else if (request instanceof Request.Send send) {
            sent(send.content(), 1);
        } else if (request instanceof Request.SendMessages bulk) {
            bulk.messages().forEach(message -> sent(message.content(), 1));
        } else if (request instanceof TopicRequest.Publish publish && response instanceof Response.Published stored) {
            published.increment();
            sent(publish.content(), stored.copies());
        } else if (TAKES.contains(request.type())) {
            taken(messages(response));
        }
    }

    private void sent(byte[] content, int copies) {
        sent.add(copies);
        if (LoadMessage.stampOf(content) != 0) {
            timed.add(copies);
        }
    }

    private void taken(int messages) {
        takes.increment();
        if (messages == 0) {
            emptyTakes.increment();
        } else {
            received.add(messages);
        }
    }

    /** @return true of a take or peek that found no message */
    static boolean foundNone(Request request, Response response) {
        return (request.type() == FrameType.PEEK_MESSAGE || TAKES.contains(request.type())) && messages(response) == 0;
    }

    static boolean isTake(FrameType type) {
        return TAKES.contains(type);
    }

    /** @return true of a take whose messages are to be acknowledged */
    static boolean isLease(FrameType type) {
        return type == FrameType.RECEIVE_MESSAGE || type == FrameType.RECEIVE_MESSAGES;
    }

    private static int messages(Response response) {
        if (response instanceof Response.Delivery delivery) {
            return delivery.message() == null ? 0 : 1;
        }
        return response instanceof Response.Deliveries deliveries ? deliveries.messages().size() : 0;
    }

    /** @return number of messages stored, once for each queue */
    public long sent() {
        return sent.sum();
    }

    /** @return number of messages published, each once however many subscriptions got it */
    public long published() {
        return published.sum();
    }

    /** @return number of messages stored that carry the intended start of their sending, once for each queue */
    public long timed() {
        return timed.sum();
    }

    /** @return number of messages that takes returned, under a lease or not */
    public long received() {
        return received.sum();
    }

    /** @return number of takes, whether they found a message or not */
    public long takes() {
        return takes.sum();
    }

    /** @return number of takes that found no message */
    public long emptyTakes() {
        return emptyTakes.sum();
    }
}
