package ch.ethz.mlmq.scenario.database;

import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.RequestVisitor;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.scenario.link.BlockingSession;
import ch.ethz.mlmq.scenario.link.Numbering;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** One client's requests on queues in a database. */
final class TableSession implements BlockingSession {
    private final QueueInTables queues;
    private final Numbering numbering;
    private final int me;
    private final Visitor visitor = new Visitor();
    private final TopicsInTables topics;

    /**
     * @param topics null if there are none
     * @param me     number of the client
     */
    TableSession(QueueInTables queues, TopicsInTables topics, Numbering numbering, int me) {
        this.queues = queues;
        this.topics = topics;
        this.numbering = numbering;
        this.me = me;
    }

    @Override
    public Response execute(Request request) throws SQLException {
        return request.accept(visitor);
    }

    private Response sentTo(Request.SendToClient message, long context, Response answer) throws SQLException {
        queues.send(numbering.stored(message, context), numbering);
        return answer;
    }

    @Override
    public void abort() {
        queues.abort();
    }

    @Override
    public void close() throws SQLException {
        try {
            queues.release();
            if (topics != null) {
                topics.close();
            }
        } finally {
            queues.close();
        }
    }

    /** Executes the supported kinds of requests. */
    private final class Visitor implements RequestVisitor<Response, SQLException> {
        @Override
        public Response other(Request request) {
            return new Response.Failure(Status.INVALID_REQUEST, "a table has no " + request.type().label());
        }

        @Override
        public Response visit(Request.SendMessage message) throws SQLException {
            queues.send(numbering.stored(message), numbering);
            return Response.Done.INSTANCE;
        }

        @Override
        public Response visit(Request.SendMessages bulk) throws SQLException {
            queues.send(numbering.stored(bulk), numbering);
            return Response.Done.INSTANCE;
        }

        @Override
        public Response visit(Request.SendMessageToClient message) throws SQLException {
            return sentTo(message, 0, Response.Done.INSTANCE);
        }

        @Override
        public Response visit(Request.SendRequestToClient message) throws SQLException {
            long context = numbering.newContext(me);
            return sentTo(message, context, new Response.ContextAssigned(context));
        }

        @Override
        public Response visit(Request.SendResponseToClient message) throws SQLException {
            return sentTo(message, message.context(), Response.Done.INSTANCE);
        }

        @Override
        public Response visit(Request.DequeueMessage taken) throws SQLException {
            return new Response.Delivery(queues.take(queueOf(taken.query()), taken.query(), numbering));
        }

        @Override
        public Response visit(Request.DequeueMessages taken) throws SQLException {
            return new Response.Deliveries(queues.takeMany(queueOf(taken.query()), taken, numbering));
        }

        private int queueOf(MessageQuery query) {
            return query.toMe() ? numbering.ownQueue(me) : query.queue();
        }

        @Override
        public Response visit(TopicRequest.LookupTopic lookup) {
            int number = numbering.topic(lookup.name());
            if (topics == null) {
                return new Response.Failure(Status.INVALID_REQUEST, "pgmq has no topics");
            }
            return number != 0 ? new Response.TopicFound(number, lookup.name())
                    : new Response.Failure(Status.TOPIC_DOES_NOT_EXIST, "topic " + lookup.name());
        }

        @Override
        public Response visit(TopicRequest.Subscribe subscribe) throws SQLException {
            return new Response.QueueFound(topics.subscribe(subscribe), subscribe.name());
        }

        @Override
        public Response visit(TopicRequest.Publish publish) throws SQLException {
            return new Response.Published(topics.publish(publish));
        }

        @Override
        public Response visit(Request.QueueLength asked) throws SQLException {
            return numbering.isSubscription(asked.queue()) ? new Response.QueueLength(topics.length(asked.queue()), 0)
                    : other(asked);
        }

        @Override
        public Response visit(Request.ReceiveMessage received) throws SQLException {
            if (isOfALostSubscription(received.query())) {
                return gone();
            }
            List<Message> messages = receive(new Request.ReceiveMessages(received.query(), 1, received.leaseMillis()));
            return messages.isEmpty() ? Response.Delivery.NONE : new Response.Delivery(messages.get(0));
        }

        @Override
        public Response visit(Request.ReceiveMessages received) throws SQLException {
            return isOfALostSubscription(received.query()) ? gone() : new Response.Deliveries(receive(received));
        }

        /** The session is a new one if the connection was lost. */
        private boolean isOfALostSubscription(MessageQuery query) {
            return numbering.isSubscription(query.queue()) && !topics.has(query.queue());
        }

        private static Response gone() {
            return new Response.Failure(Status.QUEUE_DOES_NOT_EXIST, "the subscription's connection has ended");
        }

        private List<Message> receive(Request.ReceiveMessages received) throws SQLException {
            if (numbering.isSubscription(received.query().queue())) {
                return topics.receive(received, numbering);
            }
            return queues.receive(queueOf(received.query()), received, numbering);
        }

        @Override
        public Response visit(Request.Acknowledge ended) throws SQLException {
            Lease lease = new Lease(ended.message(), ended.leaseToken());
            return queues.acknowledge(List.of(lease), numbering).contains(lease) ? Response.Done.INSTANCE
                    : new Response.Failure(Status.UNKNOWN_LEASE, "message " + ended.message());
        }

        @Override
        public Response visit(Request.AcknowledgeMessages ended) throws SQLException {
            Set<Lease> settled = queues.acknowledge(ended.leases(), numbering);
            return new Response.LeaseStatuses(ended.leases().stream()
                    .map(lease -> settled.contains(lease) ? Status.OK : Status.UNKNOWN_LEASE).toList());
        }

        @Override
        public Response visit(Request.Register register) throws SQLException {
            queues.create(numbering.ownQueue(me), numbering);
            queues.register(register.name());
            return new Response.Registered(me, numbering.ownQueue(me));
        }

        @Override
        public Response visit(Request.LookupClient lookup) throws SQLException {
            int client = numbering.client(lookup.name());
            return client != 0 && queues.isRegistered(lookup.name()) ? new Response.ClientFound(client, lookup.name())
                    : new Response.Failure(Status.CLIENT_DOES_NOT_EXIST, "client " + lookup.name());
        }

        @Override
        public Response visit(Request.LookupQueue lookup) throws SQLException {
            int queue = numbering.queue(lookup.name());
            return queue != 0 && queues.exists(queue, numbering) ? new Response.QueueFound(queue, lookup.name())
                    : new Response.Failure(Status.QUEUE_DOES_NOT_EXIST, "queue " + lookup.name());
        }

        @Override
        public Response visit(Request.CreateQueue create) throws SQLException {
            queues.create(numbering.queue(create.name()), numbering);
            return new Response.QueueFound(numbering.queue(create.name()), create.name());
        }
    }
}
