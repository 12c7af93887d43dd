package ch.ethz.mlmq.broker;

import java.util.function.Supplier;
import java.util.logging.Logger;

/** Warnings of one thread, at most one a second: where many are to blame, a line for each would fill the disk. */
final class Complaints {
    private static final long BETWEEN_NANOS = 1_000_000_000;

    private long saidNanos = System.nanoTime() - BETWEEN_NANOS;
    private long unsaid;

    void warn(Logger log, Supplier<String> text) {
        long now = System.nanoTime();
        if (now - saidNanos < BETWEEN_NANOS) {
            unsaid++;
            return;
        }
        saidNanos = now;
        long more = unsaid;
        unsaid = 0;
        log.warning(() -> text.get() + (more == 0 ? "" : "; " + more + " more were not told of"));
    }
}
