package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.scenario.pacing.Phase;
import ch.ethz.mlmq.scenario.pacing.PhasePlan;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Decides whether requests may start, for all clients of a JVM. */
public final class LoadControl {
    private final Map<Phase, AtomicLong> budgets = new EnumMap<>(Phase.class);
    /** Latest intended start of a request of the measuring phase that asked for permission [ns since the start]. */
    private final AtomicLong latest = new AtomicLong();
    private volatile PhasePlan plan;
    private volatile boolean paused;
    private volatile boolean closed;

    /**
     * @param plan     start and end of the load
     * @param requests number that may start while measuring; 0 for no limit
     */
    public LoadControl(PhasePlan plan, long requests) {
        this.plan = plan;
        for (Phase phase : Phase.values()) {
            long unlimited = phase.isLoad() ? Long.MAX_VALUE : 0;
            budgets.put(phase, new AtomicLong(phase == Phase.MEASURING && requests > 0 ? requests : unlimited));
        }
    }

    /** @return the phases; they end earlier than planned if the measuring phase did */
    public PhasePlan plan() {
        return plan;
    }

    /** @return the phase at an instant [ns]; {@link Phase#DRAINING} once no request starts any more */
    public Phase phaseAt(long nanos) {
        return plan.at(nanos);
    }

    /** Lets measuring end at an instant [ns], if that is earlier than planned. */
    public synchronized void measureUntil(long nanos) {
        if (nanos - plan.measuringEnd() < 0) {
            plan = plan.measuringEndedAt(nanos);
        }
    }

    /** Pauses or resumes the start of requests. */
    public void pause(boolean wanted) {
        paused = wanted;
    }

    /** @return whether it is paused */
    public boolean isPaused() {
        return paused;
    }

    /** Ends the load at an instant [ns]: requests with a later intended start do not start. */
    public synchronized void shutDown(long nanos) {
        plan = plan.endedAt(nanos);
    }

    /** Lets no request start from now on, not even one with an earlier intended start. */
    public void close() {
        closed = true;
    }

    /** @return true if due requests may start now */
    boolean isOpen() {
        return !paused && !closed;
    }

    /**
     * Asks for permission to start a request with an intended start [ns]. If the measuring phase has no permission
     * left, it ends behind all intended starts that asked. All phases take the same path, see {@link PhasePlan#at}.
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
