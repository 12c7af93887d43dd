package ch.ethz.mlmq.client;

import static org.assertj.core.api.Assertions.fail;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits until the condition is true. */
public final class Await {
    private static final long PATIENCE_SECONDS = 30;

    private Await() {
    }

    public static void until(String what, Callable<Boolean> condition) throws Exception {
        until(what, PATIENCE_SECONDS, condition);
    }

    /** Waits with a longer limit, for conditions that other tests may delay. */
    public static void until(String what, long patienceSeconds, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(patienceSeconds);
        while (!condition.call()) {
            if (System.nanoTime() - deadline > 0) {
                fail("in vain until " + what);
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }
}
