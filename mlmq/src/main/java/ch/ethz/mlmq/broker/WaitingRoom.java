package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.db.Arrivals;
import ch.ethz.mlmq.log.Every;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Where requests wait for a message, holding neither a worker nor a connection to the database.
 *
 * <p>A message that arrives calls the first in line (one for a certain client calls him), which is executed again. So
 * that none arrives unseen between looking and lying down to wait, whoever may have to wait says so before it looks
 * ({@link #look}), and does not lie down where something has arrived since. What nobody told of is found by calling the
 * first of each line now and then.
 */
final class WaitingRoom implements Arrivals, Agent {
    private final Map<Long, WaitingLine> lines = new HashMap<>();
    private final Every tick = Every.after(Duration.ofMillis(5));
    private final Every poll;
    private final int capacity;
    private final Consumer<Exchange> again;
    private final Consumer<Exchange> answered;
    private int waiting;
    /** Requests that wait, or look and may come to wait; nothing has to be done about arrivals where there is none. */
    private volatile int interested;
    private boolean closed;

    /**
     * @param poll     how often the first of each line is called without a sign
     * @param capacity requests that may wait
     * @param again    executes a request again
     * @param answered gets a request whose time is over, answered
     */
    WaitingRoom(Duration poll, int capacity, Consumer<Exchange> again, Consumer<Exchange> answered) {
        this.poll = Every.after(poll);
        this.capacity = capacity;
        this.again = again;
        this.answered = answered;
    }

    /** Called before the request is executed; {@link #park} or {@link #leave} must follow. */
    synchronized void look(Exchange exchange) {
        WaitingLine line = lines.computeIfAbsent(WaitingLine.key(exchange), key -> new WaitingLine());
        line.looking++;
        interested++;
        exchange.arrivalsSeen = line.arrivals;
    }

    /**
     * The request found nothing: it waits, or where something has arrived meanwhile is executed again.
     *
     * @return false where it may not wait (any longer) and has to be answered with what it got
     */
    boolean park(Exchange exchange) {
        long now = System.nanoTime();
        synchronized (this) {
            WaitingLine line = lookedAt(exchange);
            exchange.waitingNanos = exchange.waitingNanos == 0 ? now : exchange.waitingNanos;
            if (closed) {
                exchange.answerStopping();
                tidy(exchange, line);
                return false;
            }
            if (waiting >= capacity || now >= WaitingLine.deadline(exchange)
                    || exchange.cancelled || !exchange.connection.mayWait()) {
                tidy(exchange, line);
                return false;
            }
            exchange.call.forgetAnswer();
            if (line.arrivals == exchange.arrivalsSeen) {
                line.waiters.add(exchange);
                waiting++;
                interested++;
                return true;
            }
        }
        callAgain(exchange);
        return true;
    }

    /**
     * The request was executed and need not wait.
     *
     * @param found whether it got a message: there may be more for the next in line
     */
    void leave(Exchange exchange, boolean found) {
        Exchange next = null;
        synchronized (this) {
            WaitingLine line = lookedAt(exchange);
            if (found && exchange.waitingNanos != 0) {
                next = line.waiters.poll();
                gone(next == null ? 0 : 1);
            }
            tidy(exchange, line);
        }
        if (next != null) {
            callAgain(next);
        }
    }

    /** The request was called and its client has left meanwhile: the call is for the next in line. */
    void passOn(Exchange exchange) {
        signal(WaitingLine.key(exchange));
    }

    /** The connection is about to leave: what of it waits is answered now, and nothing more of it waits. */
    void sendHome(ClientConnection connection) {
        List<Exchange> over = new ArrayList<>();
        synchronized (this) {
            connection.waitsNoMore();
            lines.values().forEach(line -> line.call(exchange -> exchange.connection == connection, over));
            gone(over.size());
            lines.values().removeIf(WaitingLine::isDeserted);
        }
        over(over, System.nanoTime());
    }

    /** Nobody waits for the request's answer any more: where it waits for a message it is answered without one. */
    void cancel(Exchange exchange) {
        boolean found;
        synchronized (this) {
            exchange.cancelled = true;
            WaitingLine line = lines.get(WaitingLine.key(exchange));
            found = line != null && line.waiters.remove(exchange);
            gone(found ? 1 : 0);
            if (found) {
                tidy(exchange, line);
            }
        }
        if (found) {
            over(List.of(exchange), System.nanoTime());
        }
    }

    /** The connection is gone, and with it what of it waits. */
    synchronized void forget(ClientConnection connection) {
        if (interested > 0) {
            List<Exchange> forgotten = new ArrayList<>();
            lines.values().forEach(line -> line.call(exchange -> exchange.connection == connection, forgotten));
            gone(forgotten.size());
            lines.values().removeIf(WaitingLine::isDeserted);
        }
    }

    @Override
    public void arrived(int queue, int receiver, long context) {
        if (interested == 0) {
            return;
        }
        if (receiver == 0) {
            signal(Arrivals.queueKey(queue), exchange -> WaitingLine.mayWant(exchange, context));
            signal(ANY, exchange -> WaitingLine.mayWant(exchange, context));
        } else {
            signal(Arrivals.clientKey(receiver));
        }
        if (context != 0) {
            signal(Arrivals.contextKey(context));
        }
    }

    @Override
    public void signal(long key) {
        signal(key, exchange -> true);
    }

    /** Calls the first who would take any message of the line, and all who look for a certain one that this may be. */
    private void signal(long key, Predicate<Exchange> possible) {
        List<Exchange> called = new ArrayList<>();
        synchronized (this) {
            int client = Arrivals.clientOf(key);
            if (client != 0) {
                for (WaitingLine line : lines.values()) {
                    line.arrivals++;
                    line.call(exchange -> exchange.call.client() == client, called);
                }
            } else if (lines.containsKey(key)) {
                lines.get(key).arrivals++;
                lines.get(key).callFor(called, possible);
            }
            gone(called.size());
        }
        called.forEach(this::callAgain);
    }

    @Override
    public Set<Long> awaited() {
        if (interested == 0) {
            return Set.of();
        }
        synchronized (this) {
            Set<Long> keys = new HashSet<>(lines.keySet());
            lines.values().forEach(line -> line.waiters.forEach(
                    exchange -> keys.add(Arrivals.clientKey(exchange.call.client()))));
            return keys;
        }
    }

    /** @return requests that wait for a message */
    synchronized int size() {
        return waiting;
    }

    @Override
    public String roleName() {
        return "waiting-room";
    }

    /** Answers those whose time is over, and calls the first of each line now and then. */
    @Override
    public int doWork() {
        long now = System.nanoTime();
        if (interested == 0 || !tick.isDue(now)) {
            return 0;
        }
        boolean pollIsDue = poll.isDue(now);
        List<Exchange> over = new ArrayList<>();
        List<Exchange> called = new ArrayList<>();
        synchronized (this) {
            for (WaitingLine line : lines.values()) {
                line.call(exchange -> now >= WaitingLine.deadline(exchange), over);
                if (pollIsDue) {
                    line.callFor(called, exchange -> true);
                }
            }
            gone(over.size() + called.size());
            lines.values().removeIf(WaitingLine::isDeserted);
        }
        over(over, now);
        called.forEach(this::callAgain);
        return over.size() + called.size();
    }

    private void over(List<Exchange> all, long now) {
        for (Exchange exchange : all) {
            exchange.overNanos = now;
            exchange.answer(WaitingLine.nothing(exchange.request()));
            answered.accept(exchange);
        }
    }

    /** Sends everybody home: the broker stops. */
    void close(Consumer<Exchange> answer) {
        List<Exchange> all = new ArrayList<>();
        synchronized (this) {
            closed = true;
            lines.values().forEach(line -> line.call(exchange -> true, all));
            gone(all.size());
        }
        long now = System.nanoTime();
        for (Exchange exchange : all) {
            exchange.overNanos = now;
            answer.accept(exchange);
        }
    }

    private void callAgain(Exchange exchange) {
        exchange.queuedNanos = System.nanoTime();
        again.accept(exchange);
    }

    private WaitingLine lookedAt(Exchange exchange) {
        WaitingLine line = lines.get(WaitingLine.key(exchange));
        line.looking--;
        interested--;
        return line;
    }

    private void gone(int count) {
        waiting -= count;
        interested -= count;
    }

    private void tidy(Exchange exchange, WaitingLine line) {
        if (line.isDeserted()) {
            lines.remove(WaitingLine.key(exchange));
        }
    }
}
