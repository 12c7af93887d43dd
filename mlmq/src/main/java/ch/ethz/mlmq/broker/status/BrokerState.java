package ch.ethz.mlmq.broker.status;

import java.util.Locale;

/** Where a broker is in its life. */
public enum BrokerState {
    STARTING, READY, STOPPING, STOPPED;

    /** @return as in progress lines: {@code ready} */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
