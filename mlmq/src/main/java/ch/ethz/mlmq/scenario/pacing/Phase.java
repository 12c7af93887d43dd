package ch.ethz.mlmq.scenario.pacing;

import java.util.Locale;

/** What a JVM of load clients is at; each phase leads to the next, and any of them to {@link #DRAINING}. */
public enum Phase {
    /** Clients connect, register and look up what they need. */
    CONNECTING,
    /** All is there; the start that the JVMs agreed on is waited for. */
    READY,
    /** Load that is recorded, but not part of the figures. */
    WARMUP,
    /** Load whose figures count. */
    MEASURING,
    /** Load that keeps the others' last figures true. */
    COOLDOWN,
    /** No new requests; answers are waited for. */
    DRAINING,
    /** Everything is written. */
    DONE;

    /** @return whether requests are started in this phase */
    public boolean isLoad() {
        return this == WARMUP || this == MEASURING || this == COOLDOWN;
    }

    /** @return the name in progress lines */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
