package ch.ethz.mlmq.broker.access;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Counts failed sign-ins of each address and of each user. Whoever tries too often is refused for a while. A user that
 * has signed in from an address before is counted apart there, so that guesses from elsewhere lock nobody out.
 *
 * <p>It keeps a fixed number of entries, those that were used last.
 */
final class Attempts {
    private static final int ENTRIES = 4_096;
    /** Failures in a window, beyond which sign-ins are refused. */
    static final int MAX = 10;
    private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Map<String, Failures> failures = new Latest<>();
    private final Map<String, Boolean> familiar = new Latest<>();

    private record Failures(int count, long sinceNanos) {
        boolean isOver(long now) {
            return now - sinceNanos > WINDOW_NANOS;
        }
    }

    private static final class Latest<V> extends LinkedHashMap<String, V> {
        private static final long serialVersionUID = 1L;

        Latest() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
            return size() > ENTRIES;
        }
    }

    /** @return true if the user may not try from that address now */
    synchronized boolean isRefused(String user, String address, long now) {
        for (String key : keys(user, address)) {
            Failures known = failures.get(key);
            if (known != null && known.count >= MAX && !known.isOver(now)) {
                return true;
            }
        }
        return false;
    }

    synchronized void failed(String user, String address, long now) {
        for (String key : keys(user, address)) {
            failures.merge(key, new Failures(1, now), (known, one) -> known.isOver(now) ? one
                    : new Failures(known.count + 1, known.sinceNanos));
        }
    }

    synchronized void succeeded(String user, String address) {
        String both = both(user, address);
        familiar.put(both, true);
        failures.remove(both);
    }

    private String[] keys(String user, String address) {
        String both = both(user, address);
        return familiar.get(both) != null ? new String[] {both} : new String[] {"address " + address, "user " + user};
    }

    private static String both(String user, String address) {
        return "user " + user + " at " + address;
    }
}
