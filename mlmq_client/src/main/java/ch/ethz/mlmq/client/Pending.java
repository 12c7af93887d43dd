package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * The pending work of a connection: requests that wait for responses, given-up requests whose messages must be
 * requeued, and the bytes of both for the socket. Any thread may enter this monitor, which guards {@link Outbound} too.
 */
final class Pending {
    private static final int MAX_CANCELLING = 1 << 16;

    private final InFlightTable inFlight;
    private final Outbound outbound;
    private final DropCounts drops;
    private final IntConsumer givesUp;
    /** Requests whose messages the broker must requeue, by the id of the cancel. */
    private final Map<Integer, Integer> cancelling = new LinkedHashMap<>();
    /** True if the broker requeues the messages of a cancelled request. */
    private boolean cancels;
    private boolean closed;
    /** When the first of the requests is overdue, or earlier [ns]. */
    private long earliestNanos = Connection.Alarm.NEVER;

    /**
     * The rest at the end of the connection.
     *
     * @param waiting    requests without a response
     * @param unanswered ids of requests whose messages were not delivered
     */
    record Rest(List<InFlightTable.Entry> waiting, int[] unanswered) {
    }

    /**
     * @param lastId  last correlation id of the connection before it
     * @param givesUp gives up the request of an id, for a future that was ended
     */
    Pending(ClientConfig config, int lastId, Outbound outbound, DropCounts drops, IntConsumer givesUp) {
        this.inFlight = new InFlightTable(config.inflightMax(), lastId);
        this.outbound = outbound;
        this.drops = drops;
        this.givesUp = givesUp;
    }

    /** @return true if its response may hold messages that exist nowhere else */
    static boolean takes(Request request) {
        return request instanceof Request.Retrieval && request.type() != FrameType.PEEK_MESSAGE;
    }

    /** @return {@link Status#OK} if the completion will be called, else why it will not */
    synchronized Status add(Request request, int frameBytes, long timeoutNanos, long tag, Completion completion) {
        if (closed) {
            return Status.NOT_CONNECTED;
        }
        if (inFlight.isFull() || outbound.isFull()) {
            return Status.TOO_MANY_IN_FLIGHT;
        }
        outbound.makeRoom(frameBytes);
        long now = System.nanoTime();
        long deadline = now + timeoutNanos;
        int id = inFlight.add(completion, takes(request), tag, now, deadline);
        if (completion instanceof FutureCall<?, ?> call) {
            call.sent(givesUp, id);
        }
        outbound.encode(request, id, now);
        if (earliestNanos == Connection.Alarm.NEVER || deadline - earliestNanos < 0) {
            earliestNanos = deadline;
        }
        return Status.OK;
    }

    /** @return number of requests in flight */
    synchronized int inFlight() {
        return inFlight.size();
    }

    synchronized int lastId() {
        return inFlight.lastId();
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** @param puts true if the broker requeues the messages of a cancelled request */
    synchronized void brokerCancels(boolean puts) {
        cancels = puts;
    }

    /**
     * Writes as many bytes as the socket takes. Called on the loop's thread.
     *
     * @return when the first of the requests is overdue, or earlier [ns]; or {@link Connection.Alarm#NEVER}
     */
    synchronized long write() throws IOException {
        if (closed) {
            return Connection.Alarm.NEVER;
        }
        outbound.write();
        return earliestNanos;
    }

    /**
     * Completes the request of a response. Messages for a given-up request are requeued. Called on the loop's thread.
     *
     * @param frameBytes of the response
     * @param nanos      when it was read [ns]
     * @return true if bytes wait to be written now
     */
    boolean answered(int id, Response response, int frameBytes, long nanos) {
        Completion completion;
        boolean takes;
        long tag;
        long sentNanos;
        synchronized (this) {
            InFlightTable.Entry entry = inFlight.find(id);
            if (entry == null) {
                return id != InFlightTable.SIGN_OF_LIFE && unexpected(id, response);
            }
            completion = entry.completion();
            takes = entry.takes();
            tag = entry.tag();
            sentNanos = entry.sentNanos();
            inFlight.remove(entry);
        }
        Status status = response instanceof Response.Failure failure ? failure.status() : Status.OK;
        ClientLoop.complete(completion, tag, status, response, sentNanos, nanos);
        if (takes && DropCounts.messages(response) > 0) {
            handedOver(id, frameBytes);
        }
        return false;
    }

    /** Marks the messages of that response as delivered, or given up. */
    private synchronized void handedOver(int id, int frameBytes) {
        if (cancels) {
            outbound.toConfirm(id, frameBytes);
        }
    }

    private boolean unexpected(int id, Response response) {
        if (cancelling.remove(id) == null) {
            return late(response);
        }
        drops.notGivenBack(response);
        return false;
    }

    /**
     * Handles the response to a given-up request. The broker requeues its messages, if it can; otherwise a leased
     * message is released, and others count as dropped.
     */
    private boolean late(Response response) {
        drops.lateAnswer();
        if (cancels) {
            return false;
        }
        Request release = release(response);
        if (release != null) {
            // If the lease has expired meanwhile, the message is requeued already.
            outbound.add(release, InFlightTable.SIGN_OF_LIFE);
            return true;
        }
        drops.dropped(DropCounts.messages(response));
        return false;
    }

    /** @return the request that releases the leased messages of the response, or null if it has none */
    private static Request release(Response response) {
        if (response instanceof Response.Delivery delivery && delivery.message() != null
                && delivery.message().leaseToken() != 0) {
            return new Request.Release(delivery.message().id(), delivery.message().leaseToken());
        }
        return response instanceof Response.Deliveries deliveries && !deliveries.messages().isEmpty()
                && deliveries.messages().get(0).leaseToken() != 0
                ? new Request.ReleaseMessages(deliveries.messages().stream().map(Message::lease).toList()) : null;
    }

    /** @return true if a receipt waits to be written now, because nothing else was sent for long */
    synchronized boolean confirmMuch() {
        return !closed && outbound.confirmMuch();
    }

    /**
     * Sends a sign of life if nothing was sent, or nothing arrived, for so long.
     *
     * @param heardNanos   when bytes last arrived [ns]
     * @param silenceNanos [ns]
     * @return true if bytes wait to be written now
     */
    synchronized boolean breakSilence(long heardNanos, long silenceNanos) {
        if (System.nanoTime() - Math.min(outbound.lastSentNanos(), heardNanos) <= silenceNanos) {
            return false;
        }
        outbound.add(new Request.KeepAlive(), InFlightTable.SIGN_OF_LIFE);
        return true;
    }

    /**
     * Gives up a request whose response is no longer awaited; its messages, if any, are requeued.
     *
     * @return true if bytes wait to be written now
     */
    synchronized boolean giveUp(int id) {
        InFlightTable.Entry entry = inFlight.find(id);
        if (entry != null) {
            inFlight.remove(entry);
        }
        if (closed || !cancels) {
            return false;
        }
        cancel(id);
        return true;
    }

    /** Removes the overdue requests, and has their messages requeued. */
    synchronized List<InFlightTable.Entry> giveUpOverdue(long nowNanos) {
        List<InFlightTable.Entry> overdue = inFlight.removeOverdue(nowNanos);
        cancel(overdue);
        long nanos = inFlight.nanosToNextDeadline(nowNanos);
        earliestNanos = nanos == Long.MAX_VALUE ? Connection.Alarm.NEVER : nowNanos + nanos;
        return overdue;
    }

    /** Removes the requests that may take messages, and has these requeued. */
    synchronized List<InFlightTable.Entry> giveUpTaking() {
        List<InFlightTable.Entry> taking = inFlight.removeTaking();
        cancel(taking);
        return taking;
    }

    /**
     * Asks the broker to requeue messages that an earlier connection of this client may not have received.
     *
     * @return true if bytes wait to be written now
     */
    synchronized boolean requeue(int[] requests) {
        if (!cancels) {
            drops.dropped(requests.length);
            return false;
        }
        for (int request : requests) {
            cancel(request);
        }
        return requests.length > 0;
    }

    /** @return the rest, or null if it has already ended */
    synchronized Rest end() {
        if (closed) {
            return null;
        }
        closed = true;
        List<InFlightTable.Entry> waiting = inFlight.removeAll();
        IntStream cancelled = cancelling.values().stream().mapToInt(Integer::intValue);
        IntStream taking = waiting.stream().filter(InFlightTable.Entry::takes).mapToInt(InFlightTable.Entry::id);
        return new Rest(waiting, IntStream.concat(cancelled, taking).toArray());
    }

    private void cancel(List<InFlightTable.Entry> entries) {
        for (InFlightTable.Entry entry : entries) {
            if (cancels && entry.takes()) {
                cancel(entry.id());
            }
        }
    }

    private void cancel(int request) {
        if (cancelling.size() == MAX_CANCELLING) {
            cancelling.remove(cancelling.keySet().iterator().next());
            drops.dropped(1);
        }
        int id = inFlight.nextId();
        outbound.add(new Request.Cancel(request), id);
        cancelling.put(id, request);
    }
}
