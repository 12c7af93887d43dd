package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.broker.limits.TimeLimits;
import ch.ethz.mlmq.protocol.Features;

/** Time limits of connections that are silent, or do not read their responses. Used by one I/O thread. */
final class Patience {
    /** Time for which responses to requests before an invalid frame may keep the connection open. */
    private static final long FAREWELL_NANOS = 10_000_000_000L;

    private final TimeLimits times;

    Patience(TimeLimits times) {
        this.times = times;
    }

    /** @return true if the connection has not read its responses for too long */
    boolean isWriteOver(SocketLink link, long now) {
        return isOver(times.write(), link.outbound.progressNanos, now)
                && (link.outbound.hasUnwritten() || link.bytes.wantsToWrite(false));
    }

    /** @return true if its last response must not wait for others any longer */
    static boolean isFarewellOver(SocketLink link, long now) {
        return isOver(FAREWELL_NANOS, link.inbound.heardNanos, now);
    }

    /**
     * Considers only bytes that had arrived when the thread last looked for them.
     *
     * @return why the connection was silent for too long, or null if it was not
     */
    String silence(SocketLink link, long looked) {
        long heard = link.inbound.heardNanos;
        if (link.connection.session().client() == 0) {
            // A client that waits for a response may be silent.
            return link.unanswered == 0 && isOver(times.register(), heard, looked)
                    ? "it sent no request and did not register within broker.connection.register.timeout" : null;
        }
        if (link.has(Features.KEEP_ALIVE)) {
            return isOver(times.keepAlive(), heard, looked)
                    ? "it sent no byte for longer than broker.connection.keepalive.timeout" : null;
        }
        return isOver(times.idle(), heard, looked)
                ? "it sent no request for longer than broker.connection.idle.timeout" : null;
    }

    private static boolean isOver(long limit, long since, long now) {
        return limit > 0 && now - since > limit;
    }
}
