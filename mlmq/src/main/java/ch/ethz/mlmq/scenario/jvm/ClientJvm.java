package ch.ethz.mlmq.scenario.jvm;

import ch.ethz.mlmq.agent.AgentRunner;
import ch.ethz.mlmq.config.CommonKeys;
import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.KeyRegistry;
import ch.ethz.mlmq.config.Role;
import ch.ethz.mlmq.config.ScenarioMapping.Place;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.log.GracefulExit;
import ch.ethz.mlmq.log.LogFiles;
import ch.ethz.mlmq.log.PeopleLog;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.Scenario.Need;
import ch.ethz.mlmq.scenario.database.DatabaseLinks;
import ch.ethz.mlmq.scenario.engine.LoadException;
import ch.ethz.mlmq.scenario.engine.LoadRun;
import ch.ethz.mlmq.scenario.link.Driver;
import ch.ethz.mlmq.scenario.link.Drivers;
import ch.ethz.mlmq.scenario.link.LinkFactory;
import ch.ethz.mlmq.scenario.recording.RunLogs;
import ch.ethz.mlmq.scenario.recording.RunSummary;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import ch.ethz.mlmq.scenario.settings.DriverKeys;
import ch.ethz.mlmq.steering.CommandFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** A JVM whose role is that of a client: generates the load that its settings describe. */
public final class ClientJvm {
    private static final Duration COMMAND_POLL = Duration.ofMillis(100);

    private final Settings settings;
    private final Scenario scenario;
    private final Driver driver;
    private final Consumer<RunSummary> figures;

    /**
     * @param settings of {@link #keys}
     * @throws ConfigurationException where they make no sense; nothing was sent then
     */
    public ClientJvm(Settings settings) {
        this(settings, summary -> { });
    }

    /** @param figures gets what was measured; also where the JVM is told to end, which then waits for it */
    public ClientJvm(Settings settings, Consumer<RunSummary> figures) {
        this.settings = settings;
        this.figures = figures;
        Place place = settings.get(CommonKeys.CLIENTS).at(settings.get(CommonKeys.MY_POSITION), CommonKeys.CLIENTS);
        this.scenario = Scenarios.named(place.scenario());
        this.driver = Drivers.named(settings.get(DriverKeys.DRIVER));
        new LoadSettingsCheck(scenario, driver, settings).check(System.currentTimeMillis());
    }

    /** @return every key that such a JVM knows */
    public static KeyRegistry keys() {
        return KeyRegistry.of(CommonKeys.ALL, ClientKeys.ALL, Drivers.keys());
    }

    /**
     * Runs the load to its end, or until it is told to shut down by its command file or by SIGTERM.
     *
     * @param progress takes a line of JSON a second
     * @return what was measured; empty where it was shut down before the start
     * @throws LoadException          where no load could be made
     * @throws ConfigurationException where the brokers find the settings wrong; no load was sent then
     */
    public Optional<RunSummary> run(Consumer<String> progress) throws LoadException, IOException, InterruptedException {
        LogFiles files = new LogFiles(Path.of(settings.get(CommonKeys.LOG_FOLDER)), Role.CLIENT,
                settings.get(CommonKeys.MY_POSITION));
        PeopleLog.writeTo(files.people());
        return run(RunLogs.open(scenario.name(), settings, files), progress);
    }

    /** The same without any file. */
    public Optional<RunSummary> runWithoutLogs(Consumer<String> progress)
            throws LoadException, IOException, InterruptedException {
        return run(RunLogs.none(), progress);
    }

    private Optional<RunSummary> run(RunLogs logs, Consumer<String> progress)
            throws LoadException, IOException, InterruptedException {
        LinkFactory links = scenario.needs(Need.DATABASE_ONLY) ? DatabaseLinks.of(settings) : driver.links(settings);
        LoadRun run = new LoadRun(scenario, settings, links, logs, progress);
        AgentRunner commands = watchCommands(run);
        GracefulExit exit = GracefulExit.by(run::shutDown);
        try {
            Optional<RunSummary> summary = run.run();
            summary.ifPresent(figures);
            return summary;
        } finally {
            if (commands != null) {
                commands.close();
            }
            links.close();
            logs.close();
            exit.close();
        }
    }

    /** @return null where no command file is watched */
    private AgentRunner watchCommands(LoadRun run) {
        String file = settings.get(CommonKeys.COMMAND_FILE);
        return file.isEmpty() ? null
                : AgentRunner.start(new CommandFile(Path.of(file),
                        LoadCommands.of(run, Path.of(settings.get(CommonKeys.LOG_FOLDER)))), COMMAND_POLL);
    }
}
