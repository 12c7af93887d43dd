package ch.ethz.mlmq.log;

import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A repeated failure, which is logged once when it begins and once when it ends. Used by one thread. */
public final class Outage {
    private final Logger log;
    private final String what;
    private long beganNanos;
    private boolean lasts;

    /** @param what fails, as the subject of a sentence: "the heartbeat" */
    public Outage(Logger log, String what) {
        this.log = log;
        this.what = what;
    }

    /** Records a failure. @param reason for people, one line */
    public void failed(String reason, Throwable cause) {
        log.log(Level.FINE, cause, () -> what + " failed: " + reason);
        if (!lasts) {
            lasts = true;
            beganNanos = System.nanoTime();
            log.warning(() -> what + " failed: " + reason + "; the broker retries until it succeeds");
        }
    }

    /** Records a success. */
    public void worked() {
        if (lasts) {
            lasts = false;
            log.warning(() -> what + " works again after "
                    + Duration.ofNanos(System.nanoTime() - beganNanos).toMillis() / 1_000.0 + " s");
        }
    }
}
