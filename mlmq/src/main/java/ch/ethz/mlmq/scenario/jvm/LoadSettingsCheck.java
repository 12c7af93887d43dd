package ch.ethz.mlmq.scenario.jvm;

import ch.ethz.mlmq.config.CommonKeys;
import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Key;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.scenario.Positions;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.Scenario.Need;
import ch.ethz.mlmq.scenario.SubscriptionPlan;
import ch.ethz.mlmq.scenario.link.Driver;
import ch.ethz.mlmq.scenario.link.Drivers;
import ch.ethz.mlmq.scenario.link.MlmqDriver;
import ch.ethz.mlmq.scenario.pacing.ClientSteps;
import ch.ethz.mlmq.scenario.pacing.LoadPlan;
import ch.ethz.mlmq.scenario.pacing.Pace;
import ch.ethz.mlmq.scenario.pacing.RatePlan;
import ch.ethz.mlmq.scenario.recording.ClockOffset;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import ch.ethz.mlmq.scenario.settings.DriverKeys;
import ch.ethz.mlmq.scenario.settings.StartAt;
import ch.ethz.mlmq.scenario.settings.TopicKeys;
import ch.ethz.mlmq.scenario.workload.LoadMessage;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Checks the settings of a load as a whole, before anything is sent. */
final class LoadSettingsCheck {
    private static final int MOST_DATABASE_CONNECTIONS = 64;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int MOST_TAKEN_AT_ONCE = 100;

    private final Scenario scenario;
    private final Driver driver;
    private final Settings settings;

    LoadSettingsCheck(Scenario scenario, Driver driver, Settings settings) {
        this.scenario = scenario;
        this.driver = driver;
        this.settings = settings;
    }

    /** @throws ConfigurationException with one line that says what to change */
    void check(long nowMillis) {
        if (settings.get(ClientKeys.START_AT) instanceof StartAt.Instant start && start.utcMillis() < nowMillis) {
            throw new ConfigurationException(ClientKeys.START_AT.name() + "=" + start.utcMillis() + " was "
                    + (nowMillis - start.utcMillis()) + " ms ago; the start must be in the future");
        }
        ClientSteps steps = settings.get(ClientKeys.STEPS);
        int clients = settings.get(ClientKeys.CLIENTS);
        require(steps.more() == 0 || steps.last() >= clients,
                "%s goes up to %d clients, and %s has %d already", ClientKeys.STEPS.name(), steps.last(),
                ClientKeys.CLIENTS.name(), clients);
        require(settings.get(ClientKeys.BACKOFF_MAX).compareTo(settings.get(ClientKeys.BACKOFF)) >= 0,
                "%s must be at least %s", ClientKeys.BACKOFF_MAX.name(), ClientKeys.BACKOFF.name());
        if (scenario.needs(Need.COUNTER)) {
            require(settings.get(ClientKeys.MESSAGE_SIZE).min() >= LoadMessage.MIN_LENGTH_WITH_COUNTER,
                    "%s must be at least %d bytes for %s, whose messages carry a counter",
                    ClientKeys.MESSAGE_SIZE.name(), LoadMessage.MIN_LENGTH_WITH_COUNTER, scenario.name());
        }
        require(!scenario.needs(Need.REQUESTS) || settings.get(ClientKeys.REQUESTS) > 0,
                "%s needs %s, the number of messages", scenario.name(), ClientKeys.REQUESTS.name());
        require(!scenario.needs(Need.TURNS) || settings.get(ClientKeys.INFLIGHT_MAX) == 1,
                "%s sends its requests one after the other, so %s must be 1", scenario.name(),
                ClientKeys.INFLIGHT_MAX.name());
        require(!scenario.needs(Need.DATABASE_ONLY) || steps.most(clients) <= MOST_DATABASE_CONNECTIONS,
                "%s has a connection to the database for each client, so there are at most %d", scenario.name(),
                MOST_DATABASE_CONNECTIONS);
        checkLoad();
        checkBatch();
        checkTakes();
        checkSubscriptions();
        checkLayout();
        checkDriver();
        checkCompany(steps.most(clients));
    }

    private void checkLoad() {
        LoadPlan load = settings.get(ClientKeys.LOAD);
        if (load.parts().isEmpty()) {
            return;
        }
        require(settings.get(ClientKeys.DURATION).toNanos() == load.nanosFrom(0),
                "%s has %d ms in all, and %s must be as long", ClientKeys.LOAD.name(),
                load.nanosFrom(0) / NANOS_PER_MILLI, ClientKeys.DURATION.name());
        require(settings.get(ClientKeys.STEPS).more() == 0, "%s cannot be combined with %s; leave one of them out",
                ClientKeys.LOAD.name(), ClientKeys.STEPS.name());
        require(!load.hasRates() || settings.get(ClientKeys.RATE) instanceof Pace.Open pace
                        && pace.rate() instanceof RatePlan.Constant,
                "%s has rates, so %s must be one rate such as 100/s, that of the warm-up", ClientKeys.LOAD.name(),
                ClientKeys.RATE.name());
    }

    private void checkBatch() {
        int batch = settings.get(ClientKeys.BATCH_SEND);
        int each = Limits.messageBytes(settings.get(ClientKeys.MESSAGE_SIZE).max());
        require(batch == 1 || (long) batch * each <= Limits.DEFAULT_PAYLOAD_BYTES,
                "%s of the longest %s is at most %d, as a request has at most %d bytes", ClientKeys.BATCH_SEND.name(),
                ClientKeys.MESSAGE_SIZE.name(), Math.max(1, Limits.DEFAULT_PAYLOAD_BYTES / each),
                Limits.DEFAULT_PAYLOAD_BYTES);
    }

    private void checkTakes() {
        require(!scenario.needs(Need.DATABASE_ONLY) || settings.get(ClientKeys.BATCH_TAKE) == 1,
                "%s takes one message at a time, so %s must be 1", scenario.name(), ClientKeys.BATCH_TAKE.name());
    }

    private void checkSubscriptions() {
        if (!scenario.needs(Need.SUBSCRIPTIONS)) {
            return;
        }
        SubscriptionPlan plan = new SubscriptionPlan(scenario.name(), settings);
        require(settings.get(TopicKeys.FILTER).selects() || settings.get(TopicKeys.OTHERS) == 0,
                "%s=none gives each subscription each message, so %s must be 0", TopicKeys.FILTER.name(),
                TopicKeys.OTHERS.name());
        require(plan.subscriptions() >= plan.clients(),
                "there are %d subscriptions for %d clients; set %s to at most %1$d, or %s to more",
                plan.subscriptions(), plan.clients(), ClientKeys.CLIENTS.name(), TopicKeys.MATCHING.name());
        require(plan.mostMatching() <= MOST_TAKEN_AT_ONCE,
                "a client would receive from %d subscriptions, and the most is %d; set %s to more",
                plan.mostMatching(), MOST_TAKEN_AT_ONCE, ClientKeys.CLIENTS.name());
        require(settings.get(ClientKeys.INFLIGHT_MAX) == 1, "%s has a request at each subscription with messages, so "
                + "%s must be 1", scenario.name(), ClientKeys.INFLIGHT_MAX.name());
    }

    private void checkLayout() {
        TopicKeys.Layout layout = settings.get(TopicKeys.LAYOUT);
        require(layout == TopicKeys.Layout.SHARED || scenario.needs(Need.TOPICS),
                "%s has no effect on %s, which uses no topics; leave it out", TopicKeys.LAYOUT.name(), scenario.name());
        require(layout == TopicKeys.Layout.SHARED || driver instanceof MlmqDriver,
                "%s=%s needs several brokers of MLMQ, and %s has one server; leave it out", TopicKeys.LAYOUT.name(),
                layout.name().toLowerCase(Locale.ROOT), driver.name());
    }

    /** Refuses operations that the driver does not support, and keys that it does not use. */
    private void checkDriver() {
        Set<FrameType> missing = new TreeSet<>(scenario.operations().apply(settings));
        missing.removeAll(driver.operations());
        require(missing.isEmpty(),
                "%s does not run on %s=%s, which has no %s; docs/reference/scenarios.md lists the scenarios of each "
                        + "driver",
                scenario.name(), DriverKeys.DRIVER.name(), driver.name(),
                missing.stream().map(FrameType::label).collect(Collectors.joining(", ")));
        for (Key<?> key : Drivers.keys()) {
            require(driver.keys().contains(key) || driver.ownKeys().contains(key)
                            || settings.get(key).equals(key.grammar().parse(key.defaultValue())),
                    "%s has no effect with %s=%s; leave it out", key.name(), DriverKeys.DRIVER.name(), driver.name());
        }
        if (!scenario.needs(Need.DATABASE_ONLY)) {
            driver.check(settings, scenario);
        }
        checkSessions(scenario.operations().apply(settings));
    }

    private void checkSessions(Set<FrameType> operations) {
        boolean leases = operations.contains(FrameType.ACKNOWLEDGE)
                || operations.contains(FrameType.ACKNOWLEDGE_MESSAGES);
        int sessions = settings.get(DriverKeys.SESSIONS);
        DriverKeys.Acknowledge way = settings.get(DriverKeys.ACKNOWLEDGE);
        require(way == DriverKeys.Acknowledge.USUAL || !scenario.needs(Need.DATABASE_ONLY),
                "%s has no effect on %s; leave it out", DriverKeys.ACKNOWLEDGE.name(), scenario.name());
        require(way != DriverKeys.Acknowledge.NONE || !leases,
                "%s=none has no effect on %s, which acknowledges what it receives; leave it out",
                DriverKeys.ACKNOWLEDGE.name(), scenario.name());
        require(sessions <= settings.get(ClientKeys.INFLIGHT_MAX),
                "%s=%d: a session executes one request at a time, so %s must be at least as large",
                DriverKeys.SESSIONS.name(), sessions, ClientKeys.INFLIGHT_MAX.name());
        require(sessions == 1 || !leases,
                "%s=%d: a session of %s must have what an earlier request received; leave it out",
                DriverKeys.SESSIONS.name(), sessions, scenario.name());
    }

    private void checkPairing() {
        if (settings.get(ClientKeys.PAIRING) == ClientKeys.Pairing.ANY) {
            return;
        }
        require(scenario.canPairOwn(settings),
                "%s=own needs clients that both send and receive, and those of %s do not; leave it out",
                ClientKeys.PAIRING.name(), scenario.name());
        int jvms = settings.get(CommonKeys.CLIENTS).places().size();
        require(!scenario.needs(Need.QUEUES) || settings.get(ClientKeys.QUEUES).count() >= jvms,
                "%s must be at least %d queues, as %s=own gives each JVM of clients public queues of its own",
                ClientKeys.QUEUES.name(), jvms, ClientKeys.PAIRING.name());
    }

    private void checkCompany(int clients) {
        ClockOffset.toldOrNull(); // refuses what is no offset to the clocks of others
        checkPairing();
        List<Integer> positions = Positions.of(scenario.name(), settings);
        if (scenario.needs(Need.PEERS)) {
            require(clients > 1 || positions.size() > 1,
                    "%s needs another client of its kind; set %s to 2 or more", scenario.name(),
                    ClientKeys.CLIENTS.name());
        }
        boolean leftOver = positions.size() % 2 == 1
                && positions.get(positions.size() - 1).equals(settings.get(CommonKeys.MY_POSITION));
        if (scenario.needs(Need.PARTNER) && leftOver) {
            require(settings.get(ClientKeys.CLIENTS) % 2 == 0 && clients % 2 == 0,
                    "the clients of this JVM are paired among themselves, so %s must be even",
                    ClientKeys.CLIENTS.name());
        }
    }

    private static void require(boolean condition, String message, Object... arguments) {
        if (!condition) {
            throw new ConfigurationException(String.format(message, arguments));
        }
    }
}
