package ch.ethz.mlmq.cli;

import ch.ethz.mlmq.broker.BrokerJvm;
import ch.ethz.mlmq.broker.BrokerSettings;
import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.config.CommonKeys;
import ch.ethz.mlmq.config.KeyRegistry;
import ch.ethz.mlmq.config.Role;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.log.PeopleLog;
import ch.ethz.mlmq.scenario.jvm.ClientJvm;
import ch.ethz.mlmq.scenario.link.Drivers;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import ch.ethz.mlmq.scenario.settings.TopicKeys;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code scenario}: runs one JVM of a run, broker or client, from its properties file. */
@Command(name = "scenario", description = {"Start a broker or load clients with the settings of a properties file.",
    "Exit codes: 0 success, 1 failure, 2 wrong usage or setting, 3 a thread failed and ended the process."})
final class ScenarioCommand implements Callable<Integer> {
    @Option(names = {"-config", "--config"}, paramLabel = "FILE", required = true,
            description = "file of settings; config/mlmq has templates")
    private Path config;

    @Option(names = {"-l", "--logging"}, paramLabel = "FILE", description = "properties file with levels and "
            + "handlers of java.util.logging")
    private Path logging;

    @Option(names = "--progress", description = "print a line of JSON once a second and at each change of state")
    private boolean progress;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (logging != null) {
            PeopleLog.configure(logging);
        }
        Settings settings = Settings.load(keys(), config);
        if (settings.get(CommonKeys.MY_TYPE) == Role.BROKER) {
            new BrokerJvm(settings, BrokerSettings.of(settings), progress(spec, progress)).run();
        } else {
            ClientJvm jvm = new ClientJvm(settings);
            KeyExchange.prepare(settings);
            jvm.run(progress(spec, progress));
        }
        return 0;
    }

    /** @return all keys, because one file may serve all JVMs of a run */
    static KeyRegistry keys() {
        return KeyRegistry.of(CommonKeys.ALL, BrokerKeys.ALL, ClientKeys.ALL, TopicKeys.ALL,
                Drivers.keys());
    }

    static Consumer<String> progress(CommandSpec spec, boolean wanted) {
        if (!wanted) {
            return line -> { };
        }
        PrintWriter out = spec.commandLine().getOut();
        return line -> {
            out.println(line);
            out.flush();
        };
    }
}
