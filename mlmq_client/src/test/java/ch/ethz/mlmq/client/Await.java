package ch.ethz.mlmq.client;

import static org.assertj.core.api.Assertions.fail;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits for what will come true by itself. */
public final class Await {
    private static final long PATIENCE_SECONDS = 30;

    private Await() {
    }

    public static void until(String what, Callable<Boolean> condition) throws Exception {
        until(what, PATIENCE_SECONDS, condition);
    }

    /** The same where what others do may keep it from coming true for so long. */
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
