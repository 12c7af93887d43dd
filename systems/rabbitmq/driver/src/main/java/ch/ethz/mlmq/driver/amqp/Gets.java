package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.settings.DriverKeys.Acknowledge;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Command;
import com.rabbitmq.client.Envelope;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Takes messages by {@code basic.get}: a poll gets a message or none. A message that is taken for good is acknowledged
 * at once. A batch needs as many polls as messages, and ends with the first that gets none. A channel serves one poll
 * after the other, so there are as many channels as a client may have requests in flight.
 */
final class Gets implements Takes {
    private static final Logger LOG = Logger.getLogger(Gets.class.getName());

    private final QueueNames names;
    private final Deliveries deliveries;
    private final Deque<AckChannel> free = new ArrayDeque<>();
    private final Deque<Retrieval> waiting = new ArrayDeque<>();
    private final Queue<Retrieval> inFlight = new ConcurrentLinkedQueue<>();
    /** Messages that no request waits for; they are not acknowledged, so they stay at the server. */
    private final List<Unwanted> unwanted = new ArrayList<>();

    Gets(AmqpSession session, QueueNames names, Deliveries deliveries, int channels) throws IOException {
        this.names = names;
        this.deliveries = deliveries;
        for (int i = 0; i < channels; i++) {
            free.add(session.newAckChannel());
        }
    }

    /** A message with a context other than the wanted one. */
    private record Unwanted(Message message, AckChannel channel) {
    }

    @Override
    public Status take(Retrieval get) throws IOException {
        if (get.context() != 0 && takenOfUnwanted(get)) {
            return Status.OK;
        }
        AckChannel channel;
        synchronized (free) {
            channel = free.poll();
            if (channel == null) {
                waiting.add(get);
            }
        }
        inFlight.add(get);
        if (channel != null) {
            try {
                ask(channel, get);
            } catch (IOException | RuntimeException e) {
                if (get.claim()) {
                    throw e;
                }
            }
        }
        return Status.OK;
    }

    @Override
    public void endWaits(long nowNanos, long timeoutNanos) {
        for (Retrieval first = inFlight.peek();
                first != null && (first.isEnded() || first.ageNanos(nowNanos) > timeoutNanos);
                first = inFlight.peek()) {
            inFlight.remove(first);
            first.end(Status.TIMEOUT, null);
        }
    }

    @Override
    public void endAll() {
        for (Retrieval get = inFlight.poll(); get != null; get = inFlight.poll()) {
            get.end(Status.CONNECTION_LOST, null);
        }
    }

    private void ask(AckChannel channel, Retrieval get) throws IOException {
        boolean forgotten = channel.way() == Acknowledge.NONE;
        channel.channel().asyncCompletableRpc(
                new AMQP.Basic.Get.Builder().queue(names.of(get.queue())).noAck(forgotten).build())
                .whenComplete((command, failure) -> {
                    if (failure != null) {
                        get.end(Status.CONNECTION_LOST, null);
                    } else {
                        answered(channel, get, command);
                    }
                });
    }

    /** Handles the response to a poll. Called by the thread that reads the connection. */
    private void answered(AckChannel channel, Retrieval get, Command command) {
        try {
            if (!(command.getMethod() instanceof AMQP.Basic.GetOk found)) {
                finish(channel, get);
                return;
            }
            Message message = deliveries.message(get.queue(), new Envelope(found.getDeliveryTag(),
                    found.getRedelivered(), found.getExchange(), found.getRoutingKey()),
                    (AMQP.BasicProperties) command.getContentHeader(), command.getContentBody());
            channel.delivered(message.id(), message.queue());
            if (get.matches(message)) {
                get.add(message);
            } else {
                synchronized (unwanted) {
                    unwanted.add(new Unwanted(message, channel));
                }
            }
            if (get.isFull() || get.isEnded()) {
                finish(channel, get);
            } else {
                ask(channel, get);
            }
        } catch (IOException | RuntimeException e) {
            LOG.log(Level.FINE, "the connection was lost", e);
            get.end(Status.CONNECTION_LOST, null);
        }
    }

    private void finish(AckChannel channel, Retrieval get) throws IOException {
        if (channel.way() == Acknowledge.TRANSACTED && !get.isEmpty()) {
            commit(channel, get);
            return;
        }
        boolean inTime = get.claim();
        for (Message message : get.messages()) {
            if (!inTime) {
                // The messages came too late for their request; they are requeued for others.
                channel.requeue(message.id());
            } else if (!get.isUnderLease()) {
                channel.acknowledge(message.id());
            }
        }
        goOn(channel);
        if (inTime) {
            get.tell(Status.OK, get.response(channel.token()));
        }
    }

    /** A take ends with the commit of its acknowledgement. The requeueing of one that is too late needs one, too. */
    private void commit(AckChannel channel, Retrieval get) throws IOException {
        List<Long> tags = get.messages().stream().map(Message::id).toList();
        if (get.isEnded()) {
            for (long tag : tags) {
                channel.requeue(tag);
            }
        } else {
            channel.acknowledge(tags);
        }
        channel.commit().whenComplete((command, failure) -> {
            try {
                if (failure == null) {
                    goOn(channel);
                }
            } catch (IOException | RuntimeException e) {
                LOG.log(Level.FINE, "the connection was lost", e);
            }
            get.end(failure == null ? Status.OK : Status.CONNECTION_LOST,
                    failure == null ? get.response(channel.token()) : null);
        });
    }

    /** Frees the channel, or uses it for the next waiting poll. */
    private void goOn(AckChannel channel) throws IOException {
        Retrieval next;
        synchronized (free) {
            next = waiting.poll();
            while (next != null && next.isEnded()) {
                next = waiting.poll();
            }
            if (next == null) {
                free.push(channel);
            }
        }
        if (next != null) {
            ask(channel, next);
        }
    }

    private boolean takenOfUnwanted(Retrieval get) throws IOException {
        synchronized (unwanted) {
            for (Iterator<Unwanted> each = unwanted.iterator(); each.hasNext(); ) {
                Unwanted one = each.next();
                if (one.message.queue() == get.queue() && get.matches(one.message)) {
                    each.remove();
                    get.add(one.message);
                    if (!get.isUnderLease()) {
                        one.channel.acknowledge(one.message.id());
                    }
                    get.succeed(get.response(one.channel.token()));
                    return true;
                }
            }
            return false;
        }
    }
}
