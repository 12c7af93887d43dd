package ch.ethz.mlmq.agent;

import java.util.function.BiConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Handles errors that end a thread: in MLMQ's own processes they end the process, with a message. */
public final class FatalError {
    /** Exit code of a process that such an error has ended. */
    public static final int EXIT_CODE = 3;
    private static final Logger LOG = Logger.getLogger(FatalError.class.getName());

    private FatalError() {
    }

    /** Lets every uncaught exception or error of a thread of this JVM end the process. */
    public static void endsTheProcess() {
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> endProcess(thread.getName(), error));
    }

    /**
     * @return work whose uncaught errors end the process, for threads that would swallow them, such as an executor's
     */
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
            // There may be no memory left for a message; the exit code remains.
        } finally {
            Runtime.getRuntime().halt(EXIT_CODE);
        }
    }

    /** @return the default handler of an agent's error, which ends the process */
    static BiConsumer<String, Throwable> endingTheProcess() {
        return FatalError::endProcess;
    }
}
