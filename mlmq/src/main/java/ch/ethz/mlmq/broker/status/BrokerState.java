package ch.ethz.mlmq.broker.status;

import java.util.Locale;

/** The phase of a broker's life. */
public enum BrokerState {
    STARTING, READY, STOPPING, STOPPED;

    /** @return the word of progress lines, such as {@code ready} */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
