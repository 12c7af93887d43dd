package ch.ethz.mlmq.broker.access;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Counts failed sign-ins of each address and of each user. Whoever tries too often is refused for a while. A user that
 * has signed in from an address before is counted apart there, so that guesses from elsewhere lock nobody out.
 *
 * <p>It keeps a fixed number of entries, those that were used last.
 */
final class Attempts {
    private static final int IPV6_BYTES = 16;
    private static final int ENTRIES = 4_096;
    /** Failures of a user in a window, beyond which sign-ins are refused. */
    static final int MAX = 10;
    /** The same of an address, which many users may share. */
    static final int MAX_OF_ADDRESS = 100;
    private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Map<Who, Failures> failures = new Latest<>();
    private final Map<Who, Boolean> familiar = new Latest<>();

    /** @param user or null for all. @param address or null for all */
    private record Who(String user, String address) {
        int most() {
            return user == null ? MAX_OF_ADDRESS : MAX;
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
        Who both = new Who(user, network(address));
        familiar.put(both, true);
        failures.remove(both);
    }

    private List<Who> keys(String user, String address) {
        String network = network(address);
        Who both = new Who(user, network);
        return familiar.get(both) != null ? List.of(both) : List.of(new Who(null, network), new Who(user, null));
    }

    /** @return the address; of IPv6 its first 64 bits, as one host has all addresses behind them */
    static String network(String address) {
        if (!address.contains(":")) {
            return address;
        }
        try {
            byte[] bytes = InetAddress.getByName(address).getAddress();
            return bytes.length == IPV6_BYTES ? HexFormat.of().formatHex(bytes, 0, IPV6_BYTES / 2) : address;
        } catch (UnknownHostException e) {
            return address;
        }
    }
}
