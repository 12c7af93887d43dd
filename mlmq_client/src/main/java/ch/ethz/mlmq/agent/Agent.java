package ch.ethz.mlmq.agent;

/** Work that one thread does over and over: see {@link AgentRunner}. All methods are called by that thread. */
public interface Agent {
    /** Called once, before any work. */
    default void onStart() throws Exception {
    }

    /**
     * Does what there is to do and returns.
     *
     * @return how much was done; 0 lets the runner idle
     */
    int doWork() throws Exception;

    /** Called once, after the last work. */
    default void onClose() throws Exception {
    }

    /** Names the thread. */
    String roleName();

    /** Called by another thread to end a wait inside {@link #doWork}, because the agent is to close. */
    default void wakeUp() {
    }
}
