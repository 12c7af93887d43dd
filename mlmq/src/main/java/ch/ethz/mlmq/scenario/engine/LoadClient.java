package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.Behaviour;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.UnexpectedAnswerException;
import ch.ethz.mlmq.scenario.link.Link;
import ch.ethz.mlmq.scenario.pacing.ThinkTime;
import ch.ethz.mlmq.scenario.recording.Delay;
import ch.ethz.mlmq.scenario.recording.Recording;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * One client of a load: has its behaviour's requests executed when they may start, and recorded.
 *
 * <p>In a closed load a request may start when an earlier one was answered and thought about; in an open load when
 * its time has come. What is due while the client has as many requests under way as it may, or no connection, waits;
 * its time stays the one it was to start at.
 */
final class LoadClient {
    private static final long PAUSE_AFTER_REFUSAL_NANOS = 10_000_000;

    private final ClientId id;
    private final Link link;
    private final Behaviour behaviour;
    private final LoadRules rules;
    private final LoadControl control;
    private final Recording recording;
    private final Timers timers;
    private final RandomGenerator thoughts;

    // All guarded by this: answers come by the link's thread, arrivals by the pacer's.
    private final LongQueue due = new LongQueue();
    private final LongQueue dealt = new LongQueue();
    private boolean active;
    private boolean starting;
    private int mayStart;
    private int underWay;
    /** Moves on as the client joins and leaves: thoughts of before let nothing start. */
    private int turn;

    /**
     * How the clients of a JVM start their requests.
     *
     * @param open           whether requests start at times of their own
     * @param inflightMax    requests that a client may have in flight
     * @param lateAfterNanos from when on a request is late [ns]
     * @param thinkTime      of a closed load
     */
    record LoadRules(boolean open, int inflightMax, long lateAfterNanos, ThinkTime thinkTime) {
    }

    /**
     * What the clients of a JVM share.
     *
     * @param control   says what may start
     * @param recording gets what came of it
     * @param timers    run what is to be done later
     */
    record Shared(LoadControl control, Recording recording, Timers timers) {
    }

    /**
     * A request of an open load that waits.
     *
     * @param intendedNanos when it was to start [ns]
     * @param dealtNanos    when a client got it [ns]
     */
    record Due(long intendedNanos, long dealtNanos) {
    }

    /** @param thoughts random numbers for think times */
    LoadClient(ClientId id, Link link, Behaviour behaviour, LoadRules rules, Shared shared, RandomGenerator thoughts) {
        this.id = id;
        this.link = link;
        this.behaviour = behaviour;
        this.rules = rules;
        this.control = shared.control;
        this.recording = shared.recording;
        this.timers = shared.timers;
        this.thoughts = thoughts;
    }

    Link link() {
        return link;
    }

    /** Takes part from now on. */
    synchronized void join() {
        if (!active) {
            active = true;
            turn++;
            mayStart = rules.inflightMax - underWay;
            startDue(timers.nanoTime());
        }
    }

    /** Starts nothing any more; what is under way is answered. @return what was due, for others to start */
    synchronized List<Due> leave() {
        active = false;
        List<Due> left = new ArrayList<>();
        while (due.size() > 0) {
            left.add(new Due(due.poll(), dealt.poll()));
        }
        return left;
    }

    /** A request of an open load is to start. */
    void arrive(long intendedNanos) {
        arrive(new Due(intendedNanos, timers.nanoTime()));
    }

    /** The same; it may have waited at another client. */
    synchronized void arrive(Due request) {
        due.add(request.intendedNanos());
        dealt.add(request.dealtNanos());
        startDue(timers.nanoTime());
    }

    /** Something changed that may let requests start: the connection is back, the load goes on. */
    synchronized void wake() {
        startDue(timers.nanoTime());
    }

    /** @return requests that wait for their answer */
    synchronized int underWay() {
        return underWay;
    }

    /** @return requests that were to start and did not yet */
    synchronized int waiting() {
        return due.size();
    }

    /** Gives up what was to start and did not. @return when it was to start [ns] */
    synchronized long[] giveUpWaiting() {
        long[] intended = new long[due.size()];
        for (int i = 0; i < intended.length; i++) {
            intended[i] = due.poll();
            dealt.poll();
        }
        return intended;
    }

    /**
     * Requests may be answered while they are submitted; the loop, not a recursion, starts the next one then.
     *
     * @param sinceNanos when that happened that lets them start [ns]: until then they waited for a peer
     */
    private void startDue(long sinceNanos) {
        if (starting) {
            return;
        }
        starting = true;
        try {
            while (active && mayStart > 0 && control.isOpen() && link.isConnected()
                    && (!rules.open || due.size() > 0)) {
                long now = timers.nanoTime();
                long intended = rules.open ? due.poll() : now;
                long came = rules.open ? dealt.poll() : now;
                // An arrival has its leave since it was dealt; what was to start behind the load's end does not.
                if (rules.open ? control.phaseAt(intended).isLoad() : control.mayStart(intended)) {
                    start(intended, now, came - intended + now - Math.max(came, sinceNanos));
                } else if (!rules.open) {
                    goOnWithNextPhase(now);
                    break;
                }
            }
        } finally {
            starting = false;
        }
    }

    /** Measuring had no leave any more; what it had for the others ends it. */
    private void goOnWithNextPhase(long now) {
        if (control.phaseAt(now).isLoad()) {
            timers.at(now + PAUSE_AFTER_REFUSAL_NANOS, this::wake);
        }
    }

    /** @param ownNanos of its delay, what was the client's own doing [ns] */
    private void start(long intendedNanos, long nowNanos, long ownNanos) {
        Request request = behaviour.next();
        recording.started(intendedNanos, delayOf(nowNanos - intendedNanos, ownNanos));
        mayStart--;
        underWay++;
        Status refused = link.submit(request, new RequestUnderWay(request, intendedNanos));
        if (refused != Status.OK) {
            underWay--;
            recording.failed(request, refused, link.state(), intendedNanos, nowNanos, timers.nanoTime());
            behaviour.failed(request, refused);
            thinkUntil(nowNanos + PAUSE_AFTER_REFUSAL_NANOS);
        }
    }

    private Delay delayOf(long nanos, long ownNanos) {
        if (nanos <= rules.lateAfterNanos) {
            return Delay.NONE;
        }
        return ownNanos > rules.lateAfterNanos ? Delay.BY_CLIENT : Delay.BY_PEER;
    }

    private void thinkUntil(long endNanos) {
        int of = turn;
        timers.at(endNanos, () -> thoughtIsOver(endNanos, of));
    }

    private synchronized void thoughtIsOver(long endNanos, int of) {
        if (of == turn) {
            mayStart++;
            startDue(endNanos);
        }
    }

    private synchronized void ended(Request request, Status status, Response response, long intendedNanos,
            long sentNanos, long endNanos) {
        underWay--;
        if (status == Status.OK) {
            succeeded(request, response, intendedNanos, sentNanos, endNanos);
        } else {
            String text = response instanceof Response.Failure failure ? failure.text() : link.reason(status);
            recording.failed(request, status, text, intendedNanos, sentNanos, endNanos);
            behaviour.failed(request, status);
        }
        long thought = rules.open ? 0 : rules.thinkTime.nextNanos(thoughts);
        if (thought == 0) {
            thoughtIsOver(endNanos, turn);
        } else {
            thinkUntil(endNanos + thought);
        }
    }

    private void succeeded(Request request, Response response, long intendedNanos, long sentNanos, long endNanos) {
        try {
            behaviour.answered(request, response);
            recording.succeeded(request, response, intendedNanos, sentNanos, endNanos);
        } catch (UnexpectedAnswerException e) {
            recording.unexpected(request, response, e.kind(), e.getMessage(), intendedNanos, sentNanos, endNanos);
        }
    }

    @Override
    public String toString() {
        return id.name();
    }

    /** A request under way. */
    private final class RequestUnderWay implements Completion {
        private final Request request;
        private final long intendedNanos;

        private RequestUnderWay(Request request, long intendedNanos) {
            this.request = request;
            this.intendedNanos = intendedNanos;
        }

        @Override
        public void completed(long tag, Status status, Response response, long sentNanos, long endNanos) {
            ended(request, status, response, intendedNanos, sentNanos, endNanos);
        }
    }
}
