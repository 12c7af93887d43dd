package ch.ethz.mlmq.client;

/** A timer that rings once, at the earliest of the times set. Belongs to the loop's thread. */
final class Alarm {
    /** A time at which it never rings. */
    static final long NEVER = Long.MAX_VALUE;

    private final ClientLoop loop;
    private final Runnable rings;
    private long setNanos = NEVER;

    /** @param rings called on the loop's thread */
    Alarm(ClientLoop loop, Runnable rings) {
        this.loop = loop;
        this.rings = rings;
    }

    /** @param atNanos [ns], or {@link #NEVER} */
    void set(long atNanos) {
        if (atNanos != NEVER && (setNanos == NEVER || atNanos - setNanos < 0)) {
            setNanos = atNanos;
            loop.schedule(atNanos - System.nanoTime(), () -> reached(atNanos));
        }
    }

    private void reached(long nanos) {
        if (nanos == setNanos) {
            setNanos = NEVER;
            rings.run();
        }
    }
}
