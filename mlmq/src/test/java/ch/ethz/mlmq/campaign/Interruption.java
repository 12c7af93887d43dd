package ch.ethz.mlmq.campaign;

import java.util.concurrent.CountDownLatch;

/** Ctrl-C or SIGTERM: the program is told to end soon, and the JVM waits until it has, with its books printed. */
final class Interruption {
    private final CountDownLatch over = new CountDownLatch(1);

    private Interruption() {
    }

    /** @param end tells the program; it says so itself when it is {@link #over} */
    static Interruption of(Runnable end) {
        Interruption interruption = new Interruption();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            end.run();
            interruption.awaitOver();
        }, "interruption"));
        return interruption;
    }

    void over() {
        over.countDown();
    }

    private void awaitOver() {
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
