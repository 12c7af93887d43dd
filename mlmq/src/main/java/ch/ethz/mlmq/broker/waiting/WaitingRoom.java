package ch.ethz.mlmq.broker.waiting;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.broker.request.ClientConnection;
import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.broker.request.Route;
import ch.ethz.mlmq.log.Every;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.storage.Arrivals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Holds requests that wait for a message; they occupy neither a worker nor a database connection.
 *
 * <p>An arriving message calls the first request in line (a message for a certain client calls that client's), which is
 * executed again. So that no arrival is missed between execution and parking, a request that may have to wait announces
 * itself first ({@link #look}), and is not parked if a message has arrived since. Arrivals without a notification are
 * found by calling the first of each line now and then.
 *
 * <p>A connection may have as many requests waiting as places are still free, and the last eighth of the room is for
 * connections of which none waits. A parked request keeps its place until its time is over. Events of one client cost
 * others nothing, because requests are found by line and by client.
 *
 * <p>Searches ({@link Route#SEARCHES}) are expensive each time they are executed again, and any message may match. So
 * few of them may wait, and they are called one at a time, not for each message.
 */
public final class WaitingRoom implements Arrivals, Agent {
    /** Divisor of the room: this part of it is for first requests of connections. */
    private static final int FIRST_REQUESTS = 8;
    /** Divisor of the room: searches get this part of it, an eighth of their room in the request queue. */
    private static final int SEARCHES = 64;
    /** Multiple of the poll period after which searches are called without a notification. */
    private static final int SEARCHES_POLL = 10;

    private final Map<Long, WaitingLine> lines = new HashMap<>();
    private final Map<Integer, ClientWaiters> clients = new HashMap<>();
    /** Requests that look for a message, with the number of arrivals when they began. */
    private final Map<Exchange, Long> looks = new HashMap<>();
    private final Every tick = Every.after(Duration.ofMillis(5));
    private final Every poll;
    private final Every pollSearches;
    /** Searches that wait to be executed again. */
    private final Set<Exchange> due = new LinkedHashSet<>();
    private int searching;
    private final int capacity;
    private final Consumer<Exchange> again;
    private final Consumer<Exchange> answered;
    private int waiting;
    /** Requests that wait, or are executed and may have to wait. Arrivals are ignored while there is none. */
    private volatile int interested;
    /** No request's wait ends before this [ns]. */
    private long earliestNanos;
    private boolean closed;

    /**
     * @param poll     period after which the first of each line is called without a notification
     * @param capacity requests that may wait
     * @param again    executes a request again
     * @param answered gets a request with its response when its wait has ended
     */
    public WaitingRoom(Duration poll, int capacity, Consumer<Exchange> again, Consumer<Exchange> answered) {
        this.poll = Every.after(poll);
        this.pollSearches = Every.after(poll.multipliedBy(SEARCHES_POLL));
        this.capacity = capacity;
        this.again = again;
        this.answered = answered;
    }

    /** Announces a request before it is executed; {@link #park} or {@link #leave} must follow. */
    public synchronized void look(Exchange exchange) {
        WaitingLine line = lines.computeIfAbsent(WaitingLine.key(exchange), key -> new WaitingLine());
        ClientWaiters client = clients.computeIfAbsent(exchange.call().client(), id -> new ClientWaiters());
        line.looking++;
        client.looking++;
        interested++;
        looks.put(exchange, line.arrivals + client.arrivals);
    }

    /**
     * Parks a request that found nothing, or executes it again if a message has arrived meanwhile.
     *
     * @return false if it may not wait (any longer) and must be answered with the response that it has
     */
    public boolean park(Exchange exchange) {
        long now = System.nanoTime();
        synchronized (this) {
            boolean hadPlace = exchange.stages().hasWaited();
            boolean arrived = looked(exchange);
            if (closed) {
                exchange.answerStopping();
                return false;
            }
            if (now >= WaitingLine.deadline(exchange) || exchange.isCancelled() || !exchange.connection().mayWait()) {
                return false;
            }
            String obstacle = hadPlace ? null : obstacle(exchange);
            if (obstacle != null) {
                exchange.answer(new Response.Failure(Status.OVERLOADED, obstacle));
                return false;
            }
            exchange.stages().waiting(now);
            exchange.call().forgetAnswer();
            if (!arrived) {
                add(exchange, hadPlace);
                return true;
            }
        }
        callAgain(exchange);
        return true;
    }

    /** @return why there is no room for another request of the connection, or null if there is */
    private String obstacle(Exchange exchange) {
        ClientWaiters client = clients.get(exchange.call().client());
        ClientWaiters.Places parked = client == null ? new ClientWaiters.Places(0, 0)
                : client.places(exchange.connection());
        int searches = Math.max(1, capacity / SEARCHES);
        if (exchange.route() == Route.SEARCHES
                && (searching >= searches || parked.searches() > searches - searching)) {
            return searching + " queries by sender or filter wait for a message; at most a 64th of "
                    + "broker.requestqueue.size=" + capacity + " may, and a connection gets no more of it than it "
                    + "leaves to others";
        }
        String room = "; as many as broker.requestqueue.size=" + capacity + " may wait for a message";
        if (waiting >= capacity) {
            return waiting + " requests wait for a message" + room;
        }
        if (parked.all() > capacity - waiting) {
            return parked.all() + " requests of this connection wait for a message" + room
                    + ", and a connection gets no more of it than it leaves to others";
        }
        return waiting >= capacity - capacity / FIRST_REQUESTS && parked.all() > 0
                ? waiting + " requests wait for a message" + room + ", the rest is for connections without a "
                        + "waiting request" : null;
    }

    /**
     * Ends the look of a request that was executed and need not wait.
     *
     * @param found true if it got a message, so that there may be more for the next in line
     */
    public void leave(Exchange exchange, boolean found) {
        Exchange next = null;
        synchronized (this) {
            WaitingLine line = lines.get(WaitingLine.key(exchange));
            if (found && exchange.stages().hasWaited()) {
                next = line.first();
            }
            if (next != null) {
                remove(next);
            }
            looked(exchange);
        }
        if (next != null) {
            callAgain(next);
        }
    }

    /**
     * Takes out the first request that waits for any message of the queue, to be executed with one that stores a
     * message there.
     *
     * @param joins whether the request can be executed now
     * @return null if there is none
     */
    public Exchange next(int queue, Predicate<Exchange> joins) {
        if (interested == 0) {
            return null;
        }
        synchronized (this) {
            WaitingLine line = lines.get(Arrivals.queueKey(queue));
            Exchange first = line == null ? null : line.firstForAny();
            if (first == null || !joins.test(first)) {
                return null;
            }
            remove(first);
            return first;
        }
    }

    /** Calls the next in line instead of a request whose client has left meanwhile. */
    public void passOn(Exchange exchange) {
        signal(WaitingLine.key(exchange));
    }

    /** Ends the waiting of all requests of a connection that is about to leave; it may park no more. */
    public void sendHome(ClientConnection connection) {
        List<Exchange> over;
        synchronized (this) {
            connection.session().waitNoMore();
            over = removeAll(connection);
        }
        over(over, System.nanoTime());
    }

    /** Cancels a request; if it waits, it gets an empty response. */
    public void cancel(Exchange exchange) {
        boolean found;
        synchronized (this) {
            exchange.cancel();
            found = remove(exchange);
        }
        if (found) {
            over(List.of(exchange), System.nanoTime());
        }
    }

    /** Removes the waiting requests of a closed connection. */
    public synchronized void forget(ClientConnection connection) {
        removeAll(connection);
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

    /**
     * Calls the first request for any message of the line, and all that look for a certain message that this may be.
     */
    private void signal(long key, Predicate<Exchange> possible) {
        List<Exchange> called = new ArrayList<>();
        synchronized (this) {
            int id = Arrivals.clientOf(key);
            ClientWaiters client = id == 0 ? null : clients.get(id);
            if (client != null) {
                client.arrivals++;
                called.addAll(client.waiters());
            }
            WaitingLine line = lines.get(key);
            if (line != null) {
                line.arrivals++;
                if (id == 0) {
                    callFor(key, line, called, possible);
                }
            }
            putOffSearches(called);
            called.forEach(this::remove);
        }
        called.forEach(this::callAgain);
    }

    private void putOffSearches(List<Exchange> called) {
        for (Iterator<Exchange> all = called.iterator(); all.hasNext();) {
            Exchange exchange = all.next();
            if (exchange.route() == Route.SEARCHES) {
                due.add(exchange);
                all.remove();
            }
        }
    }

    /** In the line of a context, all requests are for messages to their own client. */
    private static void callFor(long key, WaitingLine line, List<Exchange> called, Predicate<Exchange> possible) {
        if (key < 0) {
            line.callAll(called);
        } else {
            line.callFor(called, possible);
        }
    }

    @Override
    public Set<Long> awaited() {
        if (interested == 0) {
            return Set.of();
        }
        synchronized (this) {
            Set<Long> keys = new HashSet<>(lines.keySet());
            clients.forEach((id, client) -> {
                if (!client.waiters().isEmpty()) {
                    keys.add(Arrivals.clientKey(id));
                }
            });
            return keys;
        }
    }

    /** @return number of waiting requests */
    public synchronized int size() {
        return waiting;
    }

    @Override
    public String roleName() {
        return "waiting-room";
    }

    /** Ends waits whose time is over, and calls the first of each line now and then. */
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
            if (waiting > 0 && now - earliestNanos >= 0) {
                endTimes(now, over);
            }
            if (pollIsDue) {
                lines.values().forEach(line -> line.callAll(called));
                if (pollSearches.isDue(now)) {
                    putOffSearches(called);
                } else {
                    called.removeIf(exchange -> exchange.route() == Route.SEARCHES);
                }
            }
            if (!due.isEmpty()) {
                called.add(due.iterator().next());
            }
            called.forEach(this::remove);
        }
        over(over, now);
        called.forEach(this::callAgain);
        return over.size() + called.size();
    }

    private void endTimes(long now, List<Exchange> over) {
        long earliest = Long.MAX_VALUE;
        for (ClientWaiters client : clients.values()) {
            for (Exchange exchange : client.waiters()) {
                long left = WaitingLine.deadline(exchange) - now;
                if (left <= 0) {
                    over.add(exchange);
                } else {
                    earliest = Math.min(earliest, left);
                }
            }
        }
        over.forEach(this::remove);
        earliestNanos = waiting == 0 ? now : now + earliest;
    }

    private void over(List<Exchange> all, long now) {
        for (Exchange exchange : all) {
            exchange.stages().over(now);
            exchange.answer(WaitingLine.nothing(exchange.request()));
            answered.accept(exchange);
        }
    }

    /** Ends all waits, because the broker stops. */
    public void close(Consumer<Exchange> answer) {
        List<Exchange> all = new ArrayList<>();
        synchronized (this) {
            closed = true;
            clients.values().forEach(client -> all.addAll(client.waiters()));
            all.forEach(this::remove);
        }
        long now = System.nanoTime();
        for (Exchange exchange : all) {
            exchange.stages().over(now);
            answer.accept(exchange);
        }
    }

    private void callAgain(Exchange exchange) {
        exchange.stages().queued(System.nanoTime());
        again.accept(exchange);
    }

    private void add(Exchange exchange, boolean again) {
        lines.computeIfAbsent(WaitingLine.key(exchange), key -> new WaitingLine()).add(exchange, again);
        clients.computeIfAbsent(exchange.call().client(), id -> new ClientWaiters()).add(exchange);
        long deadline = WaitingLine.deadline(exchange);
        earliestNanos = waiting == 0 || deadline - earliestNanos < 0 ? deadline : earliestNanos;
        if (exchange.route() == Route.SEARCHES) {
            searching++;
        }
        waiting++;
        interested++;
    }

    /** @return true if the request waited */
    private boolean remove(Exchange exchange) {
        WaitingLine line = lines.get(WaitingLine.key(exchange));
        if (line == null || !line.remove(exchange)) {
            return false;
        }
        clients.get(exchange.call().client()).remove(exchange);
        if (exchange.route() == Route.SEARCHES) {
            searching--;
            due.remove(exchange);
        }
        waiting--;
        interested--;
        tidy(exchange);
        return true;
    }

    private List<Exchange> removeAll(ClientConnection connection) {
        ClientWaiters client = clients.get(connection.session().client());
        if (client == null) {
            return List.of();
        }
        List<Exchange> all = client.of(connection);
        all.forEach(this::remove);
        return all;
    }

    /** @return true if a message has arrived since the request was announced */
    private boolean looked(Exchange exchange) {
        WaitingLine line = lines.get(WaitingLine.key(exchange));
        ClientWaiters client = clients.get(exchange.call().client());
        line.looking--;
        client.looking--;
        interested--;
        boolean arrived = looks.remove(exchange) != line.arrivals + client.arrivals;
        tidy(exchange);
        return arrived;
    }

    private void tidy(Exchange exchange) {
        long key = WaitingLine.key(exchange);
        WaitingLine line = lines.get(key);
        if (line != null && line.isDeserted()) {
            lines.remove(key);
        }
        ClientWaiters client = clients.get(exchange.call().client());
        if (client != null && client.isDeserted()) {
            clients.remove(exchange.call().client());
        }
    }
}
