package ch.ethz.mlmq.db;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Acknowledges everything and keeps nothing: to measure the middleware alone. */
public final class NoStorage implements Storage {
    private final AtomicInteger ids = new AtomicInteger();
    private final AtomicLong contexts = new AtomicLong();

    @Override
    public void execute(List<? extends Call> calls) {
        for (Call call : calls) {
            call.answer(response(call));
        }
    }

    private Response response(Call call) {
        Request request = call.request();
        return switch (request.type()) {
            case REGISTER -> {
                int client = ids.incrementAndGet();
                call.opened(new Session(client, client));
                long token = ((Request.Register) request).token();
                yield new Response.Registered(client, ids.incrementAndGet(), token == 0 ? SessionTokens.fresh() : token);
            }
            case CREATE_QUEUE -> new Response.QueueFound(ids.incrementAndGet(), ((Request.CreateQueue) request).name());
            case LOOKUP_QUEUE -> new Response.QueueFound(ids.incrementAndGet(), ((Request.LookupQueue) request).name());
            case LOOKUP_CLIENT_QUEUE -> new Response.QueueFound(ids.incrementAndGet(),
                    ((Request.LookupClientQueue) request).name());
            case LOOKUP_CLIENT ->
                    new Response.ClientFound(ids.incrementAndGet(), ((Request.LookupClient) request).name());
            case SEND_REQUEST_TO_CLIENT -> new Response.ContextAssigned(contexts.incrementAndGet());
            case QUEUES_WITH_PENDING_MESSAGES -> new Response.PendingQueues(0, new int[0]);
            case PEEK_MESSAGE, DEQUEUE_MESSAGE, RECEIVE_MESSAGE -> Response.Delivery.NONE;
            case DEQUEUE_MESSAGES -> new Response.Deliveries(List.of());
            default -> Response.Done.INSTANCE;
        };
    }

    @Override
    public void offline(Collection<Session> sessions) {
        // Nobody was online.
    }

    @Override
    public void putBack(Collection<Message> messages) {
        // There are none.
    }

    @Override
    public void tell(Arrivals arrivals, Runnable expelled, Returned returned) {
        // Nothing ever arrives.
    }

    @Override
    public List<Agent> agents() {
        return List.of();
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
