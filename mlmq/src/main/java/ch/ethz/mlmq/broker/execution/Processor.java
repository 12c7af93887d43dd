package ch.ethz.mlmq.broker.execution;

import ch.ethz.mlmq.broker.request.ClientConnection;
import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.broker.session.Departures;
import ch.ethz.mlmq.broker.session.Gate;
import ch.ethz.mlmq.broker.session.Presence;
import ch.ethz.mlmq.broker.status.Counters;
import ch.ethz.mlmq.broker.waiting.WaitingLine;
import ch.ethz.mlmq.broker.waiting.WaitingRoom;
import ch.ethz.mlmq.log.Outage;
import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.storage.Call;
import ch.ethz.mlmq.storage.Failures;
import ch.ethz.mlmq.storage.Storage;
import ch.ethz.mlmq.storage.StorageException;
import ch.ethz.mlmq.storage.WaitingCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Executes batches of requests. Used by one thread. */
public final class Processor {
    private static final Logger LOG = Logger.getLogger(Processor.class.getName());

    private final Storage storage;
    private final BiConsumer<List<Call>, WaitingCalls> execution;
    private final Gate gate;
    private final WaitingRoom waitingRoom;
    private final Presence presence;
    private final Departures departures;
    private final Counters counters;
    private final List<Exchange> executed = new ArrayList<>();
    private final List<Call> calls = new ArrayList<>();
    private final List<Storage.Session> leaving = new ArrayList<>();
    private final Outage goodbyes = new Outage(LOG, "marking clients that said goodbye as offline");

    /** @param execution executes calls in the storage, and waiting ones with them */
    public Processor(Storage storage, BiConsumer<List<Call>, WaitingCalls> execution, Gate gate,
            WaitingRoom waitingRoom, Presence presence, Departures departures, Counters counters) {
        this.storage = storage;
        this.execution = execution;
        this.gate = gate;
        this.waitingRoom = waitingRoom;
        this.presence = presence;
        this.departures = departures;
        this.counters = counters;
    }

    /**
     * Executes requests. None of them may depend on the outcome of another one that registers.
     *
     * @param answered gets those that have a response; the others wait for a message, or their client has disconnected
     * @param joins    adds a request that has waited to the batch, or is false
     */
    void process(List<Exchange> batch, List<Exchange> answered, Predicate<Exchange> joins) {
        long start = System.nanoTime();
        for (Exchange exchange : batch) {
            exchange.stages().taken(start, batch.size());
            if (exchange.connection().isServed()) {
                attempt(exchange, answered, this::isAnswered);
            } else if (exchange.stages().hasWaited()) {
                waitingRoom.passOn(exchange);
            }
        }
        if (!leaving.isEmpty()) {
            leave();
        }
        try {
            if (!calls.isEmpty()) {
                execute(answered, joins);
            }
        } finally {
            // A batch is executed once, even if this fails: executing it again would store its messages twice.
            executed.clear();
            calls.clear();
        }
        long end = System.nanoTime();
        for (Exchange exchange : answered) {
            exchange.stages().processed(end);
            exchange.measureAnswer();
        }
        counters.workerNanos.add(end - start);
    }

    /**
     * Executes one request. If the broker fails in it, that request gets a failure, and the others of its batch go on.
     */
    private void attempt(Exchange exchange, List<Exchange> answered, Predicate<Exchange> step) {
        boolean finished;
        try {
            finished = step.test(exchange);
        } catch (RuntimeException e) {
            LOG.log(Level.SEVERE, e, () -> exchange.request().type() + " failed: " + e);
            failUnlessAnswered(exchange);
            finished = true;
        }
        if (finished) {
            answered.add(exchange);
            counters.answered(exchange.request(), exchange.response());
        }
    }

    private static void failUnlessAnswered(Exchange exchange) {
        if (exchange.response() == null) {
            exchange.answer(new Response.Failure(Status.BROKER_ERROR, "the broker failed; its log has the reason"));
        }
    }

    /** @return false if the storage has to execute it */
    private boolean isAnswered(Exchange exchange) {
        Response answer = gate.answer(exchange);
        if (answer != null) {
            exchange.answer(answer);
            if (exchange.request() instanceof Request.Goodbye) {
                leave(exchange.connection());
            } else if (exchange.stages().hasWaited()) {
                waitingRoom.passOn(exchange);
            }
            return true;
        }
        if (exchange.isCancelled()) {
            exchange.answer(WaitingLine.nothing(exchange.request()));
            if (exchange.stages().hasWaited()) {
                waitingRoom.passOn(exchange);
            }
            return true;
        }
        ClientConnection connection = exchange.connection();
        exchange.call().from(connection.session().client(), connection.link().answerMax());
        exchange.call().by(connection.session().user());
        if (WaitingLine.waitMillis(exchange.request()) > 0) {
            waitingRoom.look(exchange);
        }
        executed.add(exchange);
        calls.add(exchange.call());
        return false;
    }

    /**
     * Makes the connection leave: its waiting requests take no more messages, and its name is free before it gets its
     * response.
     */
    private void leave(ClientConnection connection) {
        connection.session().serveNoMore();
        waitingRoom.forget(connection);
        if (connection.session().stored() != null) {
            leaving.add(connection.session().stored());
            presence.release(connection.session().name(), connection);
        }
    }

    /**
     * Ends the sessions of leaving clients in the storage before they get their response, so they can register at any
     * broker at once.
     */
    private void leave() {
        try {
            storage.goodbye(leaving);
            goodbyes.worked();
        } catch (StorageException e) {
            goodbyes.failed(e.getMessage(), e); // Departures retries when the connection is closed
        }
        leaving.clear();
    }

    private void execute(List<Exchange> answered, Predicate<Exchange> joins) {
        long start = System.nanoTime();
        int alone = executed.size();
        try {
            execution.accept(calls, queue -> next(queue, answered,
                    waiting -> gate.answersAtOnce(waiting) && joins.test(waiting)));
        } catch (RuntimeException e) {
            LOG.log(Level.SEVERE, e, () -> "a batch failed: " + e);
            executed.forEach(Processor::failUnlessAnswered);
        }
        long end = System.nanoTime();
        counters.persistenceNanos.add(end - start);
        for (int i = 0; i < executed.size(); i++) {
            Exchange exchange = executed.get(i);
            exchange.stages().joinedBy(executed.size() - (i < alone ? alone : 1));
            exchange.stages().processed(end);
            boolean joined = i >= alone;
            attempt(exchange, answered, one -> isFinished(one, joined));
        }
    }

    /** @return the call of a request that has waited for a message of the queue and joins the batch, or null */
    private Call next(int queue, List<Exchange> answered, Predicate<Exchange> joins) {
        Exchange exchange = waitingRoom.next(queue, joins);
        while (exchange != null) {
            int known = calls.size();
            long now = System.nanoTime();
            exchange.stages().queued(now);
            exchange.stages().taken(now, 1);
            if (exchange.connection().isServed()) {
                attempt(exchange, answered, this::isAnswered);
            }
            if (calls.size() > known) {
                return calls.get(known);
            }
            exchange = waitingRoom.next(queue, joins);
        }
        return null;
    }

    /**
     * Ends the execution of a request.
     *
     * @param joined true if it took what the batch stored, so that there is nothing more for the next in line
     * @return false if it waits for a message; it then belongs to the waiting room
     */
    private boolean isFinished(Exchange exchange, boolean joined) {
        Request request = exchange.request();
        gate.executed(exchange);
        if (Failures.isOfUsersLimit(request, exchange.response())) {
            counters.limited.increment();
        }
        if (request instanceof Request.Register register) {
            registered(exchange, register.name());
        } else if (WaitingLine.waitMillis(request) > 0) {
            if (foundNothing(exchange.response())) {
                return !waitingRoom.park(exchange);
            }
            waitingRoom.leave(exchange, !joined && !(exchange.response() instanceof Response.Failure));
        }
        return true;
    }

    private void registered(Exchange exchange, String name) {
        ClientConnection connection = exchange.connection();
        if (exchange.call().session() == null) {
            presence.release(name, connection);
            return;
        }
        Response.Registered answer = (Response.Registered) exchange.response();
        if (!connection.link().has(Features.SESSION_TOKEN)) {
            exchange.answer(answer.withoutToken());
        }
        connection.session().registered(name, answer.token(), (Response.Registered) exchange.response(),
                exchange.call().session());
        if (!connection.isServed()) {
            presence.release(name, connection);
            departures.left(exchange.call().session());
        }
    }

    private static boolean foundNothing(Response response) {
        return response == Response.Delivery.NONE
                || response instanceof Response.Deliveries deliveries && deliveries.messages().isEmpty();
    }
}
