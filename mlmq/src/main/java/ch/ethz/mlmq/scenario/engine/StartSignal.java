package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.scenario.settings.StartAt;
import java.util.OptionalLong;

/** The start that all JVMs agreed on. It is set beforehand, or set while this JVM waits for it. */
final class StartSignal {
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long SECOND_MILLIS = 1_000;

    private boolean known;
    private boolean cancelled;
    private long utcMillis;

    StartSignal(StartAt startAt) {
        if (startAt instanceof StartAt.Instant instant) {
            utcMillis = instant.utcMillis();
            known = true;
        } else {
            known = startAt instanceof StartAt.Ready;
        }
    }

    /** @return true if the start was not set before */
    synchronized boolean tell(long startMillis) {
        if (known) {
            return false;
        }
        utcMillis = startMillis;
        known = true;
        notifyAll();
        return true;
    }

    /** Cancels the start. */
    synchronized void cancel() {
        cancelled = true;
        notifyAll();
    }

    synchronized boolean isCancelled() {
        return cancelled;
    }

    /**
     * Waits until the start is set; does not wait for the start itself.
     *
     * @param everySecond called while it waits
     * @return when the load starts ({@link System#nanoTime} [ns]), not before now; empty if it was cancelled
     */
    OptionalLong await(Runnable everySecond) throws InterruptedException {
        while (!isDecided()) {
            everySecond.run();
            waitASecond();
        }
        synchronized (this) {
            long waitMillis = Math.max(0, utcMillis - System.currentTimeMillis());
            return cancelled ? OptionalLong.empty() : OptionalLong.of(System.nanoTime() + waitMillis * NANOS_PER_MILLI);
        }
    }

    private synchronized boolean isDecided() {
        return known || cancelled;
    }

    private synchronized void waitASecond() throws InterruptedException {
        if (!known && !cancelled) {
            wait(SECOND_MILLIS);
        }
    }
}
