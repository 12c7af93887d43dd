package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.scenario.link.Numbering;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The subscriptions of one client: each is a queue with bindings to the exchange of its topic. The server pushes what
 * they get, and one take gets it, whichever subscription it comes from. They end with the connection, unless durable.
 */
final class TopicSubscriptions implements Takes {
    private final AmqpSession session;
    private final Exchanges exchanges;
    private final Numbering numbering;
    private final int prefetch;
    private final Pushed pushed;
    /** Names on the server of the subscriptions' queues. */
    private final Map<Integer, String> queues = new ConcurrentHashMap<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private Channel declaring;

    TopicSubscriptions(AmqpSession session, Exchanges exchanges, Numbering numbering, int prefetch, Settings settings) {
        this.session = session;
        this.exchanges = exchanges;
        this.numbering = numbering;
        this.prefetch = prefetch;
        this.pushed = new Pushed(session, new Deliveries(numbering), settings.get(ClientKeys.TIMEOUT).toNanos() / 2);
    }

    /** Waits for the server. */
    synchronized void createTopic(int topic) throws IOException {
        exchanges.declare(channel(), topic);
    }

    /** Makes or finds the subscription. Waits for the server. @return its number */
    synchronized int subscribe(TopicRequest.Subscribe subscribe) throws IOException {
        String queue = exchanges.bind(channel(), subscribe);
        Integer known = numbers.get(queue);
        if (known != null) {
            return known;
        }
        if (numbers.isEmpty()) {
            pushed.openChannel(prefetch);
        }
        int number = numbering.subscription(queue);
        queues.put(number, queue);
        pushed.consume(number, queue);
        numbers.put(queue, number);
        return number;
    }

    /** Waits for the server. @return messages that wait on the server, and those that are not acknowledged */
    synchronized Response length(int subscription) throws IOException {
        String queue = queues.get(subscription);
        return queue == null ? gone() : new Response.QueueLength(channel().queueDeclarePassive(queue).getMessageCount(),
                pushed.open(subscription));
    }

    private Channel channel() throws IOException {
        if (declaring == null) {
            declaring = session.newChannel();
        }
        return declaring;
    }

    @Override
    public Status take(Retrieval retrieval) throws IOException {
        if (!queues.containsKey(retrieval.queue())) {
            retrieval.end(Status.QUEUE_DOES_NOT_EXIST, gone());
            return Status.OK;
        }
        return pushed.take(retrieval);
    }

    private static Response.Failure gone() {
        return new Response.Failure(Status.QUEUE_DOES_NOT_EXIST, "the subscription's connection has ended");
    }

    @Override
    public void endWaits(long nowNanos, long timeoutNanos) {
        pushed.endWaits(nowNanos);
    }

    @Override
    public void endAll() {
        pushed.endAll();
    }
}
