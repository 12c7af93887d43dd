package ch.ethz.mlmq.driver.amqp;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/** Has whoever reads a connection hand its deliveries on, too: another thread would only make them later. */
final class CallerExecutor extends AbstractExecutorService {
    @Override
    public void execute(Runnable work) {
        work.run();
    }

    @Override
    public void shutdown() {
        // It has no threads.
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
