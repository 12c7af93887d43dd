package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.protocol.MessageProperties;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.scenario.settings.DriverKeys.Delivery;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends messages on a channel with publisher confirms, or with transactions. A send is complete when the server has
 * confirmed each of its messages, or committed their transaction.
 */
final class Sends implements ConfirmListener {
    private static final int TRANSIENT = 1;
    private static final int PERSISTENT = 2;
    private static final int PRIORITIES = 10;

    private final Channel channel;
    private final QueueNames names;
    private final boolean transacted;
    private long inTransactions;
    /** The server refuses every command of the channel until it has committed. */
    private CompletableFuture<?> committed = CompletableFuture.completedFuture(null);
    private final AMQP.BasicProperties[] ofPriority = new AMQP.BasicProperties[PRIORITIES + 1];
    private final ConcurrentNavigableMap<Long, Send> unconfirmed = new ConcurrentSkipListMap<>();

    Sends(AmqpSession session, QueueNames names, Delivery delivery, boolean transacted) throws IOException {
        this.names = names;
        this.transacted = transacted;
        int mode = delivery == Delivery.PERSISTENT ? PERSISTENT : TRANSIENT;
        for (int priority = 0; priority <= PRIORITIES; priority++) {
            ofPriority[priority] =
                    new AMQP.BasicProperties.Builder().deliveryMode(mode).priority(priority).build();
        }
        channel = session.newChannel();
        if (transacted) {
            channel.txSelect();
        } else {
            channel.confirmSelect();
            channel.addConfirmListener(this);
        }
        channel.addReturnListener((code, text, exchange, queue, properties, content) -> returned(queue, content));
    }

    /** A send of messages, which are confirmed one by one. */
    private static final class Send extends UnderWay {
        private final List<OutgoingMessage> messages;
        private final Response answer;
        private final AtomicInteger left;

        private Send(List<OutgoingMessage> messages, int count, Response answer, Completion completion) {
            super(completion);
            this.messages = messages;
            this.answer = answer;
            this.left = new AtomicInteger(count);
        }
    }

    /** A message on its way to an exchange. */
    private interface Publishing {
        void publish() throws IOException;
    }

    Status send(List<OutgoingMessage> messages, Response answer, Completion completion) throws IOException {
        List<Publishing> publishings = new ArrayList<>();
        for (OutgoingMessage message : messages) {
            publishings.add(() -> channel.basicPublish("", names.of(message.queue()), true,
                    properties(message.priority(), message.context(), MessageProperties.NONE), message.content()));
        }
        return send(new Send(messages, publishings.size(), answer, completion), publishings);
    }

    /** Publishes to an exchange; its bindings decide which queues get the message, possibly none. */
    Status publish(String exchange, String key, TopicRequest.Publish message, Response answer, Completion completion)
            throws IOException {
        return send(new Send(List.of(), 1, answer, completion), List.of(() -> channel.basicPublish(exchange, key, false,
                properties(message.priority(), message.context(), message.properties()), message.content())));
    }

    private Status send(Send send, List<Publishing> publishings) throws IOException {
        // Sequence numbers and frames must go in the same order.
        synchronized (channel) {
            awaitCommit();
            for (Publishing publishing : publishings) {
                long number = transacted ? ++inTransactions : channel.getNextPublishSeqNo();
                unconfirmed.put(number, send);
                try {
                    publishing.publish();
                } catch (IOException | RuntimeException e) {
                    unconfirmed.remove(number);
                    // If the end of the connection was already reported, this send was part of it.
                    if (send.claim()) {
                        throw e;
                    }
                    return Status.OK;
                }
            }
            if (transacted) {
                return commit(send, publishings.size());
            }
        }
        return Status.OK;
    }

    /** Waits until the last transaction has been committed, or its connection was closed. */
    private void awaitCommit() throws IOException {
        try {
            committed.join();
        } catch (CompletionException | CancellationException e) {
            throw new IOException("the last transaction was not committed", e);
        }
    }

    private Status commit(Send send, int count) throws IOException {
        long last = inTransactions;
        try {
            committed = channel.asyncCompletableRpc(new AMQP.Tx.Commit.Builder().build());
            committed.whenComplete((command, failure) -> {
                if (failure == null) {
                    for (long number = last - count + 1; number <= last; number++) {
                        ended(number, false, true);
                    }
                }
            });
        } catch (IOException | RuntimeException e) {
            if (send.claim()) {
                throw e;
            }
        }
        return Status.OK;
    }

    private AMQP.BasicProperties properties(int priority, long context, MessageProperties own) {
        AMQP.BasicProperties properties = ofPriority[priority];
        if (context == 0 && own.isEmpty()) {
            return properties;
        }
        return properties.builder().correlationId(context == 0 ? null : Long.toString(context))
                .headers(own.isEmpty() ? null : own.asMap()).build();
    }

    @Override
    public void handleAck(long number, boolean multiple) {
        ended(number, multiple, true);
    }

    @Override
    public void handleNack(long number, boolean multiple) {
        ended(number, multiple, false);
    }

    /** Ends sends that wait too long; they are in the order of sending. */
    void endWaits(long nowNanos, long timeoutNanos) {
        for (Map.Entry<Long, Send> first = unconfirmed.firstEntry();
                first != null && first.getValue().ageNanos(nowNanos) > timeoutNanos; first = unconfirmed.firstEntry()) {
            unconfirmed.remove(first.getKey());
            first.getValue().end(timeoutNanos == Long.MIN_VALUE ? Status.CONNECTION_LOST : Status.TIMEOUT, null);
        }
    }

    private void ended(long number, boolean multiple, boolean confirmed) {
        if (multiple) {
            ConcurrentNavigableMap<Long, Send> upTo = unconfirmed.headMap(number, true);
            for (Map.Entry<Long, Send> first = upTo.pollFirstEntry(); first != null; first = upTo.pollFirstEntry()) {
                ended(first.getValue(), confirmed);
            }
        } else {
            Send send = unconfirmed.remove(number);
            if (send != null) {
                ended(send, confirmed);
            }
        }
    }

    private static void ended(Send send, boolean confirmed) {
        if (!confirmed) {
            send.fail(Status.BROKER_ERROR, "the server refused a message (basic.nack)");
        } else if (send.left.decrementAndGet() == 0) {
            send.succeed(send.answer);
        }
    }

    /** Handles a returned message. It comes before its confirmation, and does not contain its number. */
    private void returned(String queue, byte[] content) {
        unconfirmed.values().stream().filter(send -> send.messages.stream().anyMatch(message ->
                Arrays.equals(message.content(), content) && names.of(message.queue()).equals(queue))).findFirst()
                .ifPresent(send -> send.fail(Status.QUEUE_DOES_NOT_EXIST, "the server has no queue " + queue));
    }
}
