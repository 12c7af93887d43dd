package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Takes from messages that the server pushes. The public queues are dealt to the clients, as programs on RabbitMQ do: a
 * client consumes its share, and a take gets the first message of it. A message is acknowledged when it is taken. A
 * take waits for a message for at most half of the timeout.
 */
final class Subscriptions implements Takes {
    private static final Logger LOG = Logger.getLogger(Subscriptions.class.getName());
    /** Prefetch of a queue for one or two clients, large enough that messages nobody waits for do not block others. */
    private static final int OWN_PREFETCH = 100;
    private static final int PUBLIC = 0;
    /** Result of a take that ended without a message; the server is not involved. */
    static final Response.Delivery NOTHING_CAME = new Response.Delivery(null);

    private final AmqpSession session;
    private final QueueNames names;
    private final Deliveries deliveries;
    private final int prefetch;
    private final int queues;
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

    /** A request that waits for a message. */
    private static final class Wanted extends UnderWay {
        private final long context;

        private Wanted(long context, Completion completion) {
            super(completion);
            this.context = context;
        }

        private boolean matches(Message message) {
            return context == 0 || context == message.context();
        }
    }

    @Override
    public Status take(int queue, long context, Completion completion) throws IOException {
        Subscription subscription = subscriptions.computeIfAbsent(queue <= queues ? PUBLIC : queue, number -> {
            Subscription made = new Subscription(number);
            helpers.execute(made::subscribe);
            return made;
        });
        return subscription.take(new Wanted(context, completion));
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
        private final Deque<Wanted> wanted = new ArrayDeque<>();
        private volatile Channel channel;

        private Subscription(int queue) {
            this.queue = queue;
        }

        private void subscribe() {
            try {
                channel = session.newChannel();
                channel.basicQos(queue == PUBLIC ? prefetch : Math.max(prefetch, OWN_PREFETCH));
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
            channel.basicConsume(names.of(number), false, new DefaultConsumer(channel) {
                @Override
                public void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties properties,
                        byte[] content) throws IOException {
                    delivered(deliveries.message(number, envelope, properties, content));
                }
            });
        }

        private Status take(Wanted one) throws IOException {
            Message found = null;
            synchronized (this) {
                for (Iterator<Message> each = pushed.iterator(); found == null && each.hasNext(); ) {
                    Message message = each.next();
                    if (one.matches(message)) {
                        each.remove();
                        found = message;
                    }
                }
                if (found == null) {
                    wanted.add(one);
                }
            }
            if (found != null) {
                channel.basicAck(found.id(), false);
                one.succeed(new Response.Delivery(found));
            }
            return Status.OK;
        }

        private void delivered(Message message) throws IOException {
            Wanted taker = null;
            synchronized (this) {
                for (Iterator<Wanted> each = wanted.iterator(); taker == null && each.hasNext(); ) {
                    Wanted one = each.next();
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
                channel.basicAck(message.id(), false);
                taker.tell(Status.OK, new Response.Delivery(message));
            }
        }

        private void endWaits(long nowNanos) {
            for (Wanted first = first(); first != null && (first.isEnded() || first.ageNanos(nowNanos) > waitNanos);
                    first = first()) {
                synchronized (this) {
                    wanted.remove(first);
                }
                first.succeed(NOTHING_CAME);
            }
        }

        private synchronized Wanted first() {
            return wanted.peek();
        }

        private void endAll() {
            for (Wanted first = polled(); first != null; first = polled()) {
                first.end(Status.CONNECTION_LOST, null);
            }
        }

        private synchronized Wanted polled() {
            return wanted.poll();
        }
    }
}
