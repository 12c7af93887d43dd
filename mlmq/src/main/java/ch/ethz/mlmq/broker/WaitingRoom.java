package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.db.Arrivals;
import ch.ethz.mlmq.log.Agent;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Where requests wait for a message, holding neither a worker nor a connection to the database.
 *
 * <p>A message that arrives calls the first in line, which is executed again. So that none arrives unseen between looking
 * and lying down to wait, whoever may have to wait says so before it looks ({@link #look}), and does not lie down where
 * something has arrived since. What nobody told of is found by calling the first of each line now and then.
 */
final class WaitingRoom implements Arrivals, Agent {
    private static final long TICK_NANOS = 5_000_000;

    private final Map<Long, Line> lines = new HashMap<>();
    private final long pollNanos;
    private final int capacity;
    private final Consumer<Exchange> again;
    private final Consumer<Exchange> answered;
    private long lastTickNanos = System.nanoTime();
    private long lastPollNanos = lastTickNanos;
    private int waiting;
    private volatile int interested;
    private boolean closed;

    /** Those that wait for the same: messages of a queue, or with a context, or any. */
    private static final class Line {
        private final Deque<Exchange> waiters = new ArrayDeque<>();
        private int looking;
        private long arrivals;
    }

    /**
     * @param poll     how often the first of each line is called without a sign
     * @param capacity requests that may wait
     * @param again    executes a request again
     * @param answered gets a request whose time is over, answered
     */
    WaitingRoom(Duration poll, int capacity, Consumer<Exchange> again, Consumer<Exchange> answered) {
        this.pollNanos = poll.toNanos();
        this.capacity = capacity;
        this.again = again;
        this.answered = answered;
    }

    /** @return how long the request may wait for a message [ms]; 0 where it does not wait */
    static int waitMillis(Request request) {
        MessageQuery query = query(request);
        return query == null ? 0 : query.waitMillis();
    }

    /** Called before the request is executed; {@link #park} or {@link #leave} must follow. */
    synchronized void look(Exchange exchange) {
        Line line = lines.computeIfAbsent(key(exchange), key -> new Line());
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
        boolean arrived;
        synchronized (this) {
            Line line = lines.get(key(exchange));
            line.looking--;
            exchange.waitingNanos = exchange.waitingNanos == 0 ? now : exchange.waitingNanos;
            if (closed || waiting >= capacity || now >= deadline(exchange) || !exchange.connection.isOpen()) {
                interested--;
                tidy(key(exchange), line);
                return false;
            }
            arrived = line.arrivals != exchange.arrivalsSeen;
            if (arrived) {
                interested--;
            } else {
                exchange.forgetAnswer();
                line.waiters.add(exchange);
                waiting++;
            }
        }
        if (arrived) {
            exchange.forgetAnswer();
            callAgain(exchange);
        }
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
            Line line = lines.get(key(exchange));
            line.looking--;
            interested--;
            if (found && exchange.waitingNanos != 0) {
                next = poll(line);
            }
            tidy(key(exchange), line);
        }
        if (next != null) {
            callAgain(next);
        }
    }

    @Override
    public void arrived(int queue, long context) {
        if (interested == 0) {
            return;
        }
        signal(Arrivals.queueKey(queue));
        signal(ANY);
        if (context != 0) {
            signal(Arrivals.contextKey(context));
        }
    }

    @Override
    public Set<Long> awaited() {
        if (interested == 0) {
            return Set.of();
        }
        synchronized (this) {
            return Set.copyOf(lines.keySet());
        }
    }

    /** The connection is gone, and with it what of it waits; whoever was called in its place calls the next. */
    synchronized void forget(ClientConnection connection) {
        if (interested == 0) {
            return;
        }
        for (Iterator<Map.Entry<Long, Line>> i = lines.entrySet().iterator(); i.hasNext();) {
            Line line = i.next().getValue();
            int before = line.waiters.size();
            line.waiters.removeIf(exchange -> exchange.connection == connection);
            waiting -= before - line.waiters.size();
            interested -= before - line.waiters.size();
            if (line.waiters.isEmpty() && line.looking == 0) {
                i.remove();
            }
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
        if (now - lastTickNanos < TICK_NANOS || interested == 0) {
            return 0;
        }
        lastTickNanos = now;
        boolean poll = now - lastPollNanos >= pollNanos;
        if (poll) {
            lastPollNanos = now;
        }
        List<Exchange> over = new ArrayList<>();
        List<Exchange> called = new ArrayList<>();
        synchronized (this) {
            for (Line line : lines.values()) {
                takeOver(line, now, over);
                Exchange first = poll ? poll(line) : null;
                if (first != null) {
                    called.add(first);
                }
            }
            lines.values().removeIf(line -> line.waiters.isEmpty() && line.looking == 0);
        }
        over.forEach(this::answerNone);
        called.forEach(this::callAgain);
        return over.size() + called.size();
    }

    /** Sends everybody home: the broker stops. */
    void close(Consumer<Exchange> answer) {
        List<Exchange> all = new ArrayList<>();
        synchronized (this) {
            closed = true;
            lines.values().forEach(line -> {
                all.addAll(line.waiters);
                interested -= line.waiters.size();
                line.waiters.clear();
            });
            waiting = 0;
        }
        all.forEach(answer);
    }

    @Override
    public void signal(long key) {
        Exchange first;
        synchronized (this) {
            Line line = lines.get(key);
            if (line == null) {
                return;
            }
            line.arrivals++;
            first = poll(line);
        }
        if (first != null) {
            callAgain(first);
        }
    }

    private void callAgain(Exchange exchange) {
        exchange.queuedNanos = System.nanoTime();
        again.accept(exchange);
    }

    private void answerNone(Exchange exchange) {
        exchange.answer(exchange.request() instanceof Request.DequeueMessages
                ? new Response.Deliveries(List.of()) : Response.Delivery.NONE);
        answered.accept(exchange);
    }

    private Exchange poll(Line line) {
        Exchange first = line.waiters.poll();
        if (first != null) {
            waiting--;
            interested--;
        }
        return first;
    }

    private void takeOver(Line line, long now, List<Exchange> over) {
        for (Iterator<Exchange> i = line.waiters.iterator(); i.hasNext();) {
            Exchange exchange = i.next();
            if (now >= deadline(exchange)) {
                i.remove();
                waiting--;
                interested--;
                over.add(exchange);
            }
        }
    }

    private void tidy(long key, Line line) {
        if (line.waiters.isEmpty() && line.looking == 0) {
            lines.remove(key);
        }
    }

    private static long deadline(Exchange exchange) {
        return exchange.receivedNanos + Duration.ofMillis(waitMillis(exchange.request())).toNanos();
    }

    private static long key(Exchange exchange) {
        MessageQuery query = query(exchange.request());
        if (query.queue() != 0) {
            return Arrivals.queueKey(query.queue());
        }
        return query.context() != 0 ? Arrivals.contextKey(query.context()) : ANY;
    }

    private static MessageQuery query(Request request) {
        return switch (request.type()) {
            case DEQUEUE_MESSAGE -> ((Request.DequeueMessage) request).query();
            case DEQUEUE_MESSAGES -> ((Request.DequeueMessages) request).query();
            case RECEIVE_MESSAGE -> ((Request.ReceiveMessage) request).query();
            default -> null;
        };
    }
}
