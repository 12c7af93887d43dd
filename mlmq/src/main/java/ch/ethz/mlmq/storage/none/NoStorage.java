package ch.ethz.mlmq.storage.none;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MoveMessages;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.RequestVisitor;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Statement;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.storage.Answers;
import ch.ethz.mlmq.storage.Arrivals;
import ch.ethz.mlmq.storage.Call;
import ch.ethz.mlmq.storage.Storage;
import ch.ethz.mlmq.storage.Tokens;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Acknowledges every request and keeps nothing, to measure the middleware alone. */
public final class NoStorage implements Storage {
    private final AtomicInteger ids = new AtomicInteger();
    private final AtomicLong contexts = new AtomicLong();

    @Override
    public void execute(List<Call> calls) {
        for (Call call : calls) {
            call.answer(call.request().accept(new Acknowledgement(call)));
        }
    }

    @Override
    public void offline(Collection<Session> sessions) {
        // No client was online.
    }

    @Override
    public void requeue(Collection<Message> messages) {
        // There are no messages.
    }

    @Override
    public void tell(Arrivals arrivals, Runnable expelled, Returned returned) {
        // No message ever arrives.
    }

    @Override
    public List<Agent> agents() {
        return List.of();
    }

    @Override
    public void close() {
        // There is nothing to close.
    }

    private final class Acknowledgement implements RequestVisitor<Response, RuntimeException> {
        private final Call call;

        private Acknowledgement(Call call) {
            this.call = call;
        }

        @Override
        public Response other(Request request) {
            return request instanceof Request.Retrieval ? Response.Delivery.NONE : Response.Done.INSTANCE;
        }

        @Override
        public Response visit(Statement statement) {
            return new Response.Failure(Status.INVALID_REQUEST, "this broker keeps no queues that could have limits");
        }

        @Override
        public Response visit(Request.Register register) {
            int client = ids.incrementAndGet();
            call.opened(new Session(client, client));
            return new Response.Registered(client, ids.incrementAndGet(),
                    register.token() == 0 ? Tokens.ofASession() : register.token());
        }

        @Override
        public Response visit(Request.CreateQueue create) {
            return new Response.QueueFound(ids.incrementAndGet(), create.name());
        }

        @Override
        public Response visit(Request.LookupQueue lookup) {
            return new Response.QueueFound(ids.incrementAndGet(), lookup.name());
        }

        @Override
        public Response visit(Request.LookupClientQueue lookup) {
            return new Response.QueueFound(ids.incrementAndGet(), lookup.name());
        }

        @Override
        public Response visit(Request.LookupClient lookup) {
            return new Response.ClientFound(ids.incrementAndGet(), lookup.name());
        }

        @Override
        public Response visit(Request.SendRequestToClient send) {
            return new Response.ContextAssigned(contexts.incrementAndGet());
        }

        @Override
        public Response visit(Request.QueuesWithPendingMessages pending) {
            return new Response.PendingQueues(0, new int[0]);
        }

        @Override
        public Response visit(MoveMessages move) {
            return new Response.Moved(0);
        }

        @Override
        public Response visit(Request.QueueLength length) {
            return new Response.QueueLength(0, 0);
        }

        @Override
        public Response visit(TopicRequest.CreateTopic create) {
            return new Response.TopicFound(ids.incrementAndGet(), create.name());
        }

        @Override
        public Response visit(TopicRequest.LookupTopic lookup) {
            return new Response.TopicFound(ids.incrementAndGet(), lookup.name());
        }

        @Override
        public Response visit(TopicRequest.Subscribe subscribe) {
            return new Response.QueueFound(ids.incrementAndGet(), subscribe.name());
        }

        @Override
        public Response visit(TopicRequest.Publish publish) {
            return new Response.Published(0);
        }

        @Override
        public Response visit(Request.DequeueMessages dequeue) {
            return new Response.Deliveries(List.of());
        }

        @Override
        public Response visit(Request.ReceiveMessages receive) {
            return new Response.Deliveries(List.of());
        }

        @Override
        public Response visit(Request.AcknowledgeMessages acknowledge) {
            return Answers.ofLeases(acknowledge, lease -> true);
        }

        @Override
        public Response visit(Request.ExtendLeases extend) {
            return Answers.ofLeases(extend, lease -> true);
        }

        @Override
        public Response visit(Request.ReleaseMessages release) {
            return Answers.ofLeases(release, lease -> true);
        }
    }
}
