package ch.ethz.mlmq.log;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Gives an agent a thread. An error is logged and does not end the loop. */
public final class AgentRunner implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(AgentRunner.class.getName());
    private static final long ERROR_PAUSE_NANOS = 100_000_000;

    private final Agent agent;
    private final long idleNanos;
    private final Thread thread;
    private volatile boolean running = true;

    private AgentRunner(Agent agent, Duration idle) {
        this.agent = agent;
        this.idleNanos = idle.toNanos();
        this.thread = new Thread(this::run, agent.roleName());
        thread.setDaemon(true);
    }

    /**
     * Starts the agent in a thread of its own.
     *
     * @param idle how long to rest where there was nothing to do; zero for an agent that waits by itself
     */
    public static AgentRunner start(Agent agent, Duration idle) {
        AgentRunner runner = new AgentRunner(agent, idle);
        runner.thread.start();
        return runner;
    }

    /** @return whether the agent's thread is still there */
    public boolean isAlive() {
        return thread.isAlive();
    }

    /** Lets the agent finish what it is doing, closes it, and waits for its thread to end. */
    @Override
    public void close() {
        running = false;
        boolean interrupted = false;
        while (thread.isAlive() && Thread.currentThread() != thread) {
            LockSupport.unpark(thread);
            agent.wakeUp();
            try {
                thread.join(100);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        if (!guarded(agent::onStart)) {
            return;
        }
        while (running) {
            int done = work();
            if (done == 0 && idleNanos > 0 && running) {
                LockSupport.parkNanos(idleNanos);
            }
        }
        guarded(agent::onClose);
    }

    private int work() {
        try {
            return agent.doWork();
        } catch (Exception | AssertionError | StackOverflowError e) {
            LOG.log(Level.SEVERE, e, () -> agent.roleName() + ": " + e);
            LockSupport.parkNanos(ERROR_PAUSE_NANOS);
            return 1;
        }
    }

    private boolean guarded(Step step) {
        try {
            step.run();
            return true;
        } catch (Exception e) {
            LOG.log(Level.SEVERE, e, () -> agent.roleName() + ": " + e);
            return false;
        }
    }

    @FunctionalInterface
    private interface Step {
        void run() throws Exception;
    }
}
