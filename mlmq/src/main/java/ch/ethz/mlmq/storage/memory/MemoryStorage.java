package ch.ethz.mlmq.storage.memory;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.MoveMessages;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.RequestVisitor;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Statement;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.storage.Answers;
import ch.ethz.mlmq.storage.Arrivals;
import ch.ethz.mlmq.storage.Call;
import ch.ethz.mlmq.storage.Failures;
import ch.ethz.mlmq.storage.Storage;
import ch.ethz.mlmq.storage.TemporaryClients;
import ch.ethz.mlmq.storage.limit.LimitCounters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Keeps everything in this JVM, for one broker, until the JVM ends, to measure the cost of the database. */
public final class MemoryStorage implements Storage {
    private final MemoryState state;
    private final Limits limits;
    private final long keepMillis;
    private volatile Arrivals arrivals = Arrivals.IGNORED;

    /**
     * @param deliveriesMax     number of deliveries after which a message goes to the dead-letter queue
     * @param dedupWindowMillis time within which the same key is stored once [ms]
     * @param clientKeep        longest time for which an offline temporary client is kept
     */
    public MemoryStorage(Limits limits, int deliveriesMax, long dedupWindowMillis, Duration clientKeep) {
        this.limits = limits;
        this.state = new MemoryState(deliveriesMax, dedupWindowMillis);
        this.keepMillis = TemporaryClients.keep(clientKeep).toMillis();
    }

    @Override
    public void execute(List<Call> calls) {
        List<Message> stored = new ArrayList<>();
        synchronized (state) {
            for (Call call : calls) {
                call.answer(call.request().accept(new Execution(call, stored)));
            }
        }
        tellOf(stored);
    }

    @Override
    public void offline(Collection<Session> sessions) {
        gone(sessions, keepMillis);
    }

    @Override
    public void goodbye(Collection<Session> sessions) {
        gone(sessions, 0);
    }

    /** The only broker itself knows the connection of each client, so only what ends with a client matters. */
    private void gone(Collection<Session> sessions, long millis) {
        synchronized (state) {
            for (Session session : sessions) {
                boolean current = state.clients.gone(session, System.currentTimeMillis() + millis);
                if (current && millis == 0) {
                    state.endSubscriptions(session.client());
                }
            }
        }
    }

    @Override
    public void requeue(Collection<Message> messages) {
        List<Message> stored = new ArrayList<>();
        synchronized (state) {
            messages.forEach(message -> state.requeue(message, stored));
        }
        tellOf(stored);
    }

    @Override
    public LimitCounters limitCounters() {
        return state.counters();
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
        // There is nothing to close.
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

    /** Executes one call. */
    private final class Execution implements RequestVisitor<Response, RuntimeException> {
        private final Call call;
        private final int client;
        private final List<Message> stored;

        private Execution(Call call, List<Message> stored) {
            this.call = call;
            this.client = call.client();
            this.stored = stored;
        }

        @Override
        public Response visit(Request.Register register) {
            MemoryQueue own = state.openSession(register.name());
            call.opened(state.clients.opened(own));
            long token = state.token(own.owner, register.token(), TemporaryClients.newToken(register));
            return new Response.Registered(own.owner, own.id, token);
        }

        @Override
        public Response visit(Request.CreateQueue create) {
            return state.create(create.name());
        }

        @Override
        public Response visit(Request.DeleteQueue delete) {
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

        @Override
        public Response visit(Request.LookupQueue lookup) {
            return state.lookup(lookup.name());
        }

        @Override
        public Response visit(Request.LookupClient lookup) {
            MemoryQueue own = state.ownQueue(lookup.name());
            return own == null ? Failures.noClient(lookup.name()) : new Response.ClientFound(own.owner, lookup.name());
        }

        @Override
        public Response visit(Request.LookupClientQueue lookup) {
            if (lookup.client() == 0 && state.ownQueue(lookup.name()) == null
                    && lookup.name().endsWith(Limits.DEAD_LETTERS)) {
                return state.ownDeadLetters(lookup.name());
            }
            boolean byName = lookup.client() == 0;
            MemoryQueue own = byName ? state.ownQueue(lookup.name()) : state.ownQueue(lookup.client());
            if (own == null) {
                return Failures.noClient(byName ? lookup.name() : lookup.client());
            }
            return new Response.QueueFound(own.id, own.name);
        }

        @Override
        public Response visit(Request.SendMessage send) {
            List<OutgoingMessage> messages = new ArrayList<>();
            for (int queue : send.queues()) {
                messages.add(new OutgoingMessage(queue, send.receiver(), send.priority(), send.context(), send.key(),
                        send.content(), send.properties()));
            }
            return state.send(client, messages, stored);
        }

        @Override
        public Response visit(Request.SendMessages bulk) {
            return state.send(client, bulk.messages(), stored);
        }

        @Override
        public Response visit(Request.SendMessageToClient send) {
            return toClient(send, 0);
        }

        @Override
        public Response visit(Request.SendResponseToClient send) {
            return toClient(send, send.context());
        }

        @Override
        public Response visit(Request.SendRequestToClient send) {
            long context = state.nextContext();
            Response answer = toClient(send, context);
            return Answers.isSuccess(answer) ? new Response.ContextAssigned(context) : answer;
        }

        @Override
        public Response visit(Statement statement) {
            return statement.accept(new MemoryPublishing(state, client, stored));
        }

        @Override
        public Response other(Request request) {
            return request.accept(new MemoryPublishing(state, client, stored));
        }

        @Override
        public Response visit(Request.QueuesWithPendingMessages pending) {
            return state.pending(client, pending.max(), pending.toMe());
        }

        @Override
        public Response visit(MoveMessages move) {
            return state.move(client, move, stored);
        }

        @Override
        public Response visit(Request.QueueLength length) {
            return state.length(client, length.queue());
        }

        @Override
        public Response visit(Request.PeekMessage peek) {
            Response.Failure failure = state.check(client, peek.query());
            return failure != null ? failure : delivery(state.first(client, peek.query(), 1));
        }

        @Override
        public Response visit(Request.DequeueMessage dequeue) {
            return take(dequeue.query(), 0);
        }

        @Override
        public Response visit(Request.DequeueMessages dequeue) {
            return takeMany(dequeue, 0);
        }

        @Override
        public Response visit(Request.ReceiveMessage receive) {
            return take(receive.query(), receive.leaseMillis());
        }

        @Override
        public Response visit(Request.ReceiveMessages receive) {
            return takeMany(receive, receive.leaseMillis());
        }

        @Override
        public Response visit(Request.AcknowledgeMessages acknowledge) {
            return Answers.ofLeases(acknowledge, lease -> state.acknowledge(lease.message(), lease.token()));
        }

        @Override
        public Response visit(Request.ExtendLeases extend) {
            return Answers.ofLeases(extend,
                    lease -> state.extend(lease.message(), lease.token(), extend.leaseMillis()));
        }

        @Override
        public Response visit(Request.ReleaseMessages release) {
            return Answers.ofLeases(release, lease -> state.release(lease.message(), lease.token(), stored));
        }

        @Override
        public Response visit(Request.Acknowledge acknowledge) {
            return doneIf(state.acknowledge(acknowledge.message(), acknowledge.leaseToken()), acknowledge.message());
        }

        @Override
        public Response visit(Request.Extend extend) {
            return doneIf(state.extend(extend.message(), extend.leaseToken(), extend.leaseMillis()), extend.message());
        }

        @Override
        public Response visit(Request.Release release) {
            return doneIf(state.release(release.message(), release.leaseToken(), stored), release.message());
        }

        private Response toClient(Request.SendToClient send, long context) {
            MemoryQueue own = state.ownQueue(send.client());
            return own == null ? Failures.noClient(send.client()) : state.send(client, List.of(new OutgoingMessage(
                    own.id, 0, send.priority(), context, "", send.content())), stored);
        }

        private Response takeMany(Request.BulkRetrieval bulk, int leaseMillis) {
            Response.Failure failure = state.check(client, bulk.query());
            return failure != null ? failure : new Response.Deliveries(state.take(client, bulk.query(), bulk.max(),
                    Math.min(call.answerMax(), limits.maxPayloadBytes()), leaseMillis));
        }

        private Response take(MessageQuery query, int leaseMillis) {
            Response.Failure failure = state.check(client, query);
            return failure != null ? failure : delivery(state.take(client, query, 1, Integer.MAX_VALUE, leaseMillis));
        }
    }

    /** Makes messages visible again when their lease expires, and forgets keys when their window ends. */
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
