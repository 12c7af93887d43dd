package ch.ethz.mlmq.steering;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.logging.Logger;

/** The commands a JVM understands, by name. */
public final class Commands {
    private static final Logger LOG = Logger.getLogger(Commands.class.getName());

    private final Map<String, Starter> handlers = new TreeMap<>();

    @FunctionalInterface
    private interface Starter {
        CompletableFuture<String> begin(List<String> arguments) throws Exception;
    }

    /**
     * The commands of every JVM: {@code shutdown}, {@code status}, {@code logstacktrace}, {@code logmemory},
     * {@code profile}.
     *
     * @param shutdown begins a graceful shutdown and returns at once
     * @param status   gives one line about the JVM's state
     * @param logs     folder of its recordings
     */
    public static Commands common(Runnable shutdown, Supplier<String> status, Path logs) {
        return new Commands()
                .withPlain("shutdown", () -> {
                    shutdown.run();
                    return "shutting down";
                })
                .withPlain("status", status::get)
                .withPlain("logstacktrace", Commands::logStackTraces)
                .withPlain("logmemory", Commands::logMemory)
                .withLasting("profile", new Profiler(logs)::record);
    }

    /** Adds a command without arguments. */
    public Commands withPlain(String name, Callable<String> work) {
        return with(name, arguments -> {
            if (!arguments.isEmpty()) {
                throw new CommandRefusedException(name + " takes no arguments");
            }
            return work.call();
        });
    }

    public Commands with(String name, CommandHandler handler) {
        handlers.put(name, arguments -> CompletableFuture.completedFuture(handler.execute(arguments)));
        return this;
    }

    public Commands withLasting(String name, LastingCommand command) {
        handlers.put(name, command::begin);
        return this;
    }

    /** @return one line about the outcome; it is complete at once for most commands */
    public CompletableFuture<String> execute(String line) throws Exception {
        List<String> words = Arrays.asList(line.strip().split("\\s+"));
        Starter handler = handlers.get(words.get(0));
        if (handler == null) {
            throw new CommandRefusedException("unknown command " + words.get(0) + "; there are "
                    + String.join(", ", handlers.keySet()));
        }
        return handler.begin(words.subList(1, words.size()));
    }

    private static String logStackTraces() {
        Map<Thread, StackTraceElement[]> traces = Thread.getAllStackTraces();
        StringBuilder text = new StringBuilder();
        traces.forEach((thread, trace) -> {
            text.append('\n').append(thread.getName()).append(' ').append(thread.getState());
            for (StackTraceElement element : trace) {
                text.append("\n    at ").append(element);
            }
        });
        LOG.info(() -> "stack traces of " + traces.size() + " threads" + text);
        return "stack traces of " + traces.size() + " threads logged";
    }

    private static String logMemory() {
        Runtime runtime = Runtime.getRuntime();
        String text = "heap used " + (runtime.totalMemory() - runtime.freeMemory()) + " committed "
                + runtime.totalMemory() + " max " + runtime.maxMemory() + " bytes, outside the heap "
                + ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage().getUsed() + " bytes";
        LOG.info(text);
        return text;
    }
}
