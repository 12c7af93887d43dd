package ch.ethz.mlmq.agent;

/** Work that one thread repeats: see {@link AgentRunner}. That thread calls all methods. */
public interface Agent {
    /** Called once, before any work. */
    default void onStart() throws Exception {
    }

    /**
     * Does the available work and returns.
     *
     * @return the amount of work; after 0 the runner pauses
     */
    int doWork() throws Exception;

    /** Called once, after the last work. */
    default void onClose() throws Exception {
    }

    /** @return the name of the thread */
    String roleName();

    /** Ends a wait inside {@link #doWork} because the agent is to close. Called by another thread. */
    default void wakeUp() {
    }
}
