package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * Messages that the server pushes to consumers that share a channel, and those who wait for one. The connection's
 * reader delivers; any thread takes. A take waits for its first message for a limited time.
 */
final class Pushed {
    private static final Response.Delivery NOTHING_CAME = new Response.Delivery(null);
    private static final Response.Deliveries NO_BATCH_CAME = new Response.Deliveries(List.of());

    private final AmqpSession session;
    private final Deliveries deliveries;
    private final long waitNanos;
    private final Deque<Message> pushed = new ArrayDeque<>();
    private final Deque<Retrieval> wanted = new ArrayDeque<>();
    private volatile AckChannel channel;

    Pushed(AmqpSession session, Deliveries deliveries, long waitNanos) {
        this.session = session;
        this.deliveries = deliveries;
        this.waitNanos = waitNanos;
    }

    /** @return true if it is the result of a take that ended without a message; the server is not involved */
    static boolean isEndOfWait(Response response) {
        return response == NOTHING_CAME || response == NO_BATCH_CAME;
    }

    /** @param prefetch most messages of a consumer that are not acknowledged */
    void openChannel(int prefetch) throws IOException {
        channel = session.newAckChannel();
        channel.channel().basicQos(prefetch);
    }

    void consume(int number, String queue) throws IOException {
        channel.channel().basicConsume(queue, false, new DefaultConsumer(channel.channel()) {
            @Override
            public void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] content)
                    throws IOException {
                delivered(deliveries.message(number, envelope, properties, content));
            }

            /** The queue is gone, or its node: nothing more would come. */
            @Override
            public void handleCancel(String tag) {
                session.end("the server has cancelled the consumer of " + queue);
            }
        });
    }

    /** @return number of a queue's messages that were pushed and are not acknowledged */
    int open(int queue) {
        return channel.open(queue);
    }

    Status take(Retrieval one) throws IOException {
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
        channel.delivered(message.id(), message.queue());
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

    void endWaits(long nowNanos) {
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

    void endAll() {
        for (Retrieval first = polled(); first != null; first = polled()) {
            first.end(Status.CONNECTION_LOST, null);
        }
    }

    private synchronized Retrieval polled() {
        return wanted.poll();
    }
}
