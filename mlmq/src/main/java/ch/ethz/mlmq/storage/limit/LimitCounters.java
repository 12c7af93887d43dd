package ch.ethz.mlmq.storage.limit;

import java.util.concurrent.atomic.LongAdder;

/** Counts what limits of queues did, since the broker's start. Any thread may use it. */
public final class LimitCounters {
    /** Requests that a full queue refused. */
    public final LongAdder refused = new LongAdder();
    /** Messages that a full queue dropped. */
    public final LongAdder dropped = new LongAdder();
    /** Messages that were removed because of their age. */
    public final LongAdder aged = new LongAdder();
}
