package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.agent.Agent;
import java.util.ArrayList;
import java.util.List;

/** Executes requests from the request queue, batch by batch. */
final class Worker implements Agent {
    private static final long WAIT_MILLIS = 500;

    private final int number;
    private final RequestQueue queue;
    private final Processor processor;
    private final List<IoAgent> ioAgents;
    private final RequestBatch batch = new RequestBatch();
    private final List<Exchange> answered = new ArrayList<>();

    Worker(int number, RequestQueue queue, Processor processor, List<IoAgent> ioAgents) {
        this.number = number;
        this.queue = queue;
        this.processor = processor;
        this.ioAgents = ioAgents;
    }

    @Override
    public String roleName() {
        return "worker-" + number;
    }

    @Override
    public int doWork() throws InterruptedException {
        batch.clear();
        answered.clear();
        queue.take(batch, WAIT_MILLIS);
        if (batch.exchanges.isEmpty()) {
            return 0;
        }
        try {
            processor.process(batch.exchanges, answered);
            for (IoAgent agent : ioAgents) {
                agent.respond(answered);
            }
        } finally {
            queue.done(batch.connections);
        }
        return batch.exchanges.size();
    }
}
