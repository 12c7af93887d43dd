package ch.ethz.mlmq.log;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets a JVM that is asked to end (SIGTERM, Ctrl-C) finish properly first, and write so to its log. */
public final class GracefulExit implements AutoCloseable {
    /** Longer than the time that any setting allows a JVM to finish. */
    private static final long LIMIT_MINUTES = 15;

    private final CountDownLatch finished = new CountDownLatch(1);
    private final Thread hook;

    private GracefulExit(Runnable shutDown) {
        hook = new Thread(() -> {
            shutDown.run();
            awaitEnd();
        }, "graceful-exit");
    }

    /** @param shutDown begins to stop the JVM's work, and returns */
    public static GracefulExit by(Runnable shutDown) {
        GracefulExit exit = new GracefulExit(shutDown);
        Runtime.getRuntime().addShutdownHook(exit.hook);
        PeopleLog.keepOpenUntil(exit.finished);
        return exit;
    }

    /** Lets the JVM end, because its work has ended and its logs are complete. */
    @Override
    public void close() {
        finished.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is already ending, and the hook no longer waits.
        }
    }

    private void awaitEnd() {
        try {
            finished.await(LIMIT_MINUTES, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
