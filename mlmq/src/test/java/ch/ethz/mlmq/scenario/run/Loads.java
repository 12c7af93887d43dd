package ch.ethz.mlmq.scenario.run;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.scenario.jvm.ClientJvm;
import ch.ethz.mlmq.scenario.recording.RunSummary;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Starts loads in this JVM on brokers of other JVMs. */
final class Loads {
    private Loads() {
    }

    /** @param settings key and value in turn, without their {@code client.} */
    static CompletableFuture<RunSummary> start(String scenario, String broker, Path logs, String... settings) {
        Map<String, String> text = new HashMap<>(Map.of("common.scenario.mytype", "client",
                "common.scenario.mapping.broker", "Broker#" + broker,
                "common.scenario.mapping.client", scenario + "#127.0.0.1",
                "common.performancelogger.logfilepath", logs.toString(), "common.commandofile.path", ""));
        for (int i = 0; i < settings.length; i += 2) {
            text.put("client." + settings[i], settings[i + 1]);
        }
        ClientJvm jvm = new ClientJvm(Settings.of(ClientJvm.keys(), text));
        return CompletableFuture.supplyAsync(() -> {
            try {
                return jvm.run(line -> { }).orElseThrow();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }, command -> new Thread(command, "load").start());
    }
}
