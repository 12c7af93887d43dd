package ch.ethz.mlmq.driver.jms;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.scenario.link.Numbering;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import ch.ethz.mlmq.scenario.settings.DriverKeys.Acknowledge;
import ch.ethz.mlmq.scenario.settings.DriverKeys.Take;
import ch.ethz.mlmq.scenario.settings.DriverKeys;
import ch.ethz.mlmq.scenario.workload.PublicQueues;
import ch.ethz.mlmq.storage.Tokens;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.jms.BytesMessage;
import javax.jms.IllegalStateException;
import javax.jms.JMSException;
import javax.jms.MessageConsumer;
import javax.jms.Queue;
import javax.jms.Session;
import org.apache.activemq.ActiveMQConnection;
import org.apache.activemq.ActiveMQSession;
import org.apache.activemq.command.ActiveMQQueue;

/**
 * Consumers of one session. Pulling consumers have no prefetch, so the broker answers each poll, even without a
 * message. For pushed messages the client's share of the public queues is one destination. A session acknowledges each
 * message by itself, or all that it has received together; then it has the messages of one request at a time.
 */
final class Takes {
    private static final int PUBLIC = 0;

    private final ActiveMQConnection connection;
    private final Acknowledge way;
    private final Queues queues;
    private final Numbering numbering;
    private final boolean pulls;
    private final long waitMillis;
    private final PublicQueues publicQueues;
    private final int[] share;
    private final Map<Integer, MessageConsumer> consumers = new HashMap<>();
    /** Messages that no request waits for; they are not acknowledged, so they stay at the broker. */
    private final List<Found> unwanted = new ArrayList<>();
    /** Received messages by their leases. A lease has no time limit, and ends with the session. */
    private final Map<Lease, javax.jms.Message> unacknowledged = new LinkedHashMap<>();
    private final long token = Tokens.ofALease();
    private long lastLeased;
    private Session session;

    /** Finds queues by their numbers. */
    interface Queues {
        Queue of(int number) throws JMSException;
    }

    /** A message that is not acknowledged, as MLMQ and as JMS have it. */
    private record Found(Message message, javax.jms.Message original) {
    }

    /**
     * @param way EACH, BATCH or TRANSACTED
     * @param me  number of the client
     */
    Takes(ActiveMQConnection connection, Acknowledge way, Queues queues, Settings settings, Numbering numbering,
            int me) {
        this.connection = connection;
        this.way = way;
        this.queues = queues;
        this.numbering = numbering;
        this.pulls = settings.get(DriverKeys.TAKE) == Take.GET;
        this.waitMillis = Math.max(1, settings.get(ClientKeys.TIMEOUT).toMillis() / 2);
        this.publicQueues = settings.get(ClientKeys.QUEUES);
        this.share = numbering.shareOf(me, publicQueues, settings);
    }

    /** @return an acknowledged message, or null if there is none */
    Message take(int queue, long context) throws JMSException {
        Found found = next(queue, context, waitMillis);
        if (found == null) {
            return null;
        }
        found.original.acknowledge();
        return found.message;
    }

    /**
     * Receives messages that are to be acknowledged. A batch ends where the next message is not there yet.
     *
     * @param max most messages, at least 1
     */
    List<Message> receive(int queue, long context, int max) throws JMSException {
        if (way != Acknowledge.EACH && !unacknowledged.isEmpty()) {
            release();
        }
        List<Message> messages = new ArrayList<>();
        Found found = next(queue, context, waitMillis);
        while (found != null) {
            messages.add(leased(found));
            found = messages.size() < max ? next(queue, context, 0) : null;
        }
        return messages;
    }

    /** @return those of messages that this session has received and not acknowledged before */
    Set<Lease> acknowledge(List<Lease> leases) throws JMSException {
        Set<Lease> known = new LinkedHashSet<>(leases);
        known.retainAll(unacknowledged.keySet());
        if (way == Acknowledge.EACH) {
            for (Lease lease : known) {
                unacknowledged.remove(lease).acknowledge();
            }
            return known;
        }
        boolean all = known.size() == unacknowledged.size();
        if (!known.isEmpty() && all) {
            settle();
        } else if (!known.isEmpty()) {
            release();
        }
        return all ? known : Set.of();
    }

    private void settle() throws JMSException {
        if (way == Acknowledge.TRANSACTED) {
            session.commit();
        } else {
            unacknowledged.values().iterator().next().acknowledge();
        }
        unacknowledged.clear();
    }

    /** Gives all messages back to the broker. */
    private void release() throws JMSException {
        unacknowledged.clear();
        close();
    }

    void close() throws JMSException {
        Session ended = session;
        session = null;
        consumers.clear();
        if (ended != null) {
            ended.close();
        }
    }

    private Session session() throws JMSException {
        if (session == null) {
            boolean transacted = way == Acknowledge.TRANSACTED;
            session = connection.createSession(transacted, switch (way) {
                case TRANSACTED -> Session.SESSION_TRANSACTED;
                case BATCH -> Session.CLIENT_ACKNOWLEDGE;
                default -> ActiveMQSession.INDIVIDUAL_ACKNOWLEDGE;
            });
        }
        return session;
    }

    /** Receives messages of any subscription; they are to be acknowledged as well. */
    List<Message> receive(TopicSubscriptions subscriptions, long waitMillis, int max) throws JMSException {
        List<Message> messages = new ArrayList<>();
        PushedMessages.Pushed pushed = subscriptions.next(waitMillis);
        while (pushed != null) {
            messages.add(leased(new Found(message(pushed.subscription(), pushed.message()), pushed.message())));
            pushed = messages.size() < max ? subscriptions.next(0) : null;
        }
        if (messages.isEmpty()) {
            requireConnection();
        }
        return messages;
    }

    private Message leased(Found found) {
        Message message = found.message;
        Message leased = new Message(++lastLeased, message.queue(), message.envelope(),
                new Message.Delivery(message.delivery().count(), token), message.content());
        unacknowledged.put(leased.lease(), found.original);
        return leased;
    }

    private void requireConnection() throws JMSException {
        if (connection.isTransportFailed() || connection.isClosed()) {
            throw new IllegalStateException("the connection was lost");
        }
    }

    /** @return the next message, which is not acknowledged, or null if there is none */
    private Found next(int queue, long context, long patienceMillis) throws JMSException {
        Found found = context == 0 ? null : nextOfUnwanted(queue, context);
        while (found == null) {
            MessageConsumer consumer = consumer(queue);
            javax.jms.Message received = pulls || patienceMillis == 0 ? consumer.receiveNoWait()
                    : consumer.receive(patienceMillis);
            if (received == null) {
                requireConnection();
                return null;
            }
            Found next = new Found(message(queue, received), received);
            if (context == 0 || context == next.message.context()) {
                found = next;
            } else {
                unwanted.add(next);
            }
        }
        return found;
    }

    private Found nextOfUnwanted(int queue, long context) {
        for (Iterator<Found> each = unwanted.iterator(); each.hasNext(); ) {
            Found one = each.next();
            if (one.message.queue() == queue && one.message.context() == context) {
                each.remove();
                return one;
            }
        }
        return null;
    }

    private MessageConsumer consumer(int queue) throws JMSException {
        int key = pulls || !publicQueues.contains(queue) ? queue : PUBLIC;
        MessageConsumer consumer = consumers.get(key);
        if (consumer == null) {
            consumer = session().createConsumer(key == PUBLIC ? destinationOfShare() : queues.of(queue));
            consumers.put(key, consumer);
        }
        return consumer;
    }

    /** Uses ActiveMQ's composite destinations, which stand for several queues. */
    private Queue destinationOfShare() throws JMSException {
        List<String> names = new ArrayList<>();
        for (int number : share) {
            names.add(queues.of(number).getQueueName());
        }
        return new ActiveMQQueue(String.join(",", names));
    }

    private Message message(int queue, javax.jms.Message received) throws JMSException {
        byte[] content = new byte[0];
        if (received instanceof BytesMessage bytes) {
            content = new byte[(int) bytes.getBodyLength()];
            bytes.readBytes(content);
        }
        Message.Envelope envelope = new Message.Envelope(numbering.sender(content), 0, received.getJMSPriority() + 1,
                context(received.getJMSCorrelationID()), 0);
        return new Message(0, queue, envelope, new Message.Delivery(received.getJMSRedelivered() ? 2 : 1), content);
    }

    private static long context(String correlation) {
        return correlation != null && correlation.matches("\\d{1,18}") ? Long.parseLong(correlation) : 0;
    }
}
