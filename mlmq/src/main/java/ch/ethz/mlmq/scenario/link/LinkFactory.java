package ch.ethz.mlmq.scenario.link;

import ch.ethz.mlmq.scenario.ClientId;

/** Opens the links of a JVM's clients. */
public interface LinkFactory extends AutoCloseable {

    /**
     * Begins to connect and goes on trying until the link is closed.
     *
     * @param changed called whenever the link may have become connected or disconnected; must not block
     */
    Link open(ClientId id, Runnable changed);

    /** @return whether each link has a thread of its own, as a library that waits for answers needs one */
    default boolean hasThreadPerLink() {
        return false;
    }

    /** @return whether what is behind sends bytes back, so that it can be asked beforehand how long messages may be */
    default boolean echoes() {
        return true;
    }

    /** @return where the links lead, for people */
    String target();

    /** Ends what the links share. */
    @Override
    void close();
}
