package ch.ethz.mlmq.scenario.link;

import ch.ethz.mlmq.scenario.ClientId;

/** Opens the links of a JVM's clients. */
public interface LinkFactory extends AutoCloseable {

    /**
     * Begins to connect, and repeats attempts until the link is closed.
     *
     * @param changed called whenever the link may have become connected or disconnected; must not block
     */
    Link open(ClientId id, Runnable changed);

    /** @return number of threads of each link, as needed by a library that blocks until each response; 0 if shared */
    default int threadsPerLink() {
        return 0;
    }

    /** @return true if the system echoes bytes, so that an echo can test the longest message beforehand */
    default boolean echoes() {
        return true;
    }

    /** @return number of brokers that share nothing and to which each link of that scenario leads; 1 if they share */
    default int brokersOf(String scenario) {
        return 1;
    }

    /** @return true if all brokers give a topic the same id */
    default boolean sharesTopics() {
        return true;
    }

    /** @return the target of the links, for people */
    String target();

    /** Releases what the links share. */
    @Override
    void close();
}
