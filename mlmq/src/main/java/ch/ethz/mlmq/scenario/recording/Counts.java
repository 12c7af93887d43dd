package ch.ethz.mlmq.scenario.recording;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What became of the requests of one phase. Counted by many threads. */
public final class Counts {
    private final LongAdder ok = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final LongAdder lateByClient = new LongAdder();
    private final LongAdder started = new LongAdder();
    private final LongAdder neverStarted = new LongAdder();
    private final Map<String, LongAdder> errors = new ConcurrentHashMap<>();

    void start(Delay delay) {
        started.increment();
        if (delay != Delay.NONE) {
            late.increment();
        }
        if (delay == Delay.BY_CLIENT) {
            lateByClient.increment();
        }
    }

    void neverStart() {
        neverStarted.increment();
        late.increment();
    }

    void succeed() {
        ok.increment();
    }

    void fail(String kind) {
        errors.computeIfAbsent(kind, unseen -> new LongAdder()).increment();
    }

    /** @return requests that were started */
    public long started() {
        return started.sum();
    }

    /** @return requests that were to start, whether they did or not */
    public long due() {
        return started() + neverStarted.sum();
    }

    /** @return requests that did what they were to do */
    public long ok() {
        return ok.sum();
    }

    /** @return requests that started later than planned by more than is tolerated, or never */
    public long late() {
        return late.sum();
    }

    /** @return those of them that the client could have started in time */
    public long lateByClient() {
        return lateByClient.sum();
    }

    /** @return errors by kind: a status of the protocol, or what was wrong with an answer */
    public Map<String, Long> errors() {
        Map<String, Long> sums = new TreeMap<>();
        errors.forEach((kind, count) -> sums.put(kind, count.sum()));
        return sums;
    }

    /** @return errors of all kinds */
    public long errorSum() {
        return errors().values().stream().mapToLong(Long::longValue).sum();
    }
}
