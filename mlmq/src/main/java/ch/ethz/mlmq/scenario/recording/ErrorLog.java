package ch.ethz.mlmq.scenario.recording;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Says the first error of each kind in full, and leaves the rest to the counts. */
public final class ErrorLog {
    private static final Logger LOG = Logger.getLogger(ErrorLog.class.getName());

    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    /**
     * @param kind by which it is counted
     * @param text what was wrong, with all there is to say
     */
    public void error(String kind, String text) {
        if (seen.add(kind)) {
            LOG.log(Level.WARNING, "first error of the kind {0}: {1} (the following ones are only counted)",
                    new Object[] {kind, text});
        }
    }
}
