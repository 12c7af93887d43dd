package ch.ethz.mlmq.driver.jms;

import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.scenario.link.Numbering;
import java.util.HashMap;
import java.util.Map;
import javax.jms.JMSException;
import javax.jms.MessageConsumer;
import javax.jms.Session;
import javax.jms.Topic;
import org.apache.activemq.ActiveMQConnection;
import org.apache.activemq.ActiveMQSession;

/**
 * The subscriptions of one client, in a session of their own. The broker pushes what they get, as far as the prefetch
 * reaches; one take gets it, whichever subscription it comes from. They end with the connection, unless durable.
 */
final class TopicSubscriptions {
    private final ActiveMQConnection connection;
    private final Numbering numbering;
    private final Map<Integer, MessageConsumer> consumers = new HashMap<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private final PushedMessages pushed = new PushedMessages();
    private Session session;

    TopicSubscriptions(ActiveMQConnection connection, Numbering numbering) {
        this.connection = connection;
        this.numbering = numbering;
    }

    /** @return number of the subscription */
    int subscribe(Topic topic, TopicRequest.Subscribe subscribe) throws JMSException {
        if (session == null) {
            session = connection.createSession(false, ActiveMQSession.INDIVIDUAL_ACKNOWLEDGE);
        }
        String name = topic.getTopicName() + "." + subscribe.name();
        if (numbers.containsKey(name)) {
            return numbers.get(name);
        }
        String selector = selector(subscribe.filter());
        MessageConsumer consumer = subscribe.durable()
                ? session.createDurableSubscriber(topic, name, selector, false)
                : session.createConsumer(topic, selector);
        int number = numbering.subscription(name);
        consumer.setMessageListener(message -> pushed.add(new PushedMessages.Pushed(number, message)));
        consumers.put(number, consumer);
        numbers.put(name, number);
        return number;
    }

    boolean has(int subscription) {
        return consumers.containsKey(subscription);
    }

    /** @return the next message of any subscription, or null if none comes in time */
    PushedMessages.Pushed next(long waitMillis) {
        return pushed.next(waitMillis);
    }

    /** Lets the connection end, although messages wait for room. */
    void letGo() {
        pushed.close();
    }

    /** Ends those that are not durable, where the connection stays. */
    void close() throws JMSException {
        letGo();
        if (session != null) {
            session.close();
        }
    }

    /** The correlation id has the part of the context. @return null for all messages */
    private static String selector(String filter) {
        return filter.isEmpty() ? null : filter.replaceAll("\\$context = (\\d+)", "JMSCorrelationID = '$1'");
    }
}
