package ch.ethz.mlmq.scenario.pacing;

import java.util.Locale;

/** The phase of a JVM of load clients. Each phase leads to the next, and any of them to {@link #DRAINING}. */
public enum Phase {
    /** Clients connect, register and look up what they need. */
    CONNECTING(false),
    /** Clients are ready, and wait for the start that the JVMs agreed on. */
    READY(false),
    /** The load is recorded, but does not count in the results. */
    WARMUP(true),
    /** The load counts in the results. */
    MEASURING(true),
    /** The load continues, so that other JVMs' last results stay undisturbed. */
    COOLDOWN(true),
    /** No request starts; responses are awaited. */
    DRAINING(false),
    /** All files are written. */
    DONE(false);

    private final boolean load;

    Phase(boolean load) {
        this.load = load;
    }

    /** @return true if requests start in this phase */
    public boolean isLoad() {
        return load;
    }

    /** @return the name in progress lines */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
