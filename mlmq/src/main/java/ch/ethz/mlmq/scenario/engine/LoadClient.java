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
 * A client of a load. It starts its behaviour's requests when they may start, and records them.
 *
 * <p>In a closed load a request may start after the response to an earlier one and its think time; in an open load at
 * its arrival time. After a response the client may first work, as its behaviour says. A due request waits while the
 * client works, has no connection, or its maximum of requests in flight; its intended start stays the same.
 */
final class LoadClient {
    private static final long PAUSE_NANOS = 10_000_000;

    private final ClientId id;
    private final Link link;
    private final Behaviour behaviour;
    private final LoadRules rules;
    private final LoadControl control;
    private final Recording recording;
    private final Timers timers;
    private final RandomGenerator thoughts;

    // All of these are guarded by this: responses come in the link's thread, arrivals in the pacer's.
    private final LongQueue due = new LongQueue();
    private final LongQueue dealt = new LongQueue();
    private final RefusalPause refusalPause = new RefusalPause();
    private boolean active;
    private boolean starting;
    private int mayStart;
    private int inFlight;
    /** Increased when the client joins or leaves, so that earlier think times start no request. */
    private int turn;

    /**
     * Rules by which the clients of a JVM start requests.
     *
     * @param open           true if requests start at planned arrival times
     * @param inflightMax    requests that a client may have in flight
     * @param lateAfterNanos delay from which a request counts as late [ns]
     * @param thinkTime      of a closed load
     */
    record LoadRules(boolean open, int inflightMax, long lateAfterNanos, ThinkTime thinkTime) {
    }

    /**
     * Objects that the clients of a JVM share.
     *
     * @param control   decides what may start
     * @param recording gets the outcomes
     * @param timers    run delayed actions
     */
    record Shared(LoadControl control, Recording recording, Timers timers) {
    }

    /**
     * A waiting request of an open load.
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

    /** Lets the client take part from now on. */
    synchronized void join() {
        if (!active) {
            active = true;
            turn++;
            mayStart = Math.max(rules.inflightMax, behaviour.requestsAtOnce()) - inFlight;
            startDue(timers.nanoTime());
        }
    }

    /**
     * Starts no more requests; those in flight still get their responses. @return due requests, for other clients to
     * start
     */
    synchronized List<Due> leave() {
        active = false;
        List<Due> left = new ArrayList<>();
        while (due.size() > 0) {
            left.add(new Due(due.poll(), dealt.poll()));
        }
        return left;
    }

    /** Starts an arriving request of an open load, or lets it wait. */
    void arrive(long intendedNanos) {
        arrive(new Due(intendedNanos, timers.nanoTime()));
    }

    /** Starts a due request, or lets it wait; it may have waited at another client. */
    synchronized void arrive(Due request) {
        due.add(request.intendedNanos());
        dealt.add(request.dealtNanos());
        startDue(timers.nanoTime());
    }

    /** Starts waiting requests if they may start: the connection is restored, or the load is resumed. */
    synchronized void wake() {
        startDue(timers.nanoTime());
    }

    /** @return number of requests in flight */
    synchronized int inFlight() {
        return inFlight;
    }

    /** @return number of requests that wait to start */
    synchronized int waiting() {
        return due.size();
    }

    /** Drops the waiting requests. @return their intended starts [ns] */
    synchronized long[] giveUpWaiting() {
        long[] intended = new long[due.size()];
        for (int i = 0; i < intended.length; i++) {
            intended[i] = due.poll();
            dealt.poll();
        }
        return intended;
    }

    /**
     * Starts due requests in a loop. A response may come during submission; the loop then starts the next request,
     * without recursion.
     *
     * @param sinceNanos time of the event that lets them start [ns]: until then they waited for a peer
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
                // An arrival was permitted when it was dealt; one planned behind the end of the load is dropped.
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

    /**
     * Waits for the next phase: the measuring phase has no permissions left, and ends after the starts already
     * permitted.
     */
    private void goOnWithNextPhase(long now) {
        if (control.phaseAt(now).isLoad()) {
            timers.at(now + PAUSE_NANOS, this::wake);
        }
    }

    /** @param ownNanos part of its delay that the client itself caused [ns] */
    private void start(long intendedNanos, long nowNanos, long ownNanos) {
        Request request = behaviour.next();
        recording.started(request, intendedNanos, delayOf(nowNanos - intendedNanos, ownNanos));
        mayStart--;
        inFlight++;
        Status refused = link.submit(request, new RequestUnderWay(request, intendedNanos));
        if (refused != Status.OK) {
            inFlight--;
            recording.failed(request, refused, link.state(), intendedNanos, nowNanos, timers.nanoTime());
            behaviour.failed(request, refused);
            thinkUntil(nowNanos + PAUSE_NANOS);
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
        inFlight--;
        if (status == Status.OK) {
            succeeded(request, response, intendedNanos, sentNanos, endNanos);
        } else {
            String text = response instanceof Response.Failure failure ? failure.text() : link.reason(status);
            recording.failed(request, status, text, intendedNanos, sentNanos, endNanos);
            behaviour.failed(request, status);
        }
        long pause = behaviour.workNanos()
                + (rules.open ? 0 : rules.thinkTime.nextNanos(thoughts) + refusalPause.after(request.type(), status));
        if (pause == 0) {
            thoughtIsOver(endNanos, turn);
        } else {
            thinkUntil(endNanos + pause);
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

    /** A request in flight. */
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
