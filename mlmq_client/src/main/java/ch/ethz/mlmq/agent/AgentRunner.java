package ch.ethz.mlmq.agent;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Gives an agent a thread. An exception is logged and does not end the loop. An {@link Error} ends the process, or is
 * told to whoever has said that it is his: a thread never ends alone.
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
     * @param idle how long to rest where there was nothing to do; zero for an agent that waits by itself
     */
    public static AgentRunner start(Agent agent, Duration idle) {
        return start(agent, idle, FatalError.endingTheProcess());
    }

    /**
     * The same for an agent in somebody else's process.
     *
     * @param onError gets the agent's name and the error that has ended it, in its thread
     */
    public static AgentRunner start(Agent agent, Duration idle, BiConsumer<String, Throwable> onError) {
        AgentRunner runner = new AgentRunner(agent, idle, onError);
        runner.thread.start();
        return runner;
    }

    /** @return whether the agent's thread is still there */
    public boolean isAlive() {
        return thread.isAlive();
    }

    /** Lets the agent finish what it is doing, closes it, and waits for its thread to end, half a minute at most. */
    @Override
    public void close() {
        close(CLOSING);
    }

    /** The same. @param limit how long to wait; a thread that takes longer is interrupted, and left behind */
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

    /** Tells the agent to end, and does not wait for it. */
    public void stop() {
        running = false;
        LockSupport.unpark(thread);
        agent.wakeUp();
    }

    private void abandon() {
        Exception place = new Exception("where " + agent.roleName() + " is");
        place.setStackTrace(thread.getStackTrace());
        LOG.log(Level.SEVERE, place, () -> agent.roleName() + " did not end in time and is left behind");
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
