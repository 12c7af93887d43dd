package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.agent.AgentRunner;
import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.config.CommonKeys;
import ch.ethz.mlmq.config.Role;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.log.EverySecond;
import ch.ethz.mlmq.log.GracefulExit;
import ch.ethz.mlmq.log.LogFiles;
import ch.ethz.mlmq.log.LogHeader;
import ch.ethz.mlmq.log.LogStart;
import ch.ethz.mlmq.log.PeopleLog;
import ch.ethz.mlmq.log.PerformanceLog;
import ch.ethz.mlmq.log.Recorder;
import ch.ethz.mlmq.steering.CommandFile;
import ch.ethz.mlmq.steering.Commands;
import ch.ethz.mlmq.storage.StorageException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A JVM with the role of a broker. It has logs, a command file and progress lines, and runs until it is stopped. */
public final class BrokerJvm {
    private static final Duration COMMAND_POLL = Duration.ofMillis(100);
    private static final Duration LOG_IDLE = Duration.ofMillis(10);

    private final Settings settings;
    private final BrokerSettings place;
    private final Consumer<String> progress;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Deque<AgentRunner> agents = new ArrayDeque<>();

    /**
     * @param place    position and address of the broker
     * @param progress gets a line of JSON once a second and at each change of state
     */
    public BrokerJvm(Settings settings, BrokerSettings place, Consumer<String> progress) {
        this.settings = settings;
        this.place = place;
        this.progress = progress;
    }

    /** Runs a broker that writes logs and watches its command file. */
    public void run() throws IOException, StorageException, InterruptedException {
        Path folder = Path.of(settings.get(CommonKeys.LOG_FOLDER));
        LogFiles files = new LogFiles(folder, Role.BROKER, place.position());
        PeopleLog.writeTo(files.people());
        LogStart start = LogStart.now();
        PerformanceLog log = PerformanceLog.open(files.performance(), new LogHeader(place.scenario(), Role.BROKER,
                place.position(), 0, settings.get(CommonKeys.LOG_SAMPLE), start, List.of("Port[" + place.port() + "]",
                "Workers[" + settings.get(BrokerKeys.WORKERS) + "]",
                "Pool[" + settings.get(BrokerKeys.DB_CONNECTIONS) + "]")), settings.get(CommonKeys.LOG_RING));
        run(log, LOG_IDLE);
        try (Broker broker = Broker.start(settings, place, log)) {
            run(EverySecond.statistics(files.statistics(), start, broker.statistics()), EverySecond.IDLE);
            run(EverySecond.gauges(files.gauges(), start, broker.gauges()), EverySecond.IDLE);
            String commands = settings.get(CommonKeys.COMMAND_FILE);
            if (!commands.isEmpty()) {
                run(new CommandFile(Path.of(commands), Commands.common(stop::countDown, broker::status, folder)),
                        COMMAND_POLL);
            }
            untilStopped(broker);
        } finally {
            closeAgents();
        }
    }

    /** Runs a broker that writes no file, for a first try. */
    public void runWithoutFiles() throws IOException, StorageException, InterruptedException {
        try (Broker broker = Broker.start(settings, place, Recorder.NONE)) {
            untilStopped(broker);
        }
    }

    /** Waits until a command, SIGTERM or Ctrl-C stops the broker. */
    private void untilStopped(Broker broker) throws InterruptedException {
        GracefulExit exit = GracefulExit.by(stop::countDown);
        try {
            do {
                progress.accept(broker.progress());
            } while (!stop.await(1, TimeUnit.SECONDS));
            broker.close(() -> progress.accept(broker.progress()));
            progress.accept(broker.progress());
            closeAgents();
        } finally {
            exit.close();
        }
    }

    private void run(Agent agent, Duration idle) {
        agents.add(AgentRunner.start(agent, idle));
    }

    /** Closes the log last, as the other agents may still write to it. */
    private void closeAgents() {
        agents.descendingIterator().forEachRemaining(AgentRunner::close);
    }
}
