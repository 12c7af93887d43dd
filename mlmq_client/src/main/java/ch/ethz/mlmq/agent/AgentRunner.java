package ch.ethz.mlmq.agent;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Runs an agent in a thread of its own. An exception is logged and does not end the loop. An {@link Error} ends the
 * process, or is passed to the handler given at the start, so that a thread never ends unnoticed.
 */
public final class AgentRunner implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(AgentRunner.class.getName());
    private static final long ERROR_PAUSE_NANOS = 100_000_000;
    private static final Duration CLOSING = Duration.ofSeconds(30);
    private static final long JOIN_MILLIS = 100;

    private final Agent agent;
    private final long idleNanos;
    private final BiConsumer<String, Throwable> onError;
    private final Thread thread;
    private volatile boolean running = true;

    private AgentRunner(Agent agent, Duration idle, BiConsumer<String, Throwable> onError) {
        this.agent = agent;
        this.onError = onError;
        this.idleNanos = idle.toNanos();
        this.thread = new Thread(this::run, agent.roleName());
        thread.setDaemon(true);
    }

    /**
     * Starts the agent in a thread of its own.
     *
     * @param idle pause after a call that found no work; zero for an agent that waits by itself
     */
    public static AgentRunner start(Agent agent, Duration idle) {
        return start(agent, idle, FatalError.endingTheProcess());
    }

    /**
     * Starts an agent in a process that must survive its errors.
     *
     * @param onError gets the agent's name and the error that has ended it, in its thread
     */
    public static AgentRunner start(Agent agent, Duration idle, BiConsumer<String, Throwable> onError) {
        AgentRunner runner = new AgentRunner(agent, idle, onError);
        runner.thread.start();
        return runner;
    }

    /** @return true if the agent's thread is running */
    public boolean isAlive() {
        return thread.isAlive();
    }

    /** Lets the agent finish its current work, closes it, and waits at most half a minute for its thread to end. */
    @Override
    public void close() {
        close(CLOSING);
    }

    /** Closes the agent. @param limit longest wait; a thread that takes longer is interrupted, and abandoned */
    public void close(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        stop();
        boolean interrupted = false;
        while (thread.isAlive() && Thread.currentThread() != thread && System.nanoTime() - deadline < 0) {
            stop();
            try {
                thread.join(JOIN_MILLIS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (thread.isAlive() && Thread.currentThread() != thread) {
            abandon();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Asks the agent to end, without waiting for it. */
    public void stop() {
        running = false;
        LockSupport.unpark(thread);
        agent.wakeUp();
    }

    private void abandon() {
        Exception place = new Exception("where " + agent.roleName() + " is");
        place.setStackTrace(thread.getStackTrace());
        LOG.log(Level.SEVERE, place, () -> agent.roleName() + " did not end in time and keeps running");
        thread.interrupt();
    }

    private void run() {
        try {
            agent.onStart();
            while (running) {
                int done = work();
                if (done == 0 && idleNanos > 0 && running) {
                    LockSupport.parkNanos(idleNanos);
                }
            }
            agent.onClose();
        } catch (Exception e) {
            if (running) {
                onError.accept(agent.roleName(), e);
            } else {
                LOG.log(Level.SEVERE, e, () -> agent.roleName() + ": " + e);
            }
        } catch (Throwable e) {
            onError.accept(agent.roleName(), e);
        }
    }

    private int work() {
        try {
            return agent.doWork();
        } catch (Exception e) {
            LOG.log(Level.SEVERE, e, () -> agent.roleName() + ": " + e);
            LockSupport.parkNanos(ERROR_PAUSE_NANOS);
            return 1;
        }
    }
}
