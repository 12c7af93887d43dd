package ch.ethz.mlmq.command;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.logging.Logger;

/** The commands a JVM understands, by name. */
public final class Commands {
    private static final Logger LOG = Logger.getLogger(Commands.class.getName());

    private final Map<String, CommandHandler> handlers = new TreeMap<>();

    /**
     * The commands of every JVM: {@code shutdown}, {@code status}, {@code logstacktrace}, {@code logmemory}.
     *
     * @param shutdown begins a graceful shutdown and returns at once
     * @param status   one line about what the JVM does
     */
    public static Commands common(Runnable shutdown, Supplier<String> status) {
        return new Commands()
                .withPlain("shutdown", () -> {
                    shutdown.run();
                    return "shutting down";
                })
                .withPlain("status", status::get)
                .withPlain("logstacktrace", Commands::logStackTraces)
                .withPlain("logmemory", Commands::logMemory);
    }

    /** A command without arguments. */
    public Commands withPlain(String name, Callable<String> work) {
        return with(name, arguments -> {
            if (!arguments.isEmpty()) {
                throw new CommandRefusedException(name + " takes no arguments");
            }
            return work.call();
        });
    }

    public Commands with(String name, CommandHandler handler) {
        handlers.put(name, handler);
        return this;
    }

    /** @return one line that says what was done */
    public String execute(String line) throws Exception {
        List<String> words = Arrays.asList(line.strip().split("\\s+"));
        CommandHandler handler = handlers.get(words.get(0));
        if (handler == null) {
            throw new CommandRefusedException("unknown command " + words.get(0) + "; there are "
                    + String.join(", ", handlers.keySet()));
        }
        return handler.execute(words.subList(1, words.size()));
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
