package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.scenario.pacing.Phase;
import ch.ethz.mlmq.scenario.pacing.PhasePlan;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Says whether requests may start, for all clients of a JVM. */
public final class LoadControl {
    private final Map<Phase, AtomicLong> budgets = new EnumMap<>(Phase.class);
    /** When the latest request of the measuring phase was to start that asked for leave [ns since the start]. */
    private final AtomicLong latest = new AtomicLong();
    private volatile PhasePlan plan;
    private volatile boolean paused;
    private volatile boolean closed;

    /**
     * @param plan     when the load begins and ends
     * @param requests that may start while measuring; 0 for any number
     */
    public LoadControl(PhasePlan plan, long requests) {
        this.plan = plan;
        for (Phase phase : Phase.values()) {
            long unlimited = phase.isLoad() ? Long.MAX_VALUE : 0;
            budgets.put(phase, new AtomicLong(phase == Phase.MEASURING && requests > 0 ? requests : unlimited));
        }
    }

    /** @return the phases, which end earlier than planned where measuring did */
    public PhasePlan plan() {
        return plan;
    }

    /** @return the phase at an instant [ns]; {@link Phase#DRAINING} once nothing starts any more */
    public Phase phaseAt(long nanos) {
        return plan.at(nanos);
    }

    /** Starts and stops the starting of requests. */
    public void pause(boolean wanted) {
        paused = wanted;
    }

    /** @return whether it is paused */
    public boolean isPaused() {
        return paused;
    }

    /** Ends the load at an instant [ns]: what was to start later does not. */
    public synchronized void shutDown(long nanos) {
        plan = plan.endedAt(nanos);
    }

    /** Nothing at all starts from now on, not even what was to start earlier. */
    public void close() {
        closed = true;
    }

    /** @return whether what is due may start now */
    boolean isOpen() {
        return !paused && !closed;
    }

    /**
     * Asks for leave to start a request that was to start at an instant [ns]. Once measuring has no leave any more, it
     * ends behind all that were to start in it and asked. All phases take the same path, see {@link PhasePlan#at}.
     */
    boolean mayStart(long intendedNanos) {
        Phase phase = plan.at(intendedNanos);
        if (phase == Phase.MEASURING) {
            latest.accumulateAndGet(intendedNanos - plan.startNanos(), Math::max);
        }
        long left = budgets.get(phase).getAndUpdate(requests -> Math.max(0, requests - 1));
        if (left == 1) {
            endMeasuring(plan.startNanos() + latest.get());
        }
        return left > 0;
    }

    private synchronized void endMeasuring(long nanos) {
        plan = plan.measuringEndedAt(nanos + 1);
    }
}
