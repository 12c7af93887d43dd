package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.scenario.recording.Counts;
import ch.ethz.mlmq.scenario.selfcheck.CpuShare;
import ch.ethz.mlmq.scenario.selfcheck.GcTime;
import ch.ethz.mlmq.scenario.selfcheck.Verdict;

/**
 * Watches this JVM from {@link #begin} to {@link #end}: processor time, garbage collections, delays of its pacer. Make
 * it when the load starts, so that its classes are loaded before measuring.
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

    /** Ends the measurement; without a begin, all values are zero. */
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

    /** @return what these values mean for the results */
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

    /** Keeps the pacer busy, because a pacer without actions would not notice a pause of the JVM. */
    private void beat(long nanos) {
        pacer.at(nanos + HEARTBEAT_NANOS, () -> {
            if (!ended) {
                beat(Math.max(nanos + HEARTBEAT_NANOS, System.nanoTime() - HEARTBEAT_NANOS));
            }
        });
    }
}
