package ch.ethz.mlmq.broker.execution;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.broker.io.IoAgent;
import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.broker.request.RequestBatch;
import ch.ethz.mlmq.broker.request.RequestQueue;
import ch.ethz.mlmq.broker.request.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * Executes requests from the request queue, batch by batch. A worker of a separate route executes its requests one by
 * one.
 */
public final class Worker implements Agent {
    private static final long WAIT_MILLIS = 500;

    private final String name;
    private final Route route;
    private final RequestQueue queue;
    private final Processor processor;
    private final List<IoAgent> ioAgents;
    private final RequestBatch batch = new RequestBatch();
    private final List<Exchange> answered = new ArrayList<>();
    private final Predicate<Exchange> joins;

    /** @param number number of the worker, for its thread's name */
    public Worker(int number, RequestQueue queue, Processor processor, List<IoAgent> ioAgents) {
        this("worker-" + number, Route.BATCH, queue, processor, ioAgents);
    }

    private Worker(String name, Route route, RequestQueue queue, Processor processor, List<IoAgent> ioAgents) {
        this.name = name;
        this.route = route;
        this.queue = queue;
        this.joins = exchange -> queue.join(batch, exchange);
        this.processor = processor;
        this.ioAgents = ioAgents;
    }

    /** Makes a worker of a separate route. @param processor executes that route's requests */
    public static Worker apart(Route route, RequestQueue queue, Processor processor, List<IoAgent> ioAgents) {
        return new Worker("worker-" + route.name().toLowerCase(Locale.ROOT), route, queue, processor, ioAgents);
    }

    @Override
    public String roleName() {
        return name;
    }

    @Override
    public int doWork() throws InterruptedException {
        batch.clear();
        answered.clear();
        if (route == Route.BATCH) {
            queue.take(batch, WAIT_MILLIS);
        } else {
            queue.takeApart(route, batch, WAIT_MILLIS);
        }
        if (batch.exchanges.isEmpty()) {
            return 0;
        }
        try {
            processor.process(batch.exchanges, answered, joins);
            for (IoAgent agent : ioAgents) {
                agent.respond(answered);
            }
        } finally {
            if (route == Route.BATCH) {
                queue.done(batch.connections);
            } else {
                queue.doneApart(route, batch.connections);
            }
        }
        return batch.exchanges.size();
    }
}
