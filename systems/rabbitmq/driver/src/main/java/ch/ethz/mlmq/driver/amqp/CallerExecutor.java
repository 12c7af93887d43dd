package ch.ethz.mlmq.driver.amqp;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/** Runs deliveries in the thread that reads the connection, because another thread would only delay them. */
final class CallerExecutor extends AbstractExecutorService {
    @Override
    public void execute(Runnable work) {
        work.run();
    }

    @Override
    public void shutdown() {
        // This executor has no threads.
    }

    @Override
    public List<Runnable> shutdownNow() {
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return true;
    }
}
