package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Status;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Gets the messages of a queue as they arrive, without a request for each. Thread-safe.
 *
 * <p>The credit limits the messages that the application has and has not settled. Each is under a lease: settle it by
 * {@link #acknowledge} or {@link #release} before the lease ends, or it is delivered to another one. Acknowledgements
 * that come close together share a request.
 *
 * <p>The broker always has a request that waits for as many messages as the credit leaves, so it gives out a message
 * in the transaction that stores it. After a lost connection the consumer goes on with the next one.
 */
public final class QueueConsumer implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(QueueConsumer.class.getName());
    private static final int WAIT_MILLIS = 30_000;
    private static final int RETRY_MILLIS = 200;
    /** While the response to one request is on its way, another one waits at the broker. */
    private static final int REQUESTS = 2;

    private final AsyncClient client;
    private final MessageQuery query;
    private final int credit;
    private final int leaseMillis;
    private final Listener listener;

    // Guarded by this.
    private final Set<CompletableFuture<List<Message>>> waiting = new HashSet<>();
    private final Set<Lease> held = new HashSet<>();
    private List<Acknowledgement> acknowledgements = new ArrayList<>();
    private boolean acknowledging;
    private int asked;
    /** True while it pauses after a failure. */
    private boolean pausing;
    private boolean closed;

    /** Is called on the loop's thread, and must not block there. */
    @FunctionalInterface
    public interface Listener {
        /** Gets a message, under a lease. If this throws, the message is released. */
        void received(Message message);

        /** Is told that no more messages come, for a reason that repeating does not change, such as a missing queue. */
        default void ended(MlmqException why) {
            LOG.warning(() -> "a consumer has ended: " + why.getMessage());
        }
    }

    private record Acknowledgement(Lease lease, CompletableFuture<Void> result) {
    }

    /**
     * Starts to consume.
     *
     * @param client      registered, and open as long as this
     * @param query       of messages, usually {@link MessageQuery#queue}
     * @param credit      most messages that are not settled, 1..1,000
     * @param leaseMillis [ms], 1..43,200,000
     * @throws IllegalArgumentException if the credit or the lease is out of range
     */
    public static QueueConsumer start(AsyncClient client, MessageQuery query, int credit, int leaseMillis,
            Listener listener) {
        if (credit < 1 || credit > Limits.MAX_LIST) {
            throw new IllegalArgumentException("a credit is 1.." + Limits.MAX_LIST + " messages, not " + credit);
        }
        if (leaseMillis < 1 || leaseMillis > Limits.MAX_LEASE_MILLIS) {
            throw new IllegalArgumentException("a lease is 1.." + Limits.MAX_LEASE_MILLIS + " ms, not " + leaseMillis);
        }
        QueueConsumer consumer = new QueueConsumer(client, query, credit, leaseMillis, listener);
        consumer.ask();
        return consumer;
    }

    private QueueConsumer(AsyncClient client, MessageQuery query, int credit, int leaseMillis, Listener listener) {
        this.client = client;
        this.query = query.waiting(WAIT_MILLIS);
        this.credit = credit;
        this.leaseMillis = leaseMillis;
        this.listener = listener;
    }

    /**
     * Removes a message from its queue.
     *
     * @return ends when the broker has removed it; fails with {@link MlmqException.UnknownLease} if its lease had ended
     * or it was settled before, and as {@link AsyncClient#acknowledgeMessages} does
     */
    public CompletableFuture<Void> acknowledge(Message message) {
        CompletableFuture<Void> result = new CompletableFuture<>();
        synchronized (this) {
            if (!held.remove(message.lease())) {
                return CompletableFuture.failedFuture(unknown(message.lease()));
            }
            acknowledgements.add(new Acknowledgement(message.lease(), result));
        }
        acknowledgeNext(false);
        ask();
        return result;
    }

    /** Makes a message visible for others at once. @return as {@link #acknowledge} */
    public CompletableFuture<Void> release(Message message) {
        synchronized (this) {
            if (!held.remove(message.lease())) {
                return CompletableFuture.failedFuture(unknown(message.lease()));
            }
        }
        CompletableFuture<Void> result = client.release(message.id(), message.leaseToken());
        ask();
        return result;
    }

    /** Gets no more messages. Those that the application has can still be settled. */
    @Override
    public void close() {
        List<CompletableFuture<List<Message>>> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(waiting);
        }
        all.forEach(one -> one.cancel(false));
    }

    private static MlmqException unknown(Lease lease) {
        return MlmqException.of(Status.UNKNOWN_LEASE, "this consumer does not have message " + lease.message());
    }

    /**
     * Sends requests that wait for as many messages as the credit leaves. On the loop's thread, or a response that
     * comes at once would be handed over on another one.
     */
    private void ask() {
        client.session.onLoop(this::askNow);
    }

    private void askNow() {
        for (int max = nextRequest(); max > 0; max = nextRequest()) {
            CompletableFuture<List<Message>> request = client.receiveMessages(query, max, leaseMillis);
            int sent = max;
            synchronized (this) {
                waiting.add(request);
            }
            request.whenComplete((messages, failure) -> answered(request, sent, messages, failure));
            synchronized (this) {
                if (closed) {
                    request.cancel(false);
                }
            }
        }
    }

    /** @return messages to ask for; 0 for no request now */
    private synchronized int nextRequest() {
        int free = credit - held.size() - asked;
        if (closed || pausing || free < 1 || waiting.size() >= REQUESTS) {
            return 0;
        }
        int max = Math.min(free, (credit + REQUESTS - 1) / REQUESTS);
        asked += max;
        return max;
    }

    private void answered(CompletableFuture<List<Message>> request, int max, List<Message> messages,
            Throwable failure) {
        List<Message> received = messages == null ? List.of() : messages;
        synchronized (this) {
            waiting.remove(request);
            asked -= max;
            received.forEach(message -> held.add(message.lease()));
        }
        received.forEach(this::receive);
        if (failure == null) {
            ask();
        } else {
            failed(failure instanceof CompletionException ? failure.getCause() : failure);
        }
    }

    private void receive(Message message) {
        if (isClosed()) {
            release(message);
            return;
        }
        try {
            listener.received(message);
        } catch (Throwable e) {
            // It would end in the future that has called this, and the other messages of the response with it.
            LOG.log(Level.SEVERE, e, () -> "a consumer's listener failed: " + e);
            release(message);
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private void failed(Throwable failure) {
        if (isClosed() || client.state() == ClientState.CLOSED) {
            return;
        }
        if (failure instanceof MlmqException reason && !isTransient(reason)) {
            close();
            listener.ended(reason);
            return;
        }
        pause();
    }

    private synchronized void pause() {
        if (!pausing) {
            pausing = true;
            CompletableFuture.delayedExecutor(RETRY_MILLIS, TimeUnit.MILLISECONDS).execute(this::goOn);
        }
    }

    private void goOn() {
        synchronized (this) {
            pausing = false;
        }
        ask();
    }

    private static boolean isTransient(MlmqException failure) {
        return switch (failure.status()) {
            case NOT_CONNECTED, CONNECTION_LOST, TIMEOUT, OVERLOADED, BROKER_STOPPING, BROKER_ERROR,
                    TOO_MANY_IN_FLIGHT -> true;
            default -> false;
        };
    }

    /** Sends the acknowledgements that have come since the last ones were sent. @param more true if none is sent now */
    private void acknowledgeNext(boolean more) {
        List<Acknowledgement> batch;
        synchronized (this) {
            if (acknowledging && !more) {
                return;
            }
            int count = Math.min(acknowledgements.size(), Limits.MAX_LIST);
            batch = acknowledgements.subList(0, count);
            acknowledgements = new ArrayList<>(acknowledgements.subList(count, acknowledgements.size()));
            acknowledging = !batch.isEmpty();
        }
        if (!batch.isEmpty()) {
            client.acknowledgeMessages(batch.stream().map(Acknowledgement::lease).toList())
                    .whenComplete((statuses, failure) -> {
                        acknowledged(batch, statuses, failure);
                        acknowledgeNext(true);
                    });
        }
    }

    private static void acknowledged(List<Acknowledgement> batch, List<Status> statuses, Throwable failure) {
        for (int i = 0; i < batch.size(); i++) {
            CompletableFuture<Void> result = batch.get(i).result;
            if (failure != null) {
                result.completeExceptionally(failure instanceof CompletionException ? failure.getCause() : failure);
            } else if (statuses.get(i) == Status.OK) {
                result.complete(null);
            } else {
                result.completeExceptionally(MlmqException.of(statuses.get(i), "the lease of message "
                        + batch.get(i).lease.message() + " has ended"));
            }
        }
    }
}
