package ch.ethz.mlmq.broker.access;

import ch.ethz.mlmq.broker.limits.Network;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Counts failed sign-ins of each network, and of each user from each network. Whoever tries too often is refused there
 * for a while, and nowhere else: guesses of others lock no user out. A user that has signed in from a network before
 * is not counted with the others of that network.
 *
 * <p>It keeps a fixed number of entries, those that were used last.
 */
final class Attempts {
    private static final int ENTRIES = 4_096;
    /** Failures of a user from a network in a window, beyond which sign-ins are refused. */
    static final int MAX = 10;
    /** The same of a site, which many users may share. */
    static final int MAX_OF_SITE = 100;
    private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Map<Who, Failures> failures = new Latest<>();
    private final Map<Who, Boolean> familiar = new Latest<>();

    /** @param user or null for all */
    private record Who(String user, String network) {
        int most() {
            return user == null ? MAX_OF_SITE : MAX;
        }
    }

    private record Failures(int count, long sinceNanos) {
        boolean isOver(long now) {
            return now - sinceNanos > WINDOW_NANOS;
        }
    }

    private static final class Latest<V> extends LinkedHashMap<Who, V> {
        private static final long serialVersionUID = 1L;

        Latest() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Who, V> eldest) {
            return size() > ENTRIES;
        }
    }

    /** @return true if the user may not try from that address now */
    synchronized boolean isRefused(String user, String address, long now) {
        for (Who key : keys(user, address)) {
            Failures known = failures.get(key);
            if (known != null && known.count >= key.most() && !known.isOver(now)) {
                return true;
            }
        }
        return false;
    }

    synchronized void failed(String user, String address, long now) {
        for (Who key : keys(user, address)) {
            failures.merge(key, new Failures(1, now), (known, one) -> known.isOver(now) ? one
                    : new Failures(known.count + 1, known.sinceNanos));
        }
    }

    synchronized void succeeded(String user, String address) {
        Who both = new Who(user, Network.of(address, Network.HOST));
        familiar.put(both, true);
        failures.remove(both);
    }

    private List<Who> keys(String user, String address) {
        Who both = new Who(user, Network.of(address, Network.HOST));
        return familiar.get(both) != null ? List.of(both)
                : List.of(new Who(null, Network.of(address, Network.SITE)), both);
    }
}
