package ch.ethz.mlmq.storage.postgresql.operation;

import ch.ethz.mlmq.storage.Arrivals;
import ch.ethz.mlmq.storage.limit.LimitCounters;
import ch.ethz.mlmq.storage.limit.QueueLimits;
import ch.ethz.mlmq.storage.postgresql.length.LengthLedger;
import ch.ethz.mlmq.storage.postgresql.limit.LimitDirectory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The changes of a transaction, which are reported after the commit, and dropped without one. */
public final class Changes {
    private final List<Stored> stored = new ArrayList<>();
    private final LengthLedger.Entry lengths;
    private boolean subscriptions;
    private int refused;
    private long dropped;
    private long droppedBytes;
    private int aged;
    private final Map<Integer, QueueLimits> limits = new HashMap<>();

    private record Stored(int queue, int receiver, long context) {
    }

    /** @param transaction its number in PostgreSQL */
    public Changes(long transaction) {
        lengths = new LengthLedger.Entry(transaction);
    }

    /**
     * Records a message that can be taken once the transaction is committed.
     *
     * @param receiver id of the only client that may take it, or 0 for any client
     */
    public void stored(int queue, int receiver, long context) {
        stored.add(new Stored(queue, receiver, context));
        lengths.change(queue, 1);
    }

    /** Records a message that was removed from the queue. */
    public void taken(int queue) {
        lengths.change(queue, -1);
    }

    /** Records messages that a full queue dropped. */
    void dropped(int queue, long messages, long bytes) {
        lengths.change(queue, (int) -messages);
        dropped += messages;
        droppedBytes += bytes;
    }

    /** @return number of messages that full queues dropped */
    public long dropped() {
        return dropped;
    }

    /** @return bytes of messages that full queues dropped */
    public long droppedBytes() {
        return droppedBytes;
    }

    /** @return number of messages that were removed because of their age */
    public int aged() {
        return aged;
    }

    /** Records messages that were removed because of their age. */
    public void aged(int queue, int messages) {
        lengths.change(queue, -messages);
        aged += messages;
    }

    /** Records a request that a full queue refused. */
    public void refused() {
        refused++;
    }

    /** Records new limits of a queue. */
    public void limited(int queue, QueueLimits changed) {
        limits.put(queue, changed);
    }

    /** Tells new limits; called once, after the commit, as the directory is also read from what is committed. */
    public void tell(LimitDirectory directory) {
        limits.forEach(directory::learn);
    }

    /** Counts what limits did; called once, after the commit. */
    public void count(LimitCounters counters) {
        counters.refused.add(refused);
        counters.dropped.add(dropped);
        counters.aged.add(aged);
    }

    /** Records that the transaction may change subscriptions, so that nobody keeps what it reads of them. */
    void subscriptionsChange() {
        subscriptions = true;
    }

    boolean haveSubscriptionsChanged() {
        return subscriptions;
    }

    /** Reports the changes; called once, after the commit. */
    public void committed(LengthLedger ledger, Arrivals arrivals) {
        ledger.add(lengths);
        for (Stored message : stored) {
            arrivals.arrived(message.queue, message.receiver, message.context);
        }
    }
}
