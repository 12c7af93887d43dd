package ch.ethz.mlmq.scenario.recording;

import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.scenario.workload.LoadMessage;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Measures the time of a message from the intended start of its sending to its receipt and its acknowledgement. The
 * intended start travels in the message, by the wall clock, so that another JVM may receive it. It relates this clock
 * to {@link System#nanoTime} once, so that both ends of a JVM's own messages have the same clock. Of several attempts
 * the one counts in which the least time passed around the reading of the wall clock. Machines whose clocks differ
 * correct them to a common one.
 */
final class EndToEnd {
    private static final long NANOS_PER_MICRO = 1_000;
    /** An older or later start is that of a foreign message [us]. */
    private static final long FARTHEST_MICROS = TimeUnit.DAYS.toMicros(3_650);

    private static final int ATTEMPTS = 100;

    private final long originMicros;
    private final long originNanos;
    /** Receipts under a lease; null if other JVMs take from the same queues. */
    private final LatestReceipts receipts;

    /**
     * @param offsetMicros how far the wall clock is ahead of the common one [us]
     * @param owned        true if no other JVM takes from the same queues
     */
    EndToEnd(long offsetMicros, boolean owned) {
        receipts = owned ? new LatestReceipts() : null;
        long shortest = Long.MAX_VALUE;
        long micros = 0;
        long nanos = 0;
        for (int i = 0; i < ATTEMPTS; i++) {
            long before = System.nanoTime();
            long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
            long passed = System.nanoTime() - before;
            if (passed < shortest) {
                shortest = passed;
                micros = now;
                nanos = before + passed / 2;
            }
        }
        originMicros = micros - offsetMicros;
        originNanos = nanos;
    }

    /**
     * Writes the intended start into the messages that a request sends and that have room for it. A message that is
     * sent again keeps its first one.
     *
     * @param intendedNanos by {@link System#nanoTime}
     */
    void stamp(Request request, long intendedNanos) {
        long micros = originMicros + (intendedNanos - originNanos) / NANOS_PER_MICRO;
        if (request instanceof Request.Send send) {
            LoadMessage.stamp(send.content(), micros);
        } else if (request instanceof TopicRequest.Publish publish) {
            LoadMessage.stamp(publish.content(), micros);
        } else if (request instanceof Request.SendMessages bulk) {
            for (OutgoingMessage message : bulk.messages()) {
                LoadMessage.stamp(message.content(), micros);
            }
        }
    }

    /**
     * Passes on the intended start of each message that a take returned [ns, by {@link System#nanoTime}]; under a lease
     * only for its first delivery, or its first receipt where no other JVM takes from the queue: its first delivery may
     * have been pushed to a connection that was lost with it, and a table counts no deliveries. A message that is taken
     * for good may have been delivered to somebody who lost it. Messages of other programs, and those too short for it,
     * have none.
     */
    void received(Request request, Response response, LongConsumer intendedNanos) {
        if (!MessageCounts.isTake(request.type())) {
            return;
        }
        for (Message message : messages(response)) {
            if (!MessageCounts.isLease(request.type()) || isFirst(message)) {
                sent(message, intendedNanos);
            }
        }
    }

    private boolean isFirst(Message message) {
        return receipts != null && LoadMessage.stampOf(message.content()) != 0 ? receipts.add(message)
                : message.delivery().count() <= 1;
    }

    /** Passes on the intended start of each message in the same way, however often it was delivered. */
    void acknowledged(List<Message> messages, LongConsumer intendedNanos) {
        messages.forEach(message -> sent(message, intendedNanos));
    }

    private void sent(Message message, LongConsumer intendedNanos) {
        long since = LoadMessage.stampOf(message.content()) - originMicros;
        if (message.sender() != 0 && Math.abs(since) < FARTHEST_MICROS) {
            intendedNanos.accept(originNanos + since * NANOS_PER_MICRO);
        }
    }

    private static List<Message> messages(Response response) {
        if (response instanceof Response.Deliveries deliveries) {
            return deliveries.messages();
        }
        return response instanceof Response.Delivery delivery && delivery.message() != null
                ? List.of(delivery.message()) : List.of();
    }
}
