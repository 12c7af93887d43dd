package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.scenario.pacing.LoadPlan;
import ch.ethz.mlmq.scenario.pacing.LoadPlan.Part;
import ch.ethz.mlmq.scenario.pacing.RatePlan;
import java.util.ArrayList;
import java.util.List;

/** Leads a load through the parts of its plan, each at its time. A command may end a part that has no fixed length. */
final class LoadParts {
    private final LoadPlan plan;
    private final LoadControl control;
    private final OpenLoad open;
    private final Participants participants;
    private final Timers timers;
    /** Begin of each part that was reached [ns]. */
    private final List<Long> begins = new ArrayList<>();
    private boolean silent;

    /**
     * A part as it was.
     *
     * @param number    from 1
     * @param name      for people
     * @param fromNanos its begin [ns]
     * @param toNanos   its end [ns]
     */
    record Span(int number, String name, long fromNanos, long toNanos) {
    }

    /** @param open deals the arrivals; null if the load is closed */
    LoadParts(LoadPlan plan, LoadControl control, OpenLoad open, Participants participants, Timers timers) {
        this.plan = plan;
        this.control = control;
        this.open = open;
        this.participants = participants;
        this.timers = timers;
    }

    /** Begins the first part when measuring starts. */
    void begin() {
        if (!plan.parts().isEmpty()) {
            at(control.plan().measuringStart(), 1);
        }
    }

    /**
     * Ends a part and begins the next.
     *
     * @param number  of the part, from 1
     * @param atNanos when [ns]; a past instant means now
     * @return false if this part is not at work, or has a fixed length
     */
    synchronized boolean end(int number, long atNanos) {
        if (number != begins.size() || number == 0 || !plan.parts().get(number - 1).until()) {
            return false;
        }
        long now = timers.nanoTime();
        at(atNanos - now > 0 ? atNanos : now, number + 1);
        return true;
    }

    /** Resumes a paused load; a part at the rate 0 stays without arrivals. */
    synchronized void resume() {
        participants.resume();
        keepSilence();
    }

    /** Replaces the rate of an open load, even the rate 0 of a part. */
    synchronized void rate(RatePlan plan) {
        open.rate(plan);
        if (silent && !control.isPaused()) {
            open.resume();
        }
        silent = false;
    }

    /** @return the parts that were reached, in order; the last one until now, or until the end of measuring */
    synchronized List<Span> spans(long nowNanos) {
        List<Span> spans = new ArrayList<>();
        long end = control.plan().measuringEnd() - nowNanos < 0 ? control.plan().measuringEnd() : nowNanos;
        for (int i = 0; i < begins.size(); i++) {
            long to = i + 1 < begins.size() ? begins.get(i + 1) : end;
            if (to - begins.get(i) > 0) {
                spans.add(new Span(i + 1, plan.parts().get(i).name(), begins.get(i), to));
            }
        }
        return spans;
    }

    /** Reaches a part, or the end behind the last one, at an instant [ns]. */
    private void at(long nanos, int number) {
        timers.at(nanos, () -> reach(number, nanos));
    }

    /** Does nothing if the part was reached before, or the load has ended. */
    private synchronized void reach(int number, long nanos) {
        if (number != begins.size() + 1 || control.plan().measuringEnd() - nanos < 0) {
            return;
        }
        control.measureUntil(nanos + plan.nanosFrom(number - 1));
        if (number > plan.parts().size()) {
            resume();
            return;
        }
        begins.add(nanos);
        Part part = plan.parts().get(number - 1);
        apply(part);
        at(nanos + part.nanos(), number + 1);
    }

    private void apply(Part part) {
        if (open != null && part.hasRate()) {
            silent = part.silent();
            part.rate().ifPresent(open::rate);
        }
        if (part.paused()) {
            participants.pause();
        } else {
            resume();
        }
    }

    private void keepSilence() {
        if (silent && open != null) {
            open.pause();
        }
    }
}
