package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.broker.limits.TimeLimits;
import ch.ethz.mlmq.protocol.Features;

/** Whose time is over: connections that are silent, or take no byte of their answers, for too long. */
final class Patience {
    /** An answer to what was asked before a bad frame may keep the connection open so long. */
    private static final long FAREWELL_NANOS = 10_000_000_000L;

    private final TimeLimits times;

    Patience(TimeLimits times) {
        this.times = times;
    }

    /** @return whether it reads nothing, as far as is known here */
    boolean isWriteOver(SocketLink link, long now) {
        return isOver(times.write(), link.outbound.progressNanos, now) && link.outbound.hasUnwritten();
    }

    /** @return whether its last answer is not to wait for others any longer */
    static boolean isFarewellOver(SocketLink link, long now) {
        return isOver(FAREWELL_NANOS, link.inbound.heardNanos, now);
    }

    /**
     * Judges by what had come when it was looked last.
     *
     * @return why it was silent for too long, or null where it was not
     */
    String silence(SocketLink link, long looked) {
        long heard = link.inbound.heardNanos;
        if (link.connection.session().client() == 0) {
            // Whoever has asked waits for us.
            return link.unanswered == 0 && isOver(times.register(), heard, looked)
                    ? "it sent no request and did not register within broker.connection.register.timeout" : null;
        }
        if (link.has(Features.KEEP_ALIVE)) {
            return isOver(times.keepAlive(), heard, looked)
                    ? "it gave no sign of life for longer than broker.connection.keepalive.timeout" : null;
        }
        return isOver(times.idle(), heard, looked)
                ? "it sent no request for longer than broker.connection.idle.timeout" : null;
    }

    private static boolean isOver(long limit, long since, long now) {
        return limit > 0 && now - since > limit;
    }
}
