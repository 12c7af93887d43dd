package ch.ethz.mlmq.driver.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.scenario.Scenario;
import ch.ethz.mlmq.scenario.jvm.ClientJvm;
import ch.ethz.mlmq.scenario.jvm.Scenarios;
import ch.ethz.mlmq.scenario.link.Drivers;
import ch.ethz.mlmq.scenario.pacing.Phase;
import ch.ethz.mlmq.scenario.recording.RunSummary;
import ch.ethz.mlmq.scenario.settings.DriverKeys;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract of all drivers for load clients, tested on a real server; {@code docs/reference/scenarios.md} describes
 * it.
 */
@Timeout(400)
public abstract class DriverContract extends LeaseContract {
    private static final String MIX = "send:50,dequeue:50";

    @TempDir
    protected Path folder;

    /** @return the filters of topics that the system has */
    protected List<String> topicFilters() {
        return List.of("none", "context", "property", "and 2", "and 2 early", "or 2", "in 3", "range");
    }

    /** @return the ways to acknowledge that the system has */
    protected abstract List<String> acknowledgements();

    /** @return the scenarios that run on the system, because the driver has all their operations */
    private Set<String> everywhere() {
        Settings settings = Settings.of(ClientJvm.keys(), Map.of("common.scenario.mytype", "client",
                "client.mix", MIX));
        Set<FrameType> operations = Drivers.named(driver().get("")).operations();
        return Scenarios.all().stream().filter(scenario -> !scenario.needs(Scenario.Need.DATABASE_ONLY)
                && operations.containsAll(scenario.operations().apply(settings))).map(Scenario::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private TestLoad load(String prefix, String... more) {
        Map<String, String> settings = new HashMap<>(Map.of("clients", "2", "queues", "3", "timeout", "60s",
                "driver.address", server().address(), "driver.prefix", prefix, "mix", MIX));
        driver().forEach((key, value) -> settings.put(key.isEmpty() ? "driver" : "driver." + key, value));
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return new TestLoad(folder, settings);
    }

    @Test
    protected void shouldRunEveryScenarioOfEverySystemAndKeepEachMessage() {
        TestLoad load = load("scenarios");
        List<String> groups = new ArrayList<>();
        for (String scenario : everywhere()) {
            groups.add(scenario + "#127.0.0.1");
        }
        groups.remove("Fill#127.0.0.1");
        groups.remove("Only#sendMessages#127.0.0.1"); // its hundred messages a request would be too many
        List<RunSummary> summaries = load.startAll(String.join(";", groups), groups.size(), "rate", "30/s", "duration",
                "10min", "requests", "180", "recipients", "2").stream().map(CompletableFuture::join).toList();

        for (RunSummary summary : summaries) {
            assertThat(TestLoad.errors(summary)).as(summary.who().scenario()).isEmpty();
            assertThat(summary.recording().counts(Phase.MEASURING).ok()).as(summary.who().scenario()).isEqualTo(180);
        }
        for (String receiving : List.of("OneWayClient", "PairedClient", "Tola", "Maruja")) {
            assertThat(summaries.stream().filter(summary -> summary.who().scenario().equals(receiving))
                    .mapToLong(summary -> summary.ledger().received()).sum()).as(receiving).isPositive();
        }
        drain(load);

        // Messages sent to clients themselves stay in their queues.
        List<String> received = load.messages("received");
        assertThat(load.messages("sent")).containsAll(received);
        assertThat(received).hasSizeGreaterThan(200);
        Map<String, Integer> copies = new HashMap<>();
        load.messages("sent").forEach(id -> copies.merge(id, 1, Integer::sum));
        received.forEach(id -> copies.merge(id, -1, Integer::sum));
        assertThat(copies.values()).as("no message comes more often than it was sent").allMatch(left -> left >= 0);
    }

    @Test
    protected void shouldTakeManyMessagesAtOnceAndEachOnce() {
        TestLoad load = load("many");
        load.run("Fill", "requests", "300");
        RunSummary taken = load.run("PublicQueueConsumer", "batch.take", "20", "duration", "10min", "requests", "10",
                "timeout", "4s");
        assertThat(TestLoad.errors(taken)).isEmpty();
        assertThat(taken.recording().messages(Phase.MEASURING).received()).as("by ten takes").isBetween(11L, 200L);
        while (taken.ledger().received() > 0) {
            taken = load.run("Mix", "batch.take", "20", "mix", "dequeue:1", "duration", "10min", "requests", "20",
                    "timeout", "4s", "inflight.max", "3");
            assertThat(TestLoad.errors(taken)).isEmpty();
        }

        assertThat(load.messages("received")).containsExactlyInAnyOrderElementsOf(load.messages("sent"));
    }

    @Test
    protected void shouldTakeEachMessageOnceInEachWayToAcknowledge() {
        for (String way : acknowledgements()) {
            for (String many : List.of("1", "20")) {
                TestLoad load = of("way" + many + "_" + way, "driver.acknowledge", way, "timeout", "4s",
                        "inflight.max", "3", "duration", "10min");
                RunSummary sent = load.run("PublicQueueProducer", "requests", "100", "batch.send", "3");
                assertThat(TestLoad.errors(sent)).as(way).isEmpty();
                RunSummary taken;
                do {
                    taken = load.run("Mix", "batch.take", many, "mix", "dequeue:1", "requests", "300");
                    assertThat(TestLoad.errors(taken)).as(way).isEmpty();
                } while (taken.ledger().received() > 0);

                assertThat(load.messages("received")).as(way).hasSize(300)
                        .containsExactlyInAnyOrderElementsOf(load.messages("sent"));
            }
        }
    }

    @Test
    protected void shouldLoseNothingButWhatIsNotAcknowledgedWhereTheServerIsKilled() throws Exception {
        int batch = 20;
        for (String way : acknowledgements()) {
            TestLoad load = of("cut_" + way, "driver.acknowledge", way, "timeout", "2s");
            load.run("Fill", "requests", "3000", "inflight.max", "20");
            CompletableFuture<RunSummary> taking = load.start("PublicQueueConsumer", "batch.take", "" + batch,
                    "duration", "10min", "rate", "20/s");
            load.awaitAnswered(30);

            server().kill();
            int answered = load.answered();
            server().start();

            load.awaitAnswered(answered + 10);
            load.shutDown();
            long unanswered = taking.join().ledger().unansweredDequeues();
            drain(load);
            Set<String> missing = new HashSet<>(load.messages("sent"));
            missing.removeAll(load.messages("received"));
            // A take whose response was lost with the server may have been executed.
            assertThat((long) missing.size()).as(way + "; " + server().log()).isLessThanOrEqualTo(batch * unanswered);
        }
    }

    @Test
    protected void shouldHaveAsManyRequestsUnderWayAsSessions() {
        Assumptions.assumeTrue(Drivers.named(driver().get("")).keys().contains(DriverKeys.SESSIONS),
                "the driver has many requests in flight on each connection");
        for (int sessions : List.of(1, 3)) {
            TestLoad load = of("sessions" + sessions, "clients", "1", "inflight.max", "6", "driver.sessions",
                    "" + sessions, "duration", "3s");
            RunSummary sent = load.run("PublicQueueProducer", "batch.send", "2");
            RunSummary taken;
            do {
                taken = load.run("Mix", "batch.take", "20", "mix", "dequeue:1");
                assertThat(TestLoad.errors(taken)).isEmpty();
            } while (taken.ledger().received() > 0);

            assertThat(TestLoad.errors(sent)).isEmpty();
            assertThat(sent.measuring().underWay()).as("requests under way").isBetween(sessions - 0.7, sessions + 0.2);
            assertThat(sent.toJson().toString()).contains("\"client_threads\":" + sessions);
            assertThat(load.messages("received")).containsExactlyInAnyOrderElementsOf(load.messages("sent"));
        }
    }

    private TestLoad of(String prefix, String... more) {
        return new TestLoad(folder.resolve(prefix), load(prefix, more).settings());
    }

    @Test
    protected void shouldRefuseAWayToAcknowledgeThatTheSystemDoesNotHave() {
        List<String> others = new ArrayList<>(List.of("each", "batch", "none", "transacted"));
        others.removeAll(acknowledgements());
        for (String way : others) {
            assertThatThrownBy(() -> load("refused").jvm("Bob#127.0.0.1", 0, "driver.acknowledge", way))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("client.driver.acknowledge=" + way + ": ");
        }
        assertThatThrownBy(() -> load("refused").jvm("Worker#127.0.0.1", 0, "driver.acknowledge", "none"))
                .isInstanceOf(ConfigurationException.class).hasMessageContaining("client.driver.acknowledge=none");
    }

    @Test
    protected void shouldCompleteEachMessageOnceWithWorkersOneByOneAndInBatches() {
        for (String batch : List.of("1", "7")) {
            TestLoad load = new TestLoad(folder.resolve(batch), load("worked" + batch).settings());
            load.run("Fill", "requests", "300");
            RunSummary worked;
            long completed = 0;
            do {
                worked = load.run("Worker", "batch", batch, "work", "100us", "duration", "10min", "requests", "400",
                        "timeout", "4s");
                assertThat(TestLoad.errors(worked)).isEmpty();
                completed += worked.ledger().received();
            } while (completed < 300 && worked.ledger().received() > 0);

            assertThat(load.messages("received")).containsExactlyInAnyOrderElementsOf(load.messages("sent"));
        }
    }

    @Test
    protected void shouldSendTheMessagesOfABatchAndKeepEachOnce() {
        TestLoad load = load("batches");
        RunSummary sent = load.run("PublicQueueProducer", "batch.send", "7", "duration", "10min", "requests", "60");

        assertThat(TestLoad.errors(sent)).isEmpty();
        assertThat(sent.recording().counts(Phase.MEASURING).ok()).isEqualTo(60);
        assertThat(sent.ledger().sent()).isEqualTo(420);
        drain(load);
        assertThat(load.messages("received")).hasSize(420)
                .containsExactlyInAnyOrderElementsOf(load.messages("sent"));
    }

    @Test
    protected void shouldCopyEachMessageIntoEachSubscriptionThatMatches() {
        Assumptions.assumeTrue(everywhere().contains("Publisher"), "this driver knows no topics");
        for (String filter : topicFilters()) {
            String prefix = "copies_" + filter.replace(' ', '_');
            TestLoad load = new TestLoad(folder.resolve(prefix), load(prefix, "topics", "2").settings());
            List<RunSummary> both = load.startAll("Publisher#127.0.0.1;Subscriber#127.0.0.1", 2, "topic.filter", filter,
                    "topic.matching", "3", "topic.others", filter.equals("none") ? "0" : "4", "batch", "20",
                    "topic.durable", String.valueOf(filter.equals("property")), "rate", "50/s", "duration", "3s",
                    "timeout", "10s").stream().map(CompletableFuture::join).toList();

            both.forEach(summary -> assertThat(TestLoad.errors(summary)).as(filter).isEmpty());
            List<String> received = load.messages("received");
            Map<String, Integer> copies = new HashMap<>();
            load.messages("sent").forEach(id -> copies.merge(id, 1, Integer::sum));
            assertThat(copies.values()).as(filter).hasSizeBetween(140, 160).containsOnly(3);
            assertThat(received).as(filter).hasSizeGreaterThan(300);
            received.forEach(id -> copies.merge(id, -1, Integer::sum));
            assertThat(copies.values()).as(filter).allMatch(left -> left >= 0);
            assertThat(both.get(1).figures().endToEnd().count()).as(filter).isPositive();
        }
    }

    /** A load asks again for a subscription whose connection was lost, and does not know whether it has. */
    @Test
    protected void shouldGiveTheSameSubscriptionToWhoAsksForItAgain() throws Exception {
        try (TestClient client = client(0)) {
            int topic = ((Response.TopicFound) client.ask(new TopicRequest.LookupTopic("topic1"))).topic();
            TopicRequest.Subscribe subscribe = new TopicRequest.Subscribe(topic, "mine", "id = '0'", false);
            int first = ((Response.QueueFound) client.ask(subscribe)).queue();
            assertThat(((Response.QueueFound) client.ask(subscribe)).queue()).isEqualTo(first);

            client.publish(topic);

            Message message = awaited(client, first);
            if (client.ask(new Request.QueueLength(first)) instanceof Response.QueueLength length) {
                assertThat(length.ready() + length.leased()).isEqualTo(1);
            }
            assertThat(client.acknowledge(message)).isEqualTo(Status.OK);
            assertThat(client.receive(first, LEASE_MILLIS)).isNull();
        }
    }

    @Test
    protected void shouldHandOutAllCopiesToASubscriberThatIsFarBehind() throws Exception {
        try (TestClient client = client(0)) {
            int topic = ((Response.TopicFound) client.ask(new TopicRequest.LookupTopic("topic2"))).topic();
            int subscription = ((Response.QueueFound) client.ask(
                    new TopicRequest.Subscribe(topic, "slow", "id = '0'", false))).queue();
            for (int i = 0; i < 2_500; i++) {
                client.publish(topic);
            }

            for (int i = 0; i < 2_500; i++) {
                assertThat(client.acknowledge(awaited(client, subscription))).isEqualTo(Status.OK);
            }
            assertThat(client.receive(subscription, LEASE_MILLIS)).isNull();
        }
    }

    @Test
    protected void shouldLoseNoCopyWhereTheServerIsKilled() throws Exception {
        int batch = 10;
        TestLoad load = load("killed_topics", "topic.matching", "2", "topic.durable", "true", "batch", "" + batch,
                "timeout", "2s");
        // The position is a part of the names of subscriptions.
        String both = "Subscriber#127.0.0.1;Publisher#127.0.0.1";
        List<CompletableFuture<RunSummary>> running =
                load.startAll(both, 2, "duration", "25s", "rate", "100/s");
        load.awaitAnswered(200);

        server().kill();
        int answered = load.answered();
        server().start();

        load.awaitAnswered(answered + 200);
        long unanswered = running.stream().mapToLong(run -> run.join().ledger().unansweredDequeues()).sum();
        RunSummary left;
        do {
            // Publishers would begin their ids again.
            left = load.run("Subscriber", "duration", "5s");
        } while (left.ledger().received() > 0);
        Map<String, Integer> received = new HashMap<>();
        load.messages("received").forEach(id -> received.merge(id, 1, Integer::sum));
        long missing = new HashSet<>(load.messages("sent")).stream()
                .mapToLong(id -> Math.max(0, 2 - received.getOrDefault(id, 0))).sum();
        // An acknowledgement whose response was lost with the server may have been executed.
        assertThat(missing).as("copies; " + server().log()).isLessThanOrEqualTo(batch * unanswered);
    }

    @Test
    protected void shouldFillQueuesAndHandOutTheOldestFirst() {
        TestLoad load = load("filled", "clients", "1", "queues", "1");
        RunSummary filled = load.run("Fill", "requests", "300", "inflight.max", "20");
        // There are more takes than messages: ActiveMQ may report none while it still reads
        // (docs/reference/systems.md).
        RunSummary taken = load.run("Rick", "requests", "1000");

        assertThat(TestLoad.errors(taken)).isEmpty();
        assertThat(filled.ledger().sent()).isEqualTo(300);
        assertThat(taken.ledger().received()).isEqualTo(300);
        assertThat(load.messages("received")).isSorted().containsExactlyInAnyOrderElementsOf(load.messages("sent"));
    }

    @Test
    protected void shouldLoseNoConfirmedMessageWhereTheServerIsKilled() throws Exception {
        TestLoad load = load("killed");
        load.run("Fill", "requests", "30");
        // RabbitMQ 3.10 keeps part of a declaration in memory for 2 s, or until the next one
        // (docs/reference/systems.md).
        load("afterwards").run("Fill", "requests", "3");
        CompletableFuture<RunSummary> sending = load.start("PublicQueueProducer", "duration", "10min", "rate", "300/s",
                "timeout", "2s");
        load.awaitAnswered(100);

        server().kill();
        int answered = load.answered();
        server().start();

        // The load continues after the server is back.
        load.awaitAnswered(answered + 100);
        load.shutDown();
        RunSummary sent = sending.join();
        assertThat(TestLoad.errors(sent).keySet()).as(server().log()).isSubsetOf("CONNECTION_LOST", "NOT_CONNECTED",
                "TIMEOUT", "BROKER_ERROR", "NOT_STARTED");
        drain(load);
        assertThat(new HashSet<>(load.messages("received"))).as(server().log()).containsAll(load.messages("sent"));
    }

    @Test
    protected void shouldEndEveryWaitWhereTheServerStandsStill() throws Exception {
        TestLoad load = load("hanging");
        CompletableFuture<RunSummary> both = load.start("Mix", "rate", "100/s", "duration", "10min", "timeout",
                "300ms", "inflight.max", "4");
        load.awaitAnswered(50);

        server().signal("STOP");
        try {
            load.awaitErrors("TIMEOUT", 1);
            // Every driver breaks the connection after the same grace.
            load.awaitBrokenConnection();
        } finally {
            server().signal("CONT");
        }
        load.awaitAnswered(load.answered() + 50);
        load.shutDown();

        RunSummary summary = both.join();
        assertThat(TestLoad.errors(summary)).containsKey("TIMEOUT");
        assertThat(TestLoad.errors(summary).keySet()).isSubsetOf("TIMEOUT", "CONNECTION_LOST", "NOT_CONNECTED",
                "NOT_STARTED");
    }

    /** Sends more than the kernel takes of a connection whose server is stopped. */
    @Test
    protected void shouldStartRequestsInTimeWhereTheServerReadsNothing() throws Exception {
        TestLoad load = load("deaf", "queues", "1");
        CompletableFuture<RunSummary> sending = load.start("PublicQueueProducer", "rate", "8/s", "duration", "10min",
                "requests", "80", "message.size", "1000000", "inflight.max", "20", "timeout", "5s", "late.after",
                "4s");
        load.awaitAnswered(2);

        server().signal("STOP");
        try {
            load.awaitBrokenConnection();
        } finally {
            server().signal("CONT");
        }
        assertThat(sending.join().recording().counts(Phase.MEASURING).lateByClient()).isZero();
    }

    @Test
    protected void shouldRefuseWhatTheSystemCannotDo() {
        TestLoad load = load("refused");
        for (var scenario : Scenarios.all()) {
            if (!everywhere().contains(scenario.name())) {
                assertThatThrownBy(() -> load.jvm(scenario.name() + "#127.0.0.1", 0)).as(scenario.name())
                        .isInstanceOf(ConfigurationException.class)
                        .hasMessageContaining(scenario.name() + " does not run on client.driver=");
            }
        }
        assertThatThrownBy(() -> load.jvm("Mix#127.0.0.1", 0, "mix", "send:1,peek:1,receive:1"))
                .isInstanceOf(ConfigurationException.class).hasMessageContaining("which has no peekMessage");
        assertThatThrownBy(() -> load.jvm("Bob#127.0.0.1", 0, "driver.address", ""))
                .isInstanceOf(ConfigurationException.class).hasMessageContaining("client.driver.address is missing");
        assertThatThrownBy(() -> load.jvm("Bob#127.0.0.1", 0, "driver.address",
                server().address().replaceFirst("//([^@/]*@)?", "//somebody:secret@")))
                .isInstanceOf(ConfigurationException.class).hasMessageContaining("MLMQ_DRIVER_PASSWORD")
                .hasMessageNotContaining("secret");
    }

    @Test
    protected void shouldSayWhereThereIsNoServer() {
        int nobody = ServerUnderTest.freePort();
        TestLoad load = load("nobody", "driver.address", server().address().replaceFirst(":\\d+", ":" + nobody),
                "connect.within", "3s");

        assertThatThrownBy(() -> load.run("PublicQueueProducer")).hasMessageContaining("no client could connect to ")
                .hasMessageContaining(":" + nobody).hasMessageContaining("refused");
    }

    /** Takes the remaining messages of the public queues. */
    private static void drain(TestLoad load) {
        RunSummary taken;
        do {
            taken = load.run("Only#dequeueMessage", "duration", "10min", "requests", "1000");
            assertThat(TestLoad.errors(taken)).as("takes of what is left").isEmpty();
        } while (taken.ledger().received() > 0);
    }
}
