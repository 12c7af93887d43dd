package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
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
 * Takes messages by {@code basic.get}: a poll gets a message or none, which is acknowledged at once. A channel serves
 * one poll after the other, so there are as many channels as a client may have requests in flight.
 */
final class Gets implements Takes {
    private static final Logger LOG = Logger.getLogger(Gets.class.getName());

    private final QueueNames names;
    private final Deliveries deliveries;
    private final Deque<Channel> free = new ArrayDeque<>();
    private final Deque<Get> waiting = new ArrayDeque<>();
    private final Queue<Get> inFlight = new ConcurrentLinkedQueue<>();
    /** Messages that no request waits for; they are not acknowledged, so they stay at the server. */
    private final List<Unwanted> unwanted = new ArrayList<>();

    Gets(AmqpSession session, QueueNames names, Deliveries deliveries, int channels) throws IOException {
        this.names = names;
        this.deliveries = deliveries;
        for (int i = 0; i < channels; i++) {
            free.add(session.newChannel());
        }
    }

    /** A poll in flight, or waiting for a channel. */
    private static final class Get extends UnderWay {
        private final int queue;
        private final long context;

        private Get(int queue, long context, Completion completion) {
            super(completion);
            this.queue = queue;
            this.context = context;
        }
    }

    /** A message with a context other than the wanted one. */
    private record Unwanted(Message message, Channel channel) {
    }

    @Override
    public Status take(int queue, long context, Completion completion) throws IOException {
        Get get = new Get(queue, context, completion);
        if (context != 0 && takenOfUnwanted(get)) {
            return Status.OK;
        }
        Channel channel;
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
        for (Get first = inFlight.peek(); first != null && (first.isEnded() || first.ageNanos(nowNanos) > timeoutNanos);
                first = inFlight.peek()) {
            inFlight.remove(first);
            first.end(Status.TIMEOUT, null);
        }
    }

    @Override
    public void endAll() {
        for (Get get = inFlight.poll(); get != null; get = inFlight.poll()) {
            get.end(Status.CONNECTION_LOST, null);
        }
    }

    private void ask(Channel channel, Get get) throws IOException {
        channel.asyncCompletableRpc(new AMQP.Basic.Get.Builder().queue(names.of(get.queue)).noAck(false).build())
                .whenComplete((command, failure) -> {
                    if (failure != null) {
                        get.end(Status.CONNECTION_LOST, null);
                    } else {
                        answered(channel, get, command);
                    }
                });
    }

    /** Handles the response to a poll. Called by the thread that reads the connection. */
    private void answered(Channel channel, Get get, Command command) {
        try {
            if (!(command.getMethod() instanceof AMQP.Basic.GetOk found)) {
                goOn(channel);
                get.succeed(Response.Delivery.NONE);
                return;
            }
            Message message = deliveries.message(get.queue, new Envelope(found.getDeliveryTag(), found.getRedelivered(),
                    found.getExchange(), found.getRoutingKey()), (AMQP.BasicProperties) command.getContentHeader(),
                    command.getContentBody());
            if (get.context != 0 && get.context != message.context()) {
                synchronized (unwanted) {
                    unwanted.add(new Unwanted(message, channel));
                }
                ask(channel, get);
            } else if (get.claim()) {
                channel.basicAck(found.getDeliveryTag(), false);
                goOn(channel);
                get.tell(Status.OK, new Response.Delivery(message));
            } else {
                // The message came too late for its request; it is requeued for others.
                channel.basicReject(found.getDeliveryTag(), true);
                goOn(channel);
            }
        } catch (IOException | RuntimeException e) {
            LOG.log(Level.FINE, "the connection was lost", e);
            get.end(Status.CONNECTION_LOST, null);
        }
    }

    /** Frees the channel, or uses it for the next waiting poll. */
    private void goOn(Channel channel) throws IOException {
        Get next;
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

    private boolean takenOfUnwanted(Get get) throws IOException {
        synchronized (unwanted) {
            for (Iterator<Unwanted> each = unwanted.iterator(); each.hasNext(); ) {
                Unwanted one = each.next();
                if (one.message.context() == get.context && one.message.queue() == get.queue) {
                    each.remove();
                    one.channel.basicAck(one.message.id(), false);
                    get.succeed(new Response.Delivery(one.message));
                    return true;
                }
            }
            return false;
        }
    }
}
