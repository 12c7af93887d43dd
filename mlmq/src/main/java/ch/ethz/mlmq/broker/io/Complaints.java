package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.log.Every;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.logging.Logger;

/** Warnings of one thread, at most one a second: where many are to blame, a line for each would fill the disk. */
final class Complaints {
    private final Every second = Every.startingNow(Duration.ofSeconds(1));
    private long unsaid;

    void warn(Logger log, Supplier<String> text) {
        if (!second.isDue(System.nanoTime())) {
            unsaid++;
            return;
        }
        long more = unsaid;
        unsaid = 0;
        log.warning(() -> text.get() + (more == 0 ? "" : "; " + more + " more were not told of"));
    }
}
