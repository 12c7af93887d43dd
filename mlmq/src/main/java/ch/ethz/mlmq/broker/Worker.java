package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.agent.Agent;
import java.util.ArrayList;
import java.util.List;

/** Executes requests from the request queue, batch by batch; or those that may take long, one by one. */
final class Worker implements Agent {
    private static final long WAIT_MILLIS = 500;

    private final String name;
    private final boolean apart;
    private final RequestQueue queue;
    private final Processor processor;
    private final List<IoAgent> ioAgents;
    private final RequestBatch batch = new RequestBatch();
    private final List<Exchange> answered = new ArrayList<>();

    Worker(int number, RequestQueue queue, Processor processor, List<IoAgent> ioAgents) {
        this("worker-" + number, false, queue, processor, ioAgents);
    }

    private Worker(String name, boolean apart, RequestQueue queue, Processor processor, List<IoAgent> ioAgents) {
        this.name = name;
        this.apart = apart;
        this.queue = queue;
        this.processor = processor;
        this.ioAgents = ioAgents;
    }

    /** @param processor of requests that may take long */
    static Worker apart(RequestQueue queue, Processor processor, List<IoAgent> ioAgents) {
        return new Worker("worker-apart", true, queue, processor, ioAgents);
    }

    @Override
    public String roleName() {
        return name;
    }

    @Override
    public int doWork() throws InterruptedException {
        batch.clear();
        answered.clear();
        if (apart) {
            queue.takeApart(batch, WAIT_MILLIS);
        } else {
            queue.take(batch, WAIT_MILLIS);
        }
        if (batch.exchanges.isEmpty()) {
            return 0;
        }
        try {
            processor.process(batch.exchanges, answered);
            for (IoAgent agent : ioAgents) {
                agent.respond(answered);
            }
        } finally {
            if (apart) {
                queue.doneApart(batch.connections);
            } else {
                queue.done(batch.connections);
            }
        }
        return batch.exchanges.size();
    }
}
