package ch.ethz.mlmq.client;

/** Is called at every change of a client's state, in order, on the loop's thread. It must not block. */
@FunctionalInterface
public interface StateListener {
    /** Ignores all changes. */
    StateListener NONE = (state, reason) -> { };

    /** @param reason one line for people: the broker, or what went wrong */
    void changed(ClientState state, String reason);
}
