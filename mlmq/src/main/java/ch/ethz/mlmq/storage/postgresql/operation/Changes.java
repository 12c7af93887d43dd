package ch.ethz.mlmq.storage.postgresql.operation;

import ch.ethz.mlmq.storage.Arrivals;
import ch.ethz.mlmq.storage.postgresql.length.LengthLedger;
import java.util.ArrayList;
import java.util.List;

/** What a transaction has changed; told to those who need it after the commit, and to nobody where there is none. */
public final class Changes {
    private final List<Stored> stored = new ArrayList<>();
    private final LengthLedger.Entry lengths;

    private record Stored(int queue, int receiver, long context) {
    }

    /** @param transaction its number, as PostgreSQL counts them */
    public Changes(long transaction) {
        lengths = new LengthLedger.Entry(transaction);
    }

    /**
     * A message can be taken from the queue, once this is committed.
     *
     * @param receiver id of the client that alone may take it, or 0 for anybody
     */
    public void stored(int queue, int receiver, long context) {
        stored.add(new Stored(queue, receiver, context));
        lengths.change(queue, 1);
    }

    /** A message has left the queue. */
    public void taken(int queue) {
        lengths.change(queue, -1);
    }

    /** Tells those who need to know; called once, after the commit. */
    public void committed(LengthLedger ledger, Arrivals arrivals) {
        ledger.add(lengths);
        for (Stored message : stored) {
            arrivals.arrived(message.queue, message.receiver, message.context);
        }
    }
}
