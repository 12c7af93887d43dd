package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.scenario.recording.Counts;
import ch.ethz.mlmq.scenario.selfcheck.CpuShare;
import ch.ethz.mlmq.scenario.selfcheck.GcTime;
import ch.ethz.mlmq.scenario.selfcheck.Verdict;

/**
 * Watches this JVM itself from {@link #begin} to {@link #end}: its processor time, its collections, the stalls of its
 * pacer. Made when the load starts, so that the classes it needs are loaded and the pacer knows its beat long before
 * anything counts.
 */
final class SelfCheck {
    private static final long HEARTBEAT_NANOS = 10_000_000;
    private static final long NANOS_PER_MICRO = 1_000;

    private final Pacer pacer;
    private CpuShare cpu = new CpuShare();
    private GcTime gc = new GcTime();
    private boolean begun;
    private volatile boolean ended;
    private double machineShare;
    private double threadShare;
    private long gcMillis;
    private long stallMicros;

    SelfCheck(Pacer pacer) {
        this.pacer = pacer;
        beat(System.nanoTime());
    }

    void begin() {
        begun = true;
        cpu = new CpuShare();
        gc = new GcTime();
        pacer.stalls().reset();
    }

    /** What never began took nothing. */
    void end() {
        ended = true;
        if (begun) {
            take();
        }
    }

    private void take() {
        begun = false;
        machineShare = cpu.ofMachine();
        threadShare = cpu.ofBusiestThread();
        gcMillis = gc.millis();
        stallMicros = pacer.stalls().longestNanos() / NANOS_PER_MICRO;
    }

    /** @return what that says of the figures measured meanwhile */
    Verdict verdict(boolean open, Counts counts, int threadsOfClients) {
        return new Verdict(machineShare, threadShare, threadsOfClients, open ? counts.due() : 0,
                open ? counts.lateByClient() : 0);
    }

    long gcMillis() {
        return gcMillis;
    }

    long stallMicros() {
        return stallMicros;
    }

    /** A pacer that has nothing to start would not notice that it stood still. */
    private void beat(long nanos) {
        pacer.at(nanos + HEARTBEAT_NANOS, () -> {
            if (!ended) {
                beat(Math.max(nanos + HEARTBEAT_NANOS, System.nanoTime() - HEARTBEAT_NANOS));
            }
        });
    }
}
