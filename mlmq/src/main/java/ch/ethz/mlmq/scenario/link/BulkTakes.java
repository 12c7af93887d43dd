package ch.ethz.mlmq.scenario.link;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A link that makes takes of two requests, a receipt and an acknowledgement: those of many messages, as systems have
 * none, or all. A take ends with the acknowledgement, and has the messages that were acknowledged.
 */
public final class BulkTakes extends ForwardingLink {
    private static final int LEASE_MILLIS = 30_000;

    private final boolean every;

    /** @param link receives and acknowledges */
    public BulkTakes(Link link) {
        this(link, false);
    }

    /** @param every also makes two requests of a take of one message */
    public BulkTakes(Link link, boolean every) {
        super(link);
        this.every = every;
    }

    @Override
    public Status submit(Request request, Completion completion) {
        if (every && request instanceof Request.DequeueMessage one) {
            return take(new Request.DequeueMessages(one.query(), 1), (tag, status, response, sentNanos, endNanos) ->
                    completion.completed(tag, status, response instanceof Response.Deliveries found
                            ? one(found.messages()) : response, sentNanos, endNanos));
        }
        return request instanceof Request.DequeueMessages many ? take(many, completion)
                : link.submit(request, completion);
    }

    private static Response one(List<Message> messages) {
        return messages.isEmpty() ? Response.Delivery.NONE : new Response.Delivery(messages.get(0));
    }

    private Status take(Request.DequeueMessages take, Completion completion) {
        return link.submit(new Request.ReceiveMessages(take.query(), take.max(), LEASE_MILLIS),
                (tag, status, response, sentNanos, endNanos) -> {
                    if (response instanceof Response.Deliveries found && !found.messages().isEmpty()) {
                        acknowledge(found.messages(), sentNanos, completion);
                    } else {
                        completion.completed(tag, status, response, sentNanos, endNanos);
                    }
                });
    }

    private void acknowledge(List<Message> messages, long sentNanos, Completion completion) {
        List<Lease> leases = messages.stream().map(Message::lease).toList();
        Status refused = link.submit(new Request.AcknowledgeMessages(leases),
                (tag, status, response, ownSentNanos, endNanos) -> completion.completed(tag, status,
                        response instanceof Response.LeaseStatuses settled ? taken(messages, settled) : response,
                        sentNanos, endNanos));
        if (refused != Status.OK) {
            completion.completed(0, refused, null, sentNanos, System.nanoTime());
        }
    }

    private static Response taken(List<Message> messages, Response.LeaseStatuses settled) {
        return new Response.Deliveries(IntStream.range(0, messages.size())
                .filter(i -> settled.statuses().get(i) == Status.OK).mapToObj(messages::get)
                .map(message -> message.handedOut(new Message.Delivery(message.deliveries()))).toList());
    }
}
