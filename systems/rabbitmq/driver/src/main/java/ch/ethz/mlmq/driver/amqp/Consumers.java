package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import ch.ethz.mlmq.scenario.workload.PublicQueues;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Takes from messages that the server pushes. The public queues are dealt to the clients, as programs on RabbitMQ do: a
 * client consumes its share, and a take gets the first message of it, a batch those that are there. A message that is
 * taken for good is acknowledged at once.
 */
final class Consumers implements Takes {
    private static final Logger LOG = Logger.getLogger(Consumers.class.getName());
    /** Prefetch of a queue for one or two clients, large enough that messages nobody waits for do not block others. */
    private static final int OWN_PREFETCH = 100;
    private static final int PUBLIC = 0;

    private final AmqpSession session;
    private final QueueNames names;
    private final Deliveries deliveries;
    private final int prefetch;
    private final PublicQueues queues;
    private final int[] share;
    private final long waitNanos;
    private final Executor helpers;
    private final Map<Integer, Pushed> byQueue = new ConcurrentHashMap<>();

    Consumers(AmqpSession session, QueueNames names, Deliveries deliveries, int prefetch, int[] share,
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

    @Override
    public Status take(Retrieval retrieval) throws IOException {
        int queue = queues.contains(retrieval.queue()) ? PUBLIC : retrieval.queue();
        return byQueue.computeIfAbsent(queue, this::consumed).take(retrieval);
    }

    private Pushed consumed(int queue) {
        Pushed made = new Pushed(session, deliveries, waitNanos);
        helpers.execute(() -> consume(queue, made));
        return made;
    }

    private void consume(int queue, Pushed made) {
        try {
            made.openChannel(queue == PUBLIC ? prefetch : Math.max(prefetch, OWN_PREFETCH));
            List<Integer> numbers = queue == PUBLIC ? Arrays.stream(share).boxed().toList() : List.of(queue);
            for (int number : numbers) {
                made.consume(number, names.of(number));
            }
        } catch (IOException | RuntimeException e) {
            LOG.log(session.isOpen() ? Level.WARNING : Level.FINE, "consuming failed: " + AmqpLink.reason(e));
            byQueue.remove(queue, made);
            made.endAll();
        }
    }

    @Override
    public void endWaits(long nowNanos, long timeoutNanos) {
        byQueue.values().forEach(pushed -> pushed.endWaits(nowNanos));
    }

    @Override
    public void endAll() {
        byQueue.values().forEach(Pushed::endAll);
    }
}
