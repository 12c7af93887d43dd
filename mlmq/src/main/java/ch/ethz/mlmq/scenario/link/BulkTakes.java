package ch.ethz.mlmq.scenario.link;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * A link to a system without takes of many messages: such a take receives up to as many, and acknowledges all of them
 * together. It ends with the acknowledgement, and has the messages that were acknowledged.
 */
public final class BulkTakes implements Link {
    private static final int LEASE_MILLIS = 30_000;

    private final Link link;

    /** @param link receives and acknowledges */
    public BulkTakes(Link link) {
        this.link = link;
    }

    @Override
    public Status submit(Request request, Completion completion) {
        if (!(request instanceof Request.DequeueMessages take)) {
            return link.submit(request, completion);
        }
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

    @Override
    public boolean isConnected() {
        return link.isConnected();
    }

    @Override
    public String state() {
        return link.state();
    }

    @Override
    public String reason(Status status) {
        return link.reason(status);
    }

    @Override
    public CompletableFuture<Void> close() {
        return link.close();
    }
}
