package ch.ethz.mlmq.driver.contract;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.scenario.jvm.ClientJvm;
import ch.ethz.mlmq.scenario.pacing.Phase;
import ch.ethz.mlmq.scenario.recording.RunSummary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/** Loads of client JVMs, which are threads of the test. */
public final class TestLoad {
    private final Path folder;
    private final Map<String, String> settings;
    private int runs;

    /**
     * @param folder   for logs
     * @param settings of every load, without the prefix {@code client.}
     */
    public TestLoad(Path folder, Map<String, String> settings) {
        this.folder = folder;
        this.settings = settings;
    }

    /** @return the settings of every load */
    Map<String, String> settings() {
        return settings;
    }

    /** @return one JVM of a mapping, which refuses invalid settings */
    public ClientJvm jvm(String mapping, int position, String... more) {
        return jvm(mapping, position, null, List.of(more));
    }

    private ClientJvm jvm(String mapping, int position, Path command, List<String> more) {
        Map<String, String> text = new HashMap<>(Map.of("common.scenario.mytype", "client",
                "common.scenario.mapping.client", mapping, "common.scenario.myposition", String.valueOf(position),
                "common.performancelogger.logfilepath", folder.resolve("run" + runs).toString(),
                "common.commandofile.path", command == null ? "" : command.toString(),
                "client.record.messages", "true"));
        settings.forEach((key, value) -> text.put("client." + key, value));
        for (int i = 0; i < more.size(); i += 2) {
            text.put("client." + more.get(i), more.get(i + 1));
        }
        return new ClientJvm(Settings.of(ClientJvm.keys(), text));
    }

    /** @return a future of the summary of a load of one JVM */
    public CompletableFuture<RunSummary> start(String scenario, String... more) {
        return startAll(scenario + "#127.0.0.1", 1, more).get(0);
    }

    /** @return the summary of a load of one JVM */
    public RunSummary run(String scenario, String... more) {
        return start(scenario, more).join();
    }

    /** @return futures of the summaries of all JVMs of a mapping; they start together when all are ready */
    public List<CompletableFuture<RunSummary>> startAll(String mapping, int jvms, String... more) {
        runs++;
        CountDownLatch ready = new CountDownLatch(jvms);
        List<CompletableFuture<RunSummary>> started = new ArrayList<>();
        for (int position = 0; position < jvms; position++) {
            Path command = folder.resolve("command" + runs + "_" + position + ".txt");
            List<String> settings = new ArrayList<>(List.of(more));
            settings.addAll(List.of("start.at", "command"));
            ClientJvm jvm = jvm(mapping, position, command, settings);
            started.add(CompletableFuture.supplyAsync(() -> run(jvm, ready, command), TestLoad::inItsOwnThread));
        }
        return started;
    }

    private static RunSummary run(ClientJvm jvm, CountDownLatch ready, Path command) {
        AtomicBoolean told = new AtomicBoolean();
        try {
            return jvm.run(line -> {
                if (line.contains("\"state\":\"ready\"") && told.compareAndSet(false, true)) {
                    ready.countDown();
                    inItsOwnThread(() -> start(ready, command));
                }
            }).orElseThrow();
        } catch (Exception e) {
            // The others do not wait for one that failed.
            ready.countDown();
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    private static void start(CountDownLatch ready, Path command) {
        try {
            ready.await();
            tell(command, "start 0\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void tell(Path command, String what) throws IOException {
        Path written = Files.writeString(command.resolveSibling(command.getFileName() + ".new"), what);
        Files.move(written, command);
    }

    private static void inItsOwnThread(Runnable work) {
        new Thread(work, "load").start();
    }

    /** Ends the first JVM of the newest load, which has executed all earlier commands. */
    public void shutDown() throws IOException {
        tell(folder.resolve("command" + runs + "_0.txt"), "shutdown\n");
    }

    private static void await(Condition condition) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (!condition.isTrue()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("the load does not do what it is waited for");
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** A condition to wait for. */
    private interface Condition {
        boolean isTrue() throws IOException;
    }

    /** @return ids of the messages that all loads so far have sent, or received */
    public List<String> messages(String what) {
        try (Stream<Path> files = Files.walk(folder)) {
            List<String> ids = new ArrayList<>();
            for (Path file : files.filter(path -> path.getFileName().toString().startsWith("messages_")).toList()) {
                Files.readAllLines(file).stream().filter(line -> line.startsWith(what + ";"))
                        .forEach(line -> ids.add(line.split(";")[1]));
            }
            return ids;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @return number of answered requests in the log of the newest load's first JVM */
    public int answered() throws IOException {
        return requestsEnded("OK");
    }

    private int requestsEnded(String how) throws IOException {
        Path log = folder.resolve("run" + runs).resolve("performance_client_0.log");
        return !Files.exists(log) ? 0
                : (int) Files.readAllLines(log).stream().filter(line -> line.contains("CSndReq#" + how + "#")).count();
    }

    /** Waits until the newest load's first JVM has that many answered requests. */
    public void awaitAnswered(int requests) throws IOException, InterruptedException {
        await(() -> answered() >= requests);
    }

    /** Waits until that many requests of the newest load's first JVM have failed in this way. */
    public void awaitErrors(String kind, int requests) throws IOException, InterruptedException {
        await(() -> requestsEnded(kind) >= requests);
    }

    /** Waits until a request of the newest load's first JVM met the end of its connection. */
    public void awaitBrokenConnection() throws IOException, InterruptedException {
        await(() -> requestsEnded("CONNECTION_LOST") + requestsEnded("NOT_CONNECTED") > 0);
    }

    /** @return errors of the measuring phase by their kind */
    public static Map<String, Long> errors(RunSummary summary) {
        return summary.recording().counts(Phase.MEASURING).errors();
    }
}
