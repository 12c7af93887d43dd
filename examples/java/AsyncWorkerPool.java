import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.ClientConfig;
import ch.ethz.mlmq.client.ClientLoop;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Status;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The jobs of a queue, received and acknowledged up to 100 at a time by one thread, and executed by eight others.
 *
 * <pre>java -cp mlmq_client/target/mlmq-client.jar examples/java/AsyncWorkerPool.java localhost:8099 [JOBS]</pre>
 */
public final class AsyncWorkerPool {
    private static final int WORKERS = 8;
    private static final int BATCHES = 4;
    private static final int BATCH = 100;
    private static final int LEASE_MILLIS = 60_000;
    private static final int WAIT_MILLIS = 1_000;

    private final AsyncClient client;
    private final Executor workers;
    private final int queue;
    private final AtomicInteger left;
    private final CountDownLatch running = new CountDownLatch(BATCHES);

    private AsyncWorkerPool(AsyncClient client, Executor workers, int queue, int jobs) {
        this.client = client;
        this.workers = workers;
        this.queue = queue;
        this.left = new AtomicInteger(jobs);
    }

    public static void main(String[] arguments) throws Exception {
        int jobs = arguments.length > 1 ? Integer.parseInt(arguments[1]) : Integer.MAX_VALUE;
        ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
        try (ClientLoop loop = ClientLoop.start("workers")) {
            AsyncClient client = AsyncClient.open(loop, ClientConfig.of(arguments[0]));
            client.whenConnected().get();
            client.register().get();
            AsyncWorkerPool pool = new AsyncWorkerPool(client, workers, client.createQueueIfAbsent("jobs").get(), jobs);
            for (int i = 0; i < BATCHES; i++) {
                pool.next();
            }
            pool.running.await();
            client.close().get();
        } finally {
            workers.shutdown();
        }
    }

    /** Receives the next batch. Callbacks on the loop's thread do not block: the workers execute the jobs. */
    private void next() {
        if (left.get() <= 0) {
            running.countDown();
            return;
        }
        client.receiveMessages(MessageQuery.queue(queue).waiting(WAIT_MILLIS), BATCH, LEASE_MILLIS)
                .thenCompose(this::executeAll).whenComplete((done, failure) -> {
                    if (failure == null) {
                        next();
                    } else {
                        System.err.println("the broker cannot be asked now: " + failure.getMessage());
                        CompletableFuture.delayedExecutor(WAIT_MILLIS, TimeUnit.MILLISECONDS).execute(this::next);
                    }
                });
    }

    private CompletableFuture<Void> executeAll(List<Message> jobs) {
        if (jobs.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        List<CompletableFuture<Void>> executed = jobs.stream()
                .map(job -> CompletableFuture.runAsync(() -> execute(job), workers)).toList();
        return CompletableFuture.allOf(executed.toArray(CompletableFuture[]::new))
                .thenCompose(all -> client.acknowledgeMessages(jobs.stream().map(Message::lease).toList()))
                .thenAccept(statuses -> statuses.stream().filter(status -> status == Status.OK)
                        .forEach(status -> left.decrementAndGet()));
    }

    private static void execute(Message job) {
        System.out.println(Thread.currentThread().getName() + " executes " + job.text());
    }
}
