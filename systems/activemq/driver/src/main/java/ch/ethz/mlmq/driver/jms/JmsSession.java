package ch.ethz.mlmq.driver.jms;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.RequestVisitor;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.scenario.link.BlockingSession;
import ch.ethz.mlmq.scenario.link.Numbering;
import ch.ethz.mlmq.scenario.settings.DriverKeys;
import ch.ethz.mlmq.scenario.settings.DriverKeys.Acknowledge;
import ch.ethz.mlmq.scenario.settings.TopicKeys;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import javax.jms.BytesMessage;
import javax.jms.DeliveryMode;
import javax.jms.Destination;
import javax.jms.JMSException;
import javax.jms.Message;
import javax.jms.MessageProducer;
import javax.jms.Queue;
import javax.jms.QueueBrowser;
import javax.jms.Session;
import javax.jms.Topic;
import org.apache.activemq.ActiveMQConnection;
import org.apache.activemq.ActiveMQSession;

/**
 * One of a client's sessions in its connection to ActiveMQ. Several messages that a request sends are one transaction,
 * as with MLMQ: stored all or none, and flushed once.
 */
final class JmsSession implements BlockingSession {
    private final SharedConnection shared;
    private final ActiveMQConnection connection;
    private final Acknowledge way;
    private final Numbering numbering;
    private final int me;
    private final String prefix;
    private final boolean priorities;
    private final int delivery;
    private final Session session;
    private final MessageProducer producer;
    private Session transacted;
    private MessageProducer together;
    private final Takes takes;
    /** Takes under leases, which may be acknowledged together. */
    private final Takes receipts;
    private final TopicSubscriptions subscriptions;
    private final int copies;
    private final Map<Integer, Queue> queues = new HashMap<>();
    private final Visitor visitor = new Visitor();

    /** @param me number of the client */
    JmsSession(SharedConnection shared, ActiveMQConnection connection, Settings settings, Numbering numbering, int me)
            throws JMSException {
        this.shared = shared;
        this.connection = connection;
        this.way = settings.get(DriverKeys.ACKNOWLEDGE);
        this.numbering = numbering;
        this.me = me;
        this.prefix = settings.get(DriverKeys.PREFIX) + ".";
        this.priorities = settings.get(DriverKeys.PRIORITIES);
        this.delivery = settings.get(DriverKeys.DELIVERY) == DriverKeys.Delivery.PERSISTENT ? DeliveryMode.PERSISTENT
                : DeliveryMode.NON_PERSISTENT;
        this.session = connection.createSession(false, ActiveMQSession.INDIVIDUAL_ACKNOWLEDGE);
        this.producer = session.createProducer(null);
        this.subscriptions = new TopicSubscriptions(connection, numbering);
        this.copies = settings.get(TopicKeys.MATCHING);
        this.takes = new Takes(connection, Acknowledge.EACH, this::queue, settings, numbering, me);
        this.receipts = way == Acknowledge.USUAL || way == Acknowledge.EACH ? takes
                : new Takes(connection, way, this::queue, settings, numbering, me);
    }

    @Override
    public Response execute(Request request) throws JMSException {
        return request.accept(visitor);
    }

    /** Fails the connection, so that waits for a response of the broker end. */
    @Override
    public void abort() {
        subscriptions.letGo();
        connection.onException(new IOException("no response in time"));
    }

    /** Closes the sessions, unless their connection ends with this one. */
    @Override
    public void close() throws JMSException {
        subscriptions.letGo();
        if (!shared.leave(connection)) {
            subscriptions.close();
            takes.close();
            receipts.close();
            session.close();
            if (transacted != null) {
                transacted.close();
            }
        }
    }

    private Queue queue(int number) throws JMSException {
        Queue queue = queues.get(number);
        if (queue == null) {
            queue = session.createQueue(prefix + numbering.queueName(number));
            queues.put(number, queue);
        }
        return queue;
    }

    private Response send(List<OutgoingMessage> messages, Response answer) throws JMSException {
        if (messages.size() == 1 && way != Acknowledge.TRANSACTED) {
            send(producer, messages.get(0));
        } else {
            transact(by -> {
                for (OutgoingMessage message : messages) {
                    send(by, message);
                }
            });
        }
        return answer;
    }

    /** Sends by a producer. */
    private interface Sending {
        void by(MessageProducer producer) throws JMSException;
    }

    private void transact(Sending sending) throws JMSException {
        if (transacted == null) {
            transacted = connection.createSession(true, Session.SESSION_TRANSACTED);
            together = transacted.createProducer(null);
        }
        try {
            sending.by(together);
            transacted.commit();
        } catch (JMSException e) {
            rollBack(e);
            throw e;
        }
    }

    /** Otherwise the next commit would also store the messages of the failed request. */
    private void rollBack(JMSException failure) {
        try {
            transacted.rollback();
        } catch (JMSException e) {
            failure.addSuppressed(e);
        }
    }

    private void send(MessageProducer by, OutgoingMessage outgoing) throws JMSException {
        send(by, queue(outgoing.queue()), bytes(outgoing.content(), outgoing.context()), outgoing.priority());
    }

    private void send(MessageProducer by, Destination to, BytesMessage message, int priority) throws JMSException {
        by.send(to, message, delivery, priorities ? priority - 1 : Message.DEFAULT_PRIORITY,
                Message.DEFAULT_TIME_TO_LIVE);
    }

    private BytesMessage bytes(byte[] content, long context) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(content);
        if (context != 0) {
            message.setJMSCorrelationID(Long.toString(context));
        }
        return message;
    }

    private Topic topic(int number) throws JMSException {
        return session.createTopic(prefix + numbering.topicName(number));
    }

    /**
     * JMS cannot ask whether a queue exists, so each client leaves a message in its queue to show that it has
     * registered.
     */
    private boolean isRegistered(String client) throws JMSException {
        QueueBrowser browser = session.createBrowser(registration(client));
        try {
            return browser.getEnumeration().hasMoreElements();
        } finally {
            browser.close();
        }
    }

    private Queue registration(String client) throws JMSException {
        return session.createQueue(prefix + "registered." + client);
    }

    /** Executes the supported kinds of requests. */
    private final class Visitor implements RequestVisitor<Response, JMSException> {
        @Override
        public Response other(Request request) {
            return new Response.Failure(Status.INVALID_REQUEST, "JMS has no " + request.type().label());
        }

        @Override
        public Response visit(Request.SendMessage message) throws JMSException {
            return send(numbering.stored(message), Response.Done.INSTANCE);
        }

        @Override
        public Response visit(Request.SendMessages bulk) throws JMSException {
            return send(numbering.stored(bulk), Response.Done.INSTANCE);
        }

        @Override
        public Response visit(Request.SendMessageToClient message) throws JMSException {
            return send(numbering.stored(message, 0), Response.Done.INSTANCE);
        }

        @Override
        public Response visit(Request.SendRequestToClient message) throws JMSException {
            long context = numbering.newContext(me);
            return send(numbering.stored(message, context), new Response.ContextAssigned(context));
        }

        @Override
        public Response visit(Request.SendResponseToClient message) throws JMSException {
            return send(numbering.stored(message, message.context()), Response.Done.INSTANCE);
        }

        @Override
        public Response visit(Request.DequeueMessage taken) throws JMSException {
            return new Response.Delivery(takes.take(queueOf(taken.query()), taken.query().context()));
        }

        @Override
        public Response visit(Request.ReceiveMessage received) throws JMSException {
            return receive(received.query(), 1, messages -> messages.isEmpty() ? Response.Delivery.NONE
                    : new Response.Delivery(messages.get(0)));
        }

        @Override
        public Response visit(Request.ReceiveMessages received) throws JMSException {
            return receive(received.query(), received.max(), Response.Deliveries::new);
        }

        private Response receive(MessageQuery query, int max,
                Function<List<ch.ethz.mlmq.protocol.Message>, Response> response) throws JMSException {
            if (!numbering.isSubscription(query.queue())) {
                return response.apply(receipts.receive(queueOf(query), query.context(), max));
            }
            return subscriptions.has(query.queue())
                    ? response.apply(takes.receive(subscriptions, query.waitMillis(), max))
                    : new Response.Failure(Status.QUEUE_DOES_NOT_EXIST, "the subscription's connection has ended");
        }

        @Override
        public Response visit(TopicRequest.LookupTopic lookup) {
            int number = numbering.topic(lookup.name());
            return number != 0 ? new Response.TopicFound(number, lookup.name())
                    : new Response.Failure(Status.TOPIC_DOES_NOT_EXIST, "topic " + lookup.name());
        }

        @Override
        public Response visit(TopicRequest.Subscribe subscribe) throws JMSException {
            return new Response.QueueFound(subscriptions.subscribe(topic(subscribe.topic()), subscribe),
                    subscribe.name());
        }

        /** JMS does not tell how many subscriptions get a message, so the response has the number of the settings. */
        @Override
        public Response visit(TopicRequest.Publish publish) throws JMSException {
            BytesMessage message = bytes(publish.content(), publish.context());
            for (Map.Entry<String, Object> property : publish.properties().asMap().entrySet()) {
                message.setObjectProperty(property.getKey(), property.getValue());
            }
            Sending sending = by -> send(by, topic(publish.topic()), message, publish.priority());
            if (way == Acknowledge.TRANSACTED) {
                transact(sending);
            } else {
                sending.by(producer);
            }
            return new Response.Published(copies);
        }

        private int queueOf(MessageQuery query) {
            return query.toMe() ? numbering.ownQueue(me) : query.queue();
        }

        @Override
        public Response visit(Request.Acknowledge ended) throws JMSException {
            Lease lease = new Lease(ended.message(), ended.leaseToken());
            return acknowledge(List.of(lease)).contains(lease) ? Response.Done.INSTANCE
                    : new Response.Failure(Status.UNKNOWN_LEASE, "message " + ended.message());
        }

        @Override
        public Response visit(Request.AcknowledgeMessages ended) throws JMSException {
            Set<Lease> settled = acknowledge(ended.leases());
            return new Response.LeaseStatuses(ended.leases().stream()
                    .map(lease -> settled.contains(lease) ? Status.OK : Status.UNKNOWN_LEASE).toList());
        }

        /** Messages of subscriptions are always acknowledged one by one. */
        private Set<Lease> acknowledge(List<Lease> leases) throws JMSException {
            Set<Lease> settled = new HashSet<>(receipts.acknowledge(leases));
            settled.addAll(takes.acknowledge(leases));
            return settled;
        }

        @Override
        public Response visit(Request.Register register) throws JMSException {
            if (!isRegistered(register.name())) {
                producer.send(registration(register.name()), session.createMessage());
            }
            return new Response.Registered(me, numbering.ownQueue(me));
        }

        @Override
        public Response visit(Request.LookupClient lookup) throws JMSException {
            int client = numbering.client(lookup.name());
            return client != 0 && isRegistered(lookup.name()) ? new Response.ClientFound(client, lookup.name())
                    : new Response.Failure(Status.CLIENT_DOES_NOT_EXIST, "client " + lookup.name());
        }

        /** A queue comes into existence when it is used, so every lookup succeeds. */
        @Override
        public Response visit(Request.LookupQueue lookup) {
            int number = numbering.queue(lookup.name());
            return number != 0 ? new Response.QueueFound(number, lookup.name())
                    : new Response.Failure(Status.QUEUE_DOES_NOT_EXIST, "queue " + lookup.name());
        }
    }
}
