package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import ch.ethz.mlmq.scenario.workload.PublicQueues;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Takes from messages that the server pushes. The public queues are dealt to the clients, as programs on RabbitMQ do: a
 * client consumes its share, and a take gets the first message of it, a batch those that are there. A message that is
 * taken for good is acknowledged at once. A take waits for its first message for at most half of the timeout.
 */
final class Subscriptions implements Takes {
    private static final Logger LOG = Logger.getLogger(Subscriptions.class.getName());
    /** Prefetch of a queue for one or two clients, large enough that messages nobody waits for do not block others. */
    private static final int OWN_PREFETCH = 100;
    private static final int PUBLIC = 0;
    private static final Response.Delivery NOTHING_CAME = new Response.Delivery(null);
    private static final Response.Deliveries NO_BATCH_CAME = new Response.Deliveries(List.of());

    private final AmqpSession session;
    private final QueueNames names;
    private final Deliveries deliveries;
    private final int prefetch;
    private final PublicQueues queues;
    private final int[] share;
    private final long waitNanos;
    private final Executor helpers;
    private final Map<Integer, Subscription> subscriptions = new ConcurrentHashMap<>();

    Subscriptions(AmqpSession session, QueueNames names, Deliveries deliveries, int prefetch, int[] share,
            Settings settings, Executor helpers) {
        this.session = session;
        this.names = names;
        this.deliveries = deliveries;
        this.prefetch = prefetch;
        this.share = share;
        this.queues = settings.get(ClientKeys.QUEUES);
        this.waitNanos = settings.get(ClientKeys.TIMEOUT).toNanos() / 2;
        this.helpers = helpers;
    }

    /** @return true if it is the result of a take that ended without a message; the server is not involved */
    static boolean isEndOfWait(Response response) {
        return response == NOTHING_CAME || response == NO_BATCH_CAME;
    }

    @Override
    public Status take(Retrieval retrieval) throws IOException {
        int queue = queues.contains(retrieval.queue()) ? PUBLIC : retrieval.queue();
        Subscription subscription = subscriptions.computeIfAbsent(queue, number -> {
            Subscription made = new Subscription(number);
            helpers.execute(made::subscribe);
            return made;
        });
        return subscription.take(retrieval);
    }

    @Override
    public void endWaits(long nowNanos, long timeoutNanos) {
        subscriptions.values().forEach(subscription -> subscription.endWaits(nowNanos));
    }

    @Override
    public void endAll() {
        subscriptions.values().forEach(Subscription::endAll);
    }

    /** Consumers that share a channel. The connection's reader delivers; any thread takes. */
    private final class Subscription {
        private final int queue;
        private final Deque<Message> pushed = new ArrayDeque<>();
        private final Deque<Retrieval> wanted = new ArrayDeque<>();
        private volatile AckChannel channel;

        private Subscription(int queue) {
            this.queue = queue;
        }

        private void subscribe() {
            try {
                channel = session.newAckChannel();
                channel.channel().basicQos(queue == PUBLIC ? prefetch : Math.max(prefetch, OWN_PREFETCH));
                for (int number : queue == PUBLIC ? share : new int[] {queue}) {
                    consume(number);
                }
            } catch (IOException | RuntimeException e) {
                LOG.log(session.isOpen() ? Level.WARNING : Level.FINE, "the subscription failed: "
                        + AmqpLink.reason(e));
                subscriptions.remove(queue, this);
                endAll();
            }
        }

        private void consume(int number) throws IOException {
            channel.channel().basicConsume(names.of(number), false, new DefaultConsumer(channel.channel()) {
                @Override
                public void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties properties,
                        byte[] content) throws IOException {
                    delivered(deliveries.message(number, envelope, properties, content));
                }
            });
        }

        private Status take(Retrieval one) throws IOException {
            synchronized (this) {
                for (Iterator<Message> each = pushed.iterator(); !one.isFull() && each.hasNext(); ) {
                    Message message = each.next();
                    if (one.matches(message)) {
                        each.remove();
                        one.add(message);
                    }
                }
                if (one.isEmpty()) {
                    wanted.add(one);
                    return Status.OK;
                }
            }
            acknowledge(one);
            one.succeed(one.response(channel.token()));
            return Status.OK;
        }

        private void delivered(Message message) throws IOException {
            channel.delivered(message.id());
            Retrieval taker = null;
            synchronized (this) {
                for (Iterator<Retrieval> each = wanted.iterator(); taker == null && each.hasNext(); ) {
                    Retrieval one = each.next();
                    if (one.isEnded()) {
                        each.remove();
                    } else if (one.matches(message) && one.claim()) {
                        each.remove();
                        taker = one;
                    }
                }
                if (taker == null) {
                    pushed.add(message);
                }
            }
            if (taker != null) {
                taker.add(message);
                acknowledge(taker);
                taker.tell(Status.OK, taker.response(channel.token()));
            }
        }

        private void acknowledge(Retrieval taker) throws IOException {
            if (!taker.isUnderLease()) {
                channel.acknowledge(taker.messages().get(0).id());
            }
        }

        private void endWaits(long nowNanos) {
            for (Retrieval first = first(); first != null && (first.isEnded() || first.ageNanos(nowNanos) > waitNanos);
                    first = first()) {
                synchronized (this) {
                    wanted.remove(first);
                }
                first.succeed(first.isBatch() ? NO_BATCH_CAME : NOTHING_CAME);
            }
        }

        private synchronized Retrieval first() {
            return wanted.peek();
        }

        private void endAll() {
            for (Retrieval first = polled(); first != null; first = polled()) {
                first.end(Status.CONNECTION_LOST, null);
            }
        }

        private synchronized Retrieval polled() {
            return wanted.poll();
        }
    }
}
