package ch.ethz.mlmq.broker.limits;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** What one user or one address has of a broker, over all its connections. Any thread may use it. */
public final class Share {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    final String name;
    /** Guarded by the lock of {@link Shares}. */
    int connections;
    /** Who has the place beyond the limit; null if nobody has. Guarded likewise. */
    Holdings beyond;
    private final Quota quota;
    private final AtomicLong bytes = new AtomicLong();
    /** When all requests so far would be over at the permitted rate [ns]. */
    private final AtomicLong busyUntil;

    Share(String name, Quota quota, long now) {
        this.name = name;
        this.quota = quota;
        this.busyUntil = new AtomicLong(now);
    }

    void hold(long change) {
        bytes.addAndGet(change);
    }

    /** @return why there is no room for one more request, or null if there is */
    String obstacle(long now) {
        if (quota.bytes() > 0 && bytes.get() > quota.bytes()) {
            return who() + " holds more bytes of requests and unread responses than "
                    + quota.setting("bytes", quota.bytes());
        }
        return quota.requests() == 0 || isInTime(now) ? null
                : who() + " sends more requests a second than " + quota.setting("requests", quota.requests());
    }

    /** Takes the requests of a second at once, and then one for each part of a second. */
    private boolean isInTime(long now) {
        long each = SECOND / quota.requests();
        while (true) {
            long until = busyUntil.get();
            long next = (until - now > 0 ? until : now) + each;
            if (next - now > SECOND) {
                return false;
            }
            if (busyUntil.compareAndSet(until, next)) {
                return true;
            }
        }
    }

    String who() {
        return quota.owner() + " " + name;
    }
}
