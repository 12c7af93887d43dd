package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import java.util.ArrayList;
import java.util.List;

/** A request for messages of one queue: it takes them for good, or receives them under leases. */
final class Retrieval extends UnderWay {
    private final int queue;
    private final Request.Retrieval request;
    /** Used by one thread at a time. */
    private final List<Message> messages = new ArrayList<>();

    Retrieval(int queue, Request.Retrieval request, Completion completion) {
        super(completion);
        this.queue = queue;
        this.request = request;
    }

    int queue() {
        return queue;
    }

    /** @return the context that a message must have; 0 for any */
    long context() {
        return request.query().context();
    }

    boolean matches(Message message) {
        return context() == 0 || context() == message.context();
    }

    /** @return true if it asks for several messages */
    boolean isBatch() {
        return request instanceof Request.BulkRetrieval;
    }

    /** @return false if messages are acknowledged as soon as they are taken */
    boolean isUnderLease() {
        return !(request instanceof Request.DequeueMessage || request instanceof Request.DequeueMessages);
    }

    void add(Message message) {
        messages.add(message);
    }

    boolean isEmpty() {
        return messages.isEmpty();
    }

    /** @return true if it needs no further message */
    boolean isFull() {
        return messages.size() == (request instanceof Request.BulkRetrieval bulk ? bulk.max() : 1);
    }

    List<Message> messages() {
        return messages;
    }

    /** @return the response with the messages so far, under leases of this token */
    Response response(long token) {
        List<Message> leased = messages.stream().map(message -> new Message(message.id(), message.queue(),
                message.envelope(), new Message.Delivery(message.delivery().count(), isUnderLease() ? token : 0),
                message.content())).toList();
        if (isBatch()) {
            return new Response.Deliveries(leased);
        }
        return leased.isEmpty() ? Response.Delivery.NONE : new Response.Delivery(leased.get(0));
    }
}
