package ch.ethz.mlmq.db;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Keeps everything in this JVM, for one broker, until it ends: to measure what the database costs. */
public final class MemoryStorage implements Storage {
    private final MemoryState state;
    private final Limits limits;
    private volatile Arrivals arrivals = Arrivals.IGNORED;

    /**
     * @param deliveriesMax     after so many deliveries a message goes to the dead-letter queue
     * @param dedupWindowMillis the same key within this time is stored once [ms]
     */
    public MemoryStorage(Limits limits, int deliveriesMax, long dedupWindowMillis) {
        this.limits = limits;
        this.state = new MemoryState(deliveriesMax, dedupWindowMillis);
    }

    @Override
    public void execute(List<? extends Call> calls) {
        List<Message> stored = new ArrayList<>();
        synchronized (state) {
            for (Call call : calls) {
                call.answer(response(call, stored));
            }
        }
        tellOf(stored);
    }

    private Response response(Call call, List<Message> stored) {
        Request request = call.request();
        int client = call.client();
        return switch (request.type()) {
            case REGISTER -> register(call, (Request.Register) request);
            case CREATE_QUEUE -> state.create(((Request.CreateQueue) request).name());
            case DELETE_QUEUE -> delete(client, (Request.DeleteQueue) request);
            case LOOKUP_QUEUE -> state.lookup(((Request.LookupQueue) request).name());
            case LOOKUP_CLIENT -> {
                String name = ((Request.LookupClient) request).name();
                MemoryQueue own = state.ownQueue(name);
                yield own == null ? Failures.noClient(name) : new Response.ClientFound(own.owner, name);
            }
            case LOOKUP_CLIENT_QUEUE -> lookupClientQueue((Request.LookupClientQueue) request);
            case SEND_MESSAGE -> {
                Request.SendMessage send = (Request.SendMessage) request;
                List<OutgoingMessage> messages = new ArrayList<>();
                for (int queue : send.queues()) {
                    messages.add(new OutgoingMessage(queue, send.receiver(), send.priority(), send.context(),
                            send.key(), send.content()));
                }
                yield state.send(client, messages, stored);
            }
            case SEND_MESSAGES -> state.send(client, ((Request.SendMessages) request).messages(), stored);
            case SEND_MESSAGE_TO_CLIENT -> toClient(call, ((Request.SendMessageToClient) request).client(), 0, stored);
            case SEND_RESPONSE_TO_CLIENT -> {
                Request.SendResponseToClient send = (Request.SendResponseToClient) request;
                yield toClient(call, send.client(), send.context(), stored);
            }
            case SEND_REQUEST_TO_CLIENT -> {
                long context = state.nextContext();
                Response answer = toClient(call, ((Request.SendRequestToClient) request).client(), context, stored);
                yield Answers.isSuccess(answer) ? new Response.ContextAssigned(context) : answer;
            }
            case QUEUES_WITH_PENDING_MESSAGES ->
                    state.pending(client, ((Request.QueuesWithPendingMessages) request).max());
            case PEEK_MESSAGE -> peek(client, ((Request.PeekMessage) request).query());
            case DEQUEUE_MESSAGE -> take(client, ((Request.DequeueMessage) request).query(), 0);
            case DEQUEUE_MESSAGES -> {
                Request.DequeueMessages dequeue = (Request.DequeueMessages) request;
                Response.Failure failure = state.check(client, dequeue.query());
                yield failure != null ? failure : new Response.Deliveries(state.take(client, dequeue.query(),
                        Math.min(dequeue.max(), limits.messagesPerFrame()), 0));
            }
            case RECEIVE_MESSAGE -> {
                Request.ReceiveMessage receive = (Request.ReceiveMessage) request;
                yield take(client, receive.query(), receive.leaseMillis());
            }
            case ACKNOWLEDGE -> {
                Request.Acknowledge acknowledge = (Request.Acknowledge) request;
                yield doneIf(state.acknowledge(acknowledge.message(), acknowledge.leaseToken()), acknowledge.message());
            }
            case EXTEND -> {
                Request.Extend extend = (Request.Extend) request;
                yield doneIf(state.extend(extend.message(), extend.leaseToken(), extend.leaseMillis()),
                        extend.message());
            }
            case RELEASE -> {
                Request.Release release = (Request.Release) request;
                yield doneIf(state.release(release.message(), release.leaseToken(), stored), release.message());
            }
            default -> throw new IllegalArgumentException("no storage executes " + request.type());
        };
    }

    @Override
    public void offline(Collection<Session> sessions) {
        // The broker itself knows which of its connections is which client, and there is no other broker.
    }

    @Override
    public void putBack(Collection<Message> messages) {
        List<Message> stored = new ArrayList<>();
        synchronized (state) {
            messages.forEach(message -> state.putBack(message, stored));
        }
        tellOf(stored);
    }

    @Override
    public void tell(Arrivals newArrivals, Runnable expelled, Returned returned) {
        arrivals = newArrivals;
    }

    @Override
    public List<Agent> agents() {
        return List.of(new Expiry());
    }

    @Override
    public void close() {
        // Nothing is held outside.
    }

    private Response register(Call call, Request.Register register) {
        MemoryQueue own = state.openSession(register.name());
        call.opened(new Session(own.owner, state.nextSession()));
        long token = state.token(own.owner, register.token(), SessionTokens.fresh());
        return new Response.Registered(own.owner, own.id, token);
    }

    private Response delete(int client, Request.DeleteQueue delete) {
        MemoryQueue queue = state.queue(delete.queue());
        if (queue == null) {
            return Failures.noQueue(delete.queue());
        }
        if (queue.owner != 0) {
            return Failures.staysWithClient(queue.id, queue.owner, client);
        }
        if (delete.onlyIfEmpty() && !queue.isEmpty()) {
            return new Response.Failure(Status.QUEUE_NOT_EMPTY, "queue " + queue.id + " is not empty");
        }
        state.delete(queue);
        return Response.Done.INSTANCE;
    }

    private Response lookupClientQueue(Request.LookupClientQueue lookup) {
        if (lookup.client() == 0 && state.ownQueue(lookup.name()) == null
                && lookup.name().endsWith(Limits.DEAD_LETTERS)) {
            return state.ownDeadLetters(lookup.name());
        }
        MemoryQueue own =
                lookup.client() == 0 ? state.ownQueue(lookup.name()) : state.ownQueue(lookup.client());
        return own == null ? Failures.noClient(lookup.client() == 0 ? lookup.name() : lookup.client())
                : new Response.QueueFound(own.id, own.name);
    }

    private Response toClient(Call call, int client, long context, List<Message> stored) {
        MemoryQueue own = state.ownQueue(client);
        return own == null ? Failures.noClient(client) : state.send(call.client(), List.of(new OutgoingMessage(own.id, 0,
                Sends.priority(call.request()), context, "", Sends.content(call.request()))), stored);
    }

    private Response peek(int client, MessageQuery query) {
        Response.Failure failure = state.check(client, query);
        return failure != null ? failure : delivery(state.first(client, query, 1));
    }

    private Response take(int client, MessageQuery query, int leaseMillis) {
        Response.Failure failure = state.check(client, query);
        return failure != null ? failure : delivery(state.take(client, query, 1, leaseMillis));
    }

    private static Response delivery(List<Message> found) {
        return found.isEmpty() ? Response.Delivery.NONE : new Response.Delivery(found.get(0));
    }

    private static Response doneIf(boolean found, long message) {
        return found ? Response.Done.INSTANCE : Failures.unknownLease(message);
    }

    private void tellOf(List<Message> stored) {
        stored.forEach(message -> arrivals.arrived(message.queue(), message.receiver(), message.context()));
    }

    /** Makes messages visible again whose lease ran out, and forgets keys whose window is over. */
    private final class Expiry implements Agent {
        @Override
        public String roleName() {
            return "leases";
        }

        @Override
        public int doWork() {
            List<Message> stored = new ArrayList<>();
            synchronized (state) {
                state.expire(stored);
            }
            tellOf(stored);
            return 0;
        }
    }
}
