import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Eight threads that execute the jobs of a queue. Each job is executed at least once, whatever is killed meanwhile.
 *
 * <pre>java -cp mlmq_client/target/mlmq-client.jar examples/java/WorkerPool.java localhost:8099 [JOBS]</pre>
 */
public final class WorkerPool {
    private static final int WORKERS = 8;
    /** Longer than a job takes: after it the job goes to another worker. */
    private static final int LEASE_MILLIS = 60_000;
    private static final int WAIT_MILLIS = 1_000;

    private final Client client;
    private final int queue;
    private final AtomicInteger left;

    private WorkerPool(Client client, int jobs) {
        this.client = client;
        this.queue = client.createQueueIfAbsent("jobs");
        this.left = new AtomicInteger(jobs);
    }

    public static void main(String[] arguments) throws InterruptedException {
        int jobs = arguments.length > 1 ? Integer.parseInt(arguments[1]) : Integer.MAX_VALUE;
        try (Client client = Client.connect(arguments[0])) {
            client.register();
            WorkerPool pool = new WorkerPool(client, jobs);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < WORKERS; i++) {
                threads.add(new Thread(pool::work, "worker-" + i));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    private void work() {
        while (left.get() > 0) {
            try {
                Optional<Message> job = client.receiveMessage(MessageQuery.queue(queue).waiting(WAIT_MILLIS),
                        LEASE_MILLIS);
                job.ifPresent(this::execute);
            } catch (MlmqException e) {
                System.err.println("the broker cannot be asked now: " + e.getMessage());
                pause();
            }
        }
    }

    private void execute(Message job) {
        try {
            System.out.println(Thread.currentThread().getName() + " executes " + job.text());
        } catch (RuntimeException e) {
            // Another worker gets it at once; after 10 deliveries it goes to the dead-letter queue.
            client.release(job);
            return;
        }
        try {
            client.acknowledge(job);
            left.decrementAndGet();
        } catch (MlmqException.UnknownLease e) {
            System.err.println(job.text() + " took longer than its lease, and is executed again");
        }
    }

    private static void pause() {
        try {
            Thread.sleep(WAIT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
