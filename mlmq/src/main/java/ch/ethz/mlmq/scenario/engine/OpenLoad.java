package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.scenario.pacing.ArrivalTimes;
import ch.ethz.mlmq.scenario.pacing.RatePlan;
import java.util.ArrayList;
import java.util.List;

/** Deals the arrivals of an open load at their times, to one client after the other. */
final class OpenLoad {
    private final ArrivalTimes arrivals;
    private final LoadControl control;
    private final Timers timers;
    private final long startNanos;
    private final boolean ratePerClient;
    private List<LoadClient> clients = List.of();
    private long dealt;
    private long plans;
    private boolean paused;

    /**
     * @param arrivals      counted from the start of the load
     * @param ratePerClient true if the rate grows with the number of clients
     */
    OpenLoad(ArrivalTimes arrivals, LoadControl control, Timers timers, boolean ratePerClient) {
        this.arrivals = arrivals;
        this.control = control;
        this.timers = timers;
        this.startNanos = control.plan().startNanos();
        this.ratePerClient = ratePerClient;
    }

    /** Begins to deal at the start of the load. */
    synchronized void begin(List<LoadClient> first) {
        clients = new ArrayList<>(first);
        scheduleNext();
    }

    /** Deals to these clients from now on. */
    synchronized void clients(List<LoadClient> changed) {
        if (ratePerClient && !clients.isEmpty() && !changed.isEmpty()) {
            arrivals.goOn((double) changed.size() / clients.size(), dealUntilNow());
            plans++;
            scheduleNext();
        }
        clients = new ArrayList<>(changed);
    }

    /** Replaces the rate of the JVM, or of each client if the settings say so. */
    synchronized void rate(RatePlan plan) {
        arrivals.replan(ratePerClient ? plan.rest(0, Math.max(1, clients.size())) : plan, dealUntilNow());
        plans++;
        scheduleNext();
    }

    /** Stops arrivals from now on; earlier ones still wait. */
    synchronized void pause() {
        arrivals.pause(dealUntilNow());
        paused = true;
        plans++;
    }

    /** Resumes arrivals; those planned during the pause are left out. */
    synchronized void resume() {
        if (paused) {
            arrivals.resume(elapsed(timers.nanoTime()));
            paused = false;
            plans++;
            scheduleNext();
        }
    }

    /** @return number of requests that were to start between two instants [ns] */
    synchronized double planned(long fromNanos, long toNanos) {
        return arrivals.planned(toNanos - startNanos) - arrivals.planned(fromNanos - startNanos);
    }

    /** Deals arrivals planned before the end that the pacer dealt too late; a pause has no arrivals. */
    synchronized void finish() {
        plans++;
        dealUntilNow();
    }

    /**
     * Deals the arrivals that a late pacer has not dealt yet, before the plan changes.
     *
     * @return now [ns since the start of the load]
     */
    private long dealUntilNow() {
        long now = timers.nanoTime();
        if (!isPaused()) {
            dealUntil(now);
        }
        return elapsed(now);
    }

    private boolean isPaused() {
        return paused || control.isPaused();
    }

    private long elapsed(long now) {
        return Math.max(0, now - startNanos);
    }

    /** Schedules the next arrival; the number of the plan shows whether it was replaced meanwhile. */
    private void scheduleNext() {
        long plan = plans;
        long next = startNanos + arrivals.nextNanos();
        if (control.phaseAt(next).isLoad()) {
            timers.at(next, () -> deal(plan));
        }
    }

    private synchronized void deal(long plan) {
        if (plan != plans || isPaused()) {
            return;
        }
        dealUntil(timers.nanoTime());
        scheduleNext();
    }

    private void dealUntil(long now) {
        long next = startNanos + arrivals.nextNanos();
        while (next - now <= 0 && control.phaseAt(next).isLoad()) {
            if (!clients.isEmpty() && control.mayStart(next)) {
                clients.get((int) (dealt++ % clients.size())).arrive(next);
            }
            arrivals.advance();
            next = startNanos + arrivals.nextNanos();
        }
    }
}
