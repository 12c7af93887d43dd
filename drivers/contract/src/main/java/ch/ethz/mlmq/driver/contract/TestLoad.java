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
import java.util.stream.Stream;

/** Loads of client JVMs that are threads of the test. */
public final class TestLoad {
    private final Path folder;
    private final Map<String, String> settings;
    private int runs;

    /**
     * @param folder   for logs
     * @param settings of every load, without their {@code client.}
     */
    public TestLoad(Path folder, Map<String, String> settings) {
        this.folder = folder;
        this.settings = settings;
    }

    /** @return what one JVM of a mapping is, which refuses settings that make no sense */
    public ClientJvm jvm(String mapping, int position, String... more) {
        Map<String, String> text = new HashMap<>(Map.of("common.scenario.mytype", "client",
                "common.scenario.mapping.client", mapping, "common.scenario.myposition", String.valueOf(position),
                "common.performancelogger.logfilepath", folder.resolve("run" + runs).toString(),
                "common.commandofile.path", "", "client.record.messages", "true"));
        settings.forEach((key, value) -> text.put("client." + key, value));
        for (int i = 0; i < more.length; i += 2) {
            text.put("client." + more[i], more[i + 1]);
        }
        return new ClientJvm(Settings.of(ClientJvm.keys(), text));
    }

    /** @return the summary of a load of one JVM, to come */
    public CompletableFuture<RunSummary> start(String scenario, String... more) {
        return startAll(scenario + "#127.0.0.1", 1, more).get(0);
    }

    /** @return the summary of a load of one JVM */
    public RunSummary run(String scenario, String... more) {
        return start(scenario, more).join();
    }

    /** @return the summaries of all JVMs of a mapping, to come */
    public List<CompletableFuture<RunSummary>> startAll(String mapping, int jvms, String... more) {
        runs++;
        List<CompletableFuture<RunSummary>> started = new ArrayList<>();
        for (int position = 0; position < jvms; position++) {
            ClientJvm jvm = jvm(mapping, position, more);
            started.add(CompletableFuture.supplyAsync(() -> {
                try {
                    return jvm.run(line -> { }).orElseThrow();
                } catch (Exception e) {
                    throw new IllegalStateException(e.getMessage(), e);
                }
            }, command -> new Thread(command, "load").start()));
        }
        return started;
    }

    /** @return ids of the messages that all loads so far sent, or received */
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

    /** @return the number of records in the performance log of the newest load's first JVM */
    public long logged() {
        Path log = folder.resolve("run" + runs).resolve("performance_client_0.log");
        try {
            return Files.exists(log) ? Files.size(log) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @return errors of the measuring phase by their kind */
    public static Map<String, Long> errors(RunSummary summary) {
        return summary.recording().counts(Phase.MEASURING).errors();
    }
}
