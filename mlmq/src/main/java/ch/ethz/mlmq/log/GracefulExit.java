package ch.ethz.mlmq.log;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets a JVM that is told to end (SIGTERM, Ctrl-C) finish properly first, and say so in its log. */
public final class GracefulExit implements AutoCloseable {
    /** Longer than any setting lets a JVM take to finish. */
    private static final long LIMIT_MINUTES = 15;

    private final CountDownLatch finished = new CountDownLatch(1);
    private final Thread hook;

    private GracefulExit(Runnable shutDown) {
        hook = new Thread(() -> {
            shutDown.run();
            awaitEnd();
        }, "graceful-exit");
    }

    /** @param shutDown begins to end what the JVM does, and returns */
    public static GracefulExit by(Runnable shutDown) {
        GracefulExit exit = new GracefulExit(shutDown);
        Runtime.getRuntime().addShutdownHook(exit.hook);
        PeopleLog.keepOpenUntil(exit.finished);
        return exit;
    }

    /** What the JVM does has ended, and is written down. */
    @Override
    public void close() {
        finished.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the JVM ends already, and the hook does not wait any more
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
