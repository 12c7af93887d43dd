package ch.ethz.mlmq.broker.request;

import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.wire.ResponseCodec;
import ch.ethz.mlmq.storage.Answers;
import ch.ethz.mlmq.storage.Call;
import java.util.List;

/** A request of a connection, from its first byte to the last byte of its response. Used by one thread at a time. */
public final class Exchange {
    /** The route in whose room it counts: its own, or that of an earlier request of its connection. */
    Route room = Route.BATCH;
    private final ClientConnection connection;
    private final Call call;
    private final int correlationId;
    private final Size size;
    private final Route route;
    private final Stages stages;
    private int answerBytes;
    private volatile boolean cancelled;

    /**
     * Bytes that a request may hold.
     *
     * @param bytes  while it waits
     * @param weight during execution: its own, or those of its largest possible response
     */
    public record Size(int bytes, int weight) {
        /** @param bytes held while it waits, and during execution */
        public static Size of(int bytes) {
            return new Size(bytes, bytes);
        }
    }

    /** @param correlationId lets the client match the response to its request */
    public Exchange(ClientConnection connection, int correlationId, Request request, Size size, Stages stages) {
        this.connection = connection;
        this.call = new Call(connection.lane(), request);
        this.correlationId = correlationId;
        this.size = size;
        this.stages = stages;
        this.route = Route.of(request);
    }

    /** @return the connection that the request came from */
    public ClientConnection connection() {
        return connection;
    }

    /** @return the call that executes it in the storage */
    public Call call() {
        return call;
    }

    /** @return the id by which the client matches the response to its request */
    public int correlationId() {
        return correlationId;
    }

    /** @return bytes that it holds while it waits */
    public int bytes() {
        return size.bytes;
    }

    /** @return bytes that it may hold during execution: its own, or those of its largest possible response */
    public int weight() {
        return size.weight;
    }

    /** @return the workers that execute it */
    public Route route() {
        return route;
    }

    /** @return the times of its stages */
    public Stages stages() {
        return stages;
    }

    /** @return the client's request */
    public Request request() {
        return call.request();
    }

    /** @return the response, or null until there is one */
    public Response response() {
        return call.response();
    }

    /** Sets the response. */
    public void answer(Response answer) {
        call.answer(answer);
    }

    /** @return the messages that it has dequeued or leased */
    public List<Message> taken() {
        return takes() ? Answers.messages(response()) : List.of();
    }

    /** @return true if it may take messages */
    public boolean takes() {
        return switch (request().type()) {
            case DEQUEUE_MESSAGE, RECEIVE_MESSAGE, DEQUEUE_MESSAGES, RECEIVE_MESSAGES -> true;
            default -> false;
        };
    }

    /** @return bytes of its largest possible response beyond its own */
    int answerWeight() {
        return request() instanceof Request.Retrieval || request() instanceof Request.Echo ? weight() : 0;
    }

    /** Counts the bytes of the response, which must not change afterwards. */
    public void measureAnswer() {
        answerBytes = ResponseCodec.frameBytes(response(), connection.link().has(Features.PROPERTIES));
    }

    /** @return bytes of its response once they are counted, else 0 */
    public int answerBytes() {
        return answerBytes;
    }

    /** Cancels it: it takes no more messages, and those that it took are requeued. */
    public void cancel() {
        cancelled = true;
    }

    /** @return true if it was cancelled */
    public boolean isCancelled() {
        return cancelled;
    }

    /** Sets the response of a request that was not executed, or waited in vain, because the broker stops. */
    public void answerStopping() {
        answer(new Response.Failure(Status.BROKER_STOPPING, "the broker is stopping"));
    }
}
