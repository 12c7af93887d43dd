package ch.ethz.mlmq.scenario.recording;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the outcomes of one phase's requests. Many threads count. */
public final class Counts {
    private final LongAdder ok = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final LongAdder lateByClient = new LongAdder();
    private final LongAdder started = new LongAdder();
    private final LongAdder neverStarted = new LongAdder();
    private final LongAdder ended = new LongAdder();
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

    void end() {
        ended.increment();
    }

    /**
     * Takes over the starts of requests that ended in this phase and began in an earlier one, as measuring ended before
     * the instant that was planned, and before they began.
     */
    void takeStartsFrom(Counts earlier) {
        long missing = Math.max(0, -left());
        started.add(missing);
        earlier.started.add(-missing);
    }

    void fail(String kind) {
        fail(kind, 1);
    }

    void fail(String kind, long requests) {
        errors.computeIfAbsent(kind, unseen -> new LongAdder()).add(requests);
    }

    /** @return number of requests that started and have not ended */
    long left() {
        return started() - ended.sum();
    }

    /** @return number of requests that started */
    public long started() {
        return started.sum();
    }

    /** @return number of requests that were to start, whether they did or not */
    public long due() {
        return started() + neverStarted.sum();
    }

    /** @return number of requests that succeeded */
    public long ok() {
        return ok.sum();
    }

    /** @return number of requests that started later than planned by more than the tolerance, or never */
    public long late() {
        return late.sum();
    }

    /** @return number of late requests that the client could have started in time */
    public long lateByClient() {
        return lateByClient.sum();
    }

    /** @return errors by kind: a status of the protocol, or the kind of a wrong response */
    public Map<String, Long> errors() {
        Map<String, Long> sums = new TreeMap<>();
        errors.forEach((kind, count) -> sums.put(kind, count.sum()));
        return sums;
    }

    /** @return number of errors of all kinds */
    public long errorSum() {
        return errors().values().stream().mapToLong(Long::longValue).sum();
    }
}
