package ch.ethz.mlmq.cli;

import ch.ethz.mlmq.broker.BrokerJvm;
import ch.ethz.mlmq.broker.BrokerSettings;
import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.config.KeyRegistry;
import ch.ethz.mlmq.config.Settings;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code broker}: a broker without a properties file. */
@Command(name = "broker", description = {"Start a broker without a properties file, for a first trial. Ctrl-C stops "
        + "it.",
    "Exit codes: 0 success, 1 failure, 2 wrong usage or setting, 3 a thread failed and ended the process."})
final class BrokerCommand implements Callable<Integer> {
    @Option(names = "--port", paramLabel = "PORT", defaultValue = "8099",
            description = "port that the broker listens on, 0 for any free port (default: ${DEFAULT-VALUE})")
    private String port;

    @Option(names = "--address", paramLabel = "ADDRESS", defaultValue = "127.0.0.1",
            description = "address that the broker listens on, 0.0.0.0 for all (default: ${DEFAULT-VALUE})")
    private String address;

    @Option(names = "--storage", paramLabel = "KIND", defaultValue = "postgresql",
            description = "storage of messages: postgresql, memory or none (default: ${DEFAULT-VALUE})")
    private String storage;

    @Option(names = "--set", paramLabel = "KEY=VALUE",
            description = "set any broker.* key of config/mlmq/broker.properties, such as broker.workers=4; may be "
                    + "repeated")
    private Map<String, String> set = new HashMap<>();

    @Option(names = "--progress", description = "print a line of JSON once a second")
    private boolean progress;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Map<String, String> text = new HashMap<>();
        text.put(BrokerKeys.STORAGE.name(), storage);
        text.put(BrokerKeys.ADDRESS.name(), address);
        text.put(BrokerKeys.PORT.name(), port);
        text.putAll(set);
        Settings settings = Settings.of(KeyRegistry.of(BrokerKeys.ALL), text);
        BrokerSettings place = new BrokerSettings(BrokerSettings.SCENARIO, 0, settings.get(BrokerKeys.ADDRESS),
                settings.get(BrokerKeys.PORT));
        new BrokerJvm(settings, place, ScenarioCommand.progress(spec, progress)).runWithoutFiles();
        return 0;
    }
}
