package ch.ethz.mlmq.scenario.kinds;

import ch.ethz.mlmq.scenario.ClientContext;
import ch.ethz.mlmq.scenario.settings.ClientKeys;

/** Detects a partner that was silent for {@code client.partner.timeout}. */
final class PartnerWatch {
    private final ClientContext context;
    private final long patienceNanos;
    private boolean expecting;
    private long sinceNanos;

    PartnerWatch(ClientContext context) {
        this.context = context;
        this.patienceNanos = context.settings().get(ClientKeys.PARTNER_TIMEOUT).toNanos();
    }

    /** Starts the wait for the partner. */
    void expected() {
        expecting = true;
        sinceNanos = context.nanoTime();
    }

    /** Ends the wait for the partner. */
    void heard() {
        expecting = false;
    }

    /** @return true once each time the partner was silent for too long, which is counted as an error */
    boolean isLost() {
        if (!expecting || context.nanoTime() - sinceNanos < patienceNanos) {
            return false;
        }
        context.problem("PARTNER_LOST", context.id().name() + " has not heard of its partner, client "
                + context.around().partner() + ", for " + ClientKeys.PARTNER_TIMEOUT.name());
        expected();
        return true;
    }
}
