package ch.ethz.mlmq.client;

/** Hears of every change of a client's state, in order, on the loop's thread. Must not block. */
@FunctionalInterface
public interface StateListener {
    /** Hears nothing. */
    StateListener NONE = (state, reason) -> { };

    /** @param reason one line for people: which broker, or what went wrong */
    void changed(ClientState state, String reason);
}
