package ch.ethz.mlmq.broker.limits;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The shares of all users, or of all addresses. Any thread may use it.
 *
 * <p>It has as many entries as there are connections, and a fixed number of those that left last: whoever comes back at
 * once gets the same share.
 */
public final class Shares {
    private static final int LEFT_MAX = 4_096;

    private final Quota quota;
    private final Map<String, Share> present = new HashMap<>();
    private final Map<String, Share> left = new LinkedHashMap<>();

    /** @param quota of each share */
    public Shares(Quota quota) {
        this.quota = quota;
    }

    /**
     * Counts one more connection. One place is beyond the limit, for a client that takes over its
     * own lost connection.
     *
     * @param provisionally null, or what may have that place
     * @return its share; null if there are too many
     */
    synchronized Share enter(String name, Holdings provisionally) {
        Share share = present.get(name);
        if (share == null) {
            share = left.remove(name);
            share = share == null ? new Share(name, quota, System.nanoTime()) : share;
            present.put(name, share);
        }
        if (quota.connections() > 0 && share.connections >= quota.connections()) {
            if (provisionally == null || share.beyond != null) {
                return null;
            }
            share.beyond = provisionally;
        }
        share.connections++;
        return share;
    }

    /** Counts one less. Whoever is beyond the limit gets its place. */
    synchronized void leave(Share share) {
        share.beyond = null;
        if (--share.connections == 0) {
            present.remove(share.name);
            left.put(share.name, share);
            if (left.size() > LEFT_MAX) {
                Iterator<Share> eldest = left.values().iterator();
                eldest.next();
                eldest.remove();
            }
        }
    }

    /** @return true if that one has the place beyond the limit */
    synchronized boolean isBeyond(Share share, Holdings one) {
        return share.beyond == one;
    }

    boolean areUnlimited() {
        return quota.isNone();
    }

    /** @return why one more connection does not come in */
    String tooMany(String name) {
        return quota.owner() + " " + name + " has as many connections as "
                + quota.setting("connections", quota.connections()) + " allows";
    }

    synchronized int size() {
        return present.size() + left.size();
    }
}
