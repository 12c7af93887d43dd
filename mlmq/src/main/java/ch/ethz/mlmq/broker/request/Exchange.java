package ch.ethz.mlmq.broker.request;

import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.wire.ResponseCodec;
import ch.ethz.mlmq.storage.Call;
import java.util.List;

/** One request of a connection, from its first byte to the last one of its answer. Used by one thread at a time. */
public final class Exchange {
    /** In whose room it counts: its own route's, or that of a request before it on its connection. */
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
     * What a request may hold on to.
     *
     * @param bytes  while it waits
     * @param weight while it is executed [bytes]: its own, or those of the answer it may get
     */
    public record Size(int bytes, int weight) {
        /** @param bytes while it waits and while it is executed */
        public static Size of(int bytes) {
            return new Size(bytes, bytes);
        }
    }

    /** @param correlationId by which the client knows its answer */
    public Exchange(ClientConnection connection, int correlationId, Request request, Size size, Stages stages) {
        this.connection = connection;
        this.call = new Call(connection.lane(), request);
        this.correlationId = correlationId;
        this.size = size;
        this.stages = stages;
        this.route = Route.of(request);
    }

    /** @return the connection that it came by */
    public ClientConnection connection() {
        return connection;
    }

    /** @return its way through the storage */
    public Call call() {
        return call;
    }

    /** @return by which the client knows its answer */
    public int correlationId() {
        return correlationId;
    }

    /** @return bytes that it holds on to while it waits */
    public int bytes() {
        return size.bytes;
    }

    /** @return bytes that it may hold on to while it is executed: its own, or those of the answer it may get */
    public int weight() {
        return size.weight;
    }

    /** @return which workers execute it */
    public Route route() {
        return route;
    }

    /** @return when it went from one stage to the next */
    public Stages stages() {
        return stages;
    }

    /** @return what the client asks */
    public Request request() {
        return call.request();
    }

    /** @return the answer, or null as long as there is none */
    public Response response() {
        return call.response();
    }

    /** This is what the client gets. */
    public void answer(Response answer) {
        call.answer(answer);
    }

    /** @return the messages that it has taken out of their queues, or under a lease */
    public List<Message> taken() {
        return switch (request().type()) {
            case DEQUEUE_MESSAGE, RECEIVE_MESSAGE -> response() instanceof Response.Delivery delivery
                    && delivery.message() != null ? List.of(delivery.message()) : List.of();
            case DEQUEUE_MESSAGES, RECEIVE_MESSAGES -> response() instanceof Response.Deliveries deliveries
                    ? deliveries.messages() : List.of();
            default -> List.of();
        };
    }

    /** @return whether it may take messages */
    public boolean takes() {
        return switch (request().type()) {
            case DEQUEUE_MESSAGE, RECEIVE_MESSAGE, DEQUEUE_MESSAGES, RECEIVE_MESSAGES -> true;
            default -> false;
        };
    }

    /** @return bytes of the answer it may get that are not its own */
    int answerWeight() {
        return request() instanceof Request.Retrieval || request() instanceof Request.Echo ? weight() : 0;
    }

    /** Counts the bytes of the answer, which is not changed any more. */
    public void measureAnswer() {
        answerBytes = ResponseCodec.frameBytes(response());
    }

    /** @return bytes of its answer, once they are counted; else 0 */
    public int answerBytes() {
        return answerBytes;
    }

    /** Nobody waits for its answer any more: it takes no message, or gives back what it took. */
    public void cancel() {
        cancelled = true;
    }

    /** @return whether nobody waits for its answer any more */
    public boolean isCancelled() {
        return cancelled;
    }

    /** Was not executed, or found nothing and may not wait for more, because the broker stops. */
    public void answerStopping() {
        answer(new Response.Failure(Status.BROKER_STOPPING, "the broker is stopping"));
    }
}
