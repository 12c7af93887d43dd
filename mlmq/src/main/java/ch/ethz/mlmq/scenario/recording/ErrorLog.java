package ch.ethz.mlmq.scenario.recording;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Logs the first error of each kind in full; later ones are only counted. */
public final class ErrorLog {
    private static final Logger LOG = Logger.getLogger(ErrorLog.class.getName());

    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    /**
     * @param kind kind under which it is counted
     * @param text the details
     */
    public void error(String kind, String text) {
        if (seen.add(kind)) {
            LOG.log(Level.WARNING, "first error of the kind {0}: {1} (further ones are only counted)",
                    new Object[] {kind, text});
        }
    }
}
