package ch.ethz.mlmq.agent;

import java.util.function.BiConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/** What becomes of an error that ends a thread: of a process of ours it ends all, and says so. */
public final class FatalError {
    /** Exit code of a process that such an error has ended. */
    public static final int EXIT_CODE = 3;
    private static final Logger LOG = Logger.getLogger(FatalError.class.getName());

    private FatalError() {
    }

    /** From now on a thread of this JVM that ends by what it did not catch ends the process. */
    public static void endsTheProcess() {
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> endProcess(thread.getName(), error));
    }

    /** @return the same for a thread that would keep what it did not catch to itself, such as an executor's */
    public static Runnable guarded(Runnable work) {
        return () -> {
            try {
                work.run();
            } catch (Throwable e) {
                endProcess(Thread.currentThread().getName(), e);
            }
        };
    }

    /** Ends the process at once, without a shutdown that could hang. @param who name of the thread */
    static void endProcess(String who, Throwable error) {
        try {
            System.err.println(who + " has failed, which ends this process: " + error);
            LOG.log(Level.SEVERE, error, () -> who + " has failed, which ends this process: " + error);
        } catch (Throwable e) {
            // There may be no memory left to say it with; the exit code says it.
        } finally {
            Runtime.getRuntime().halt(EXIT_CODE);
        }
    }

    /** @return how an agent's error is treated where nobody says: it ends the process */
    static BiConsumer<String, Throwable> endingTheProcess() {
        return FatalError::endProcess;
    }
}
