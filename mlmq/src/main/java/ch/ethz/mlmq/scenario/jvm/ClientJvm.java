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
import ch.ethz.mlmq.scenario.settings.TopicKeys;
import ch.ethz.mlmq.steering.CommandFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** A JVM with the role of a client: it generates the load that its settings describe. */
public final class ClientJvm {
    private static final Duration COMMAND_POLL = Duration.ofMillis(100);

    private final Settings settings;
    private final Scenario scenario;
    private final Driver driver;
    private final Consumer<RunSummary> figures;

    /**
     * @param settings of {@link #keys}
     * @throws ConfigurationException if they are invalid; nothing was sent then
     */
    public ClientJvm(Settings settings) {
        this(settings, summary -> { });
    }

    /** @param figures gets the results, even if the JVM is asked to end, which then waits for it */
    public ClientJvm(Settings settings, Consumer<RunSummary> figures) {
        this.settings = settings;
        this.figures = figures;
        Place place = settings.get(CommonKeys.CLIENTS).at(settings.get(CommonKeys.MY_POSITION), CommonKeys.CLIENTS);
        this.scenario = Scenarios.named(place.scenario());
        this.driver = Drivers.named(settings.get(DriverKeys.DRIVER));
        new LoadSettingsCheck(scenario, driver, settings).check(System.currentTimeMillis());
    }

    /** @return every key of such a JVM */
    public static KeyRegistry keys() {
        return KeyRegistry.of(CommonKeys.ALL, ClientKeys.ALL, TopicKeys.ALL, Drivers.keys());
    }

    /**
     * Runs the load to its end, or until the command file or SIGTERM ends it.
     *
     * @param progress takes a line of JSON a second
     * @return the results; empty if it was shut down before the start
     * @throws LoadException          if no load was possible
     * @throws ConfigurationException if the settings do not suit the brokers; no load was sent then
     */
    public Optional<RunSummary> run(Consumer<String> progress) throws LoadException, IOException, InterruptedException {
        LogFiles files = new LogFiles(Path.of(settings.get(CommonKeys.LOG_FOLDER)), Role.CLIENT,
                settings.get(CommonKeys.MY_POSITION));
        PeopleLog.writeTo(files.people());
        return run(RunLogs.open(scenario.name(), settings, files), progress);
    }

    /** Runs the load without any file. */
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

    /** @return null if no command file is watched */
    private AgentRunner watchCommands(LoadRun run) {
        String file = settings.get(CommonKeys.COMMAND_FILE);
        return file.isEmpty() ? null
                : AgentRunner.start(new CommandFile(Path.of(file),
                        LoadCommands.of(run, Path.of(settings.get(CommonKeys.LOG_FOLDER)))), COMMAND_POLL);
    }
}
