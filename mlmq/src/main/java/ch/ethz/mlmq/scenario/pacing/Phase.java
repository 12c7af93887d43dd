package ch.ethz.mlmq.scenario.pacing;

import java.util.Locale;

/** What a JVM of load clients is at; each phase leads to the next, and any of them to {@link #DRAINING}. */
public enum Phase {
    /** Clients connect, register and look up what they need. */
    CONNECTING(false),
    /** All is there; the start that the JVMs agreed on is waited for. */
    READY(false),
    /** Load that is recorded, but not part of the figures. */
    WARMUP(true),
    /** Load whose figures count. */
    MEASURING(true),
    /** Load that keeps the others' last figures true. */
    COOLDOWN(true),
    /** No new requests; answers are waited for. */
    DRAINING(false),
    /** Everything is written. */
    DONE(false);

    private final boolean load;

    Phase(boolean load) {
        this.load = load;
    }

    /** @return whether requests are started in this phase */
    public boolean isLoad() {
        return load;
    }

    /** @return the name in progress lines */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
