package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.wire.ResponseCodec;
import ch.ethz.mlmq.storage.Call;
import java.util.List;

/**
 * One request of a connection, from its first byte to the last one of its answer, with the times of its stages [ns].
 */
final class Exchange {
    final ClientConnection connection;
    /** Its way through the storage. */
    final Call call;
    final int correlationId;
    /** Whether its stages are written to the performance log. */
    final boolean recorded;
    /** Bytes that it holds on to while it waits. */
    final int bytes;
    /** Bytes that it may hold on to while it is executed: its own, or those of the answer it may get. */
    final int weight;
    final long receivedNanos;
    final long decodedNanos;
    final Route route;
    /** In whose room it counts: its own route's, or that of a request before it on its connection. */
    Route room = Route.BATCH;
    /** When it entered the request queue; again when it had to wait for a message. */
    long queuedNanos;
    long takenNanos;
    /** Requests that a worker took at once, this one among them. */
    int batch;
    long processedNanos;
    long sendingNanos;
    /** Bytes of its answer, once there is one. */
    int answerBytes;
    /** Where its answer begins and ends in the connection's stream of answers. */
    long answerStart;
    long answerEnd;
    /** When it was first found to have to wait for a message; 0 where it had not. */
    long waitingNanos;
    /** When it had waited in vain; 0 where it did not wait, or got its message. */
    long overNanos;
    /** Nobody waits for its answer any more: it takes no message, or gives back what it took. */
    volatile boolean cancelled;
    /** What had arrived when it was last looked for a message, see {@link WaitingRoom}. */
    long arrivalsSeen;

    /** @param bytes that it holds on to, while it waits and while it is executed */
    Exchange(ClientConnection connection, int correlationId, Request request, int bytes, boolean recorded,
            long receivedNanos, long decodedNanos) {
        this(connection, correlationId, request, bytes, bytes, recorded, receivedNanos, decodedNanos);
    }

    Exchange(ClientConnection connection, int correlationId, Request request, int bytes, int weight, boolean recorded,
            long receivedNanos, long decodedNanos) {
        this.connection = connection;
        this.call = new Call(connection.lane, request);
        this.correlationId = correlationId;
        this.bytes = bytes;
        this.weight = weight;
        this.recorded = recorded;
        this.receivedNanos = receivedNanos;
        this.decodedNanos = decodedNanos;
        this.queuedNanos = decodedNanos;
        this.route = Route.of(request);
    }

    Request request() {
        return call.request();
    }

    /** @return the answer, or null as long as there is none */
    Response response() {
        return call.response();
    }

    void answer(Response answer) {
        call.answer(answer);
    }

    /** @return the messages that it has taken out of their queues, or under a lease */
    List<Message> taken() {
        return switch (request().type()) {
            case DEQUEUE_MESSAGE, RECEIVE_MESSAGE -> response() instanceof Response.Delivery delivery
                    && delivery.message() != null ? List.of(delivery.message()) : List.of();
            case DEQUEUE_MESSAGES -> response() instanceof Response.Deliveries deliveries ? deliveries.messages()
                    : List.of();
            default -> List.of();
        };
    }

    /** @return whether it may take messages */
    boolean takes() {
        return switch (request().type()) {
            case DEQUEUE_MESSAGE, RECEIVE_MESSAGE, DEQUEUE_MESSAGES -> true;
            default -> false;
        };
    }

    /** @return bytes of the answer it may get that are not its own */
    int answerWeight() {
        return request() instanceof Request.Retrieval || request() instanceof Request.Echo ? weight : 0;
    }

    void measureAnswer() {
        answerBytes = ResponseCodec.frameBytes(response());
    }

    /** Was not executed, or found nothing and may not wait for more, because the broker stops. */
    void answerStopping() {
        answer(new Response.Failure(Status.BROKER_STOPPING, "the broker is stopping"));
    }
}
