package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.log.Every;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.logging.Logger;

/** Logs warnings of one thread, at most one a second, so that many faulty connections do not fill the disk. */
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
        log.warning(() -> text.get() + (more == 0 ? "" : "; " + more + " more were not logged"));
    }
}
