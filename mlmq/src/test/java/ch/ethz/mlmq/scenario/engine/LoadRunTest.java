package ch.ethz.mlmq.scenario.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.jvm.ClientJvm;
import ch.ethz.mlmq.scenario.jvm.Scenarios;
import ch.ethz.mlmq.scenario.pacing.Phase;
import ch.ethz.mlmq.scenario.pacing.RatePlan;
import ch.ethz.mlmq.scenario.recording.Counts;
import ch.ethz.mlmq.scenario.recording.RunLogs;
import ch.ethz.mlmq.scenario.recording.RunSummary;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoadRunTest {
    private final MemoryBroker broker = new MemoryBroker();
    private final List<String> progress = new CopyOnWriteArrayList<>();

    @AfterEach
    void stopBroker() {
        broker.close();
    }

    @Test
    void shouldKeepAsManyMessagesUnderWayAsThereAreOneWayClients() throws Exception {
        RunSummary summary = run("OneWayClient", "client.clients", "5", "client.requests", "1000").orElseThrow();

        assertThat(summary.recording().counts(Phase.MEASURING).ok()).isEqualTo(1_000);
        assertThat(summary.ledger().sent() - summary.ledger().received()).isEqualTo(broker.stored().size())
                .isBetween(0L, 5L);
        assertThat(summary.recording().counts(Phase.MEASURING).errors()).isEmpty();
    }

    @Test
    void shouldStartAsManyRequestsAsTheRateSays() throws Exception {
        RunSummary summary = run("PublicQueueProducer", "client.clients", "3", "client.rate", "500/s",
                "client.duration", "2s").orElseThrow();

        assertThat(summary.recording().counts(Phase.MEASURING).ok()).isEqualTo(1_000);
        assertThat(summary.measuring().plannedRate()).isEqualTo(500, within(1e-6));
        assertThat(broker.stored()).hasSize(1_000);
    }

    @Test
    void shouldCountResponseTimeFromTheIntendedStartAndServiceTimeFromTheActualOne() throws Exception {
        CompletableFuture<Optional<RunSummary>> running = start("PublicQueueProducer", "client.clients", "2",
                "client.rate", "200/s", "client.duration", "4s", "client.timeout", "20s", "client.late.after", "100ms");
        await(() -> broker.stored().size() > 100);
        broker.stop();
        // One waits in the broker's hands, the other one behind it.
        await(() -> broker.waiting() == 1);
        long stopped = System.nanoTime();
        await(() -> System.nanoTime() - stopped > 1_000_000_000);
        broker.goOn();

        RunSummary summary = running.get().orElseThrow();

        assertThat(summary.recording().counts(Phase.MEASURING).ok()).isEqualTo(800);
        assertThat(summary.figures().response().p99()).as("a quarter of the requests waited").isGreaterThan(500_000);
        assertThat(summary.figures().service().p99()).as("only the two under way waited").isLessThan(500_000);
        assertThat(summary.figures().service().max()).isGreaterThan(900_000);
        Counts counts = summary.recording().counts(Phase.MEASURING);
        assertThat(counts.late()).isGreaterThan(150);
        assertThat(counts.lateByClient()).as("what waited for a broker that stood still").isLessThan(counts.late() / 2);
    }

    @Test
    void shouldDoTheSameOperationsFromTheSameSeed() throws Exception {
        MemoryBroker other = new MemoryBroker();
        String[] settings = {"client.clients", "2", "client.requests", "200", "client.message.size", "10..1000",
            "client.queue.choice", "zipf"};

        run(broker, "PublicQueueProducer", settings);
        run(other, "PublicQueueProducer", settings);
        List<String> operations = broker.executedBy("PublicQueueProducer_0_0");
        int common = Math.min(operations.size(), other.executedBy("PublicQueueProducer_0_0").size());

        assertThat(common).isGreaterThan(20);
        assertThat(operations.subList(0, common))
                .isEqualTo(other.executedBy("PublicQueueProducer_0_0").subList(0, common));
        other.close();
    }

    @Test
    void shouldCountEachErrorByItsKindAndGoOn() throws Exception {
        CompletableFuture<Optional<RunSummary>> running = start("PublicQueueProducer", "client.rate", "500/s",
                "client.duration", "2s");
        await(() -> broker.stored().size() > 100);
        broker.refuse(Status.OVERLOADED);
        await(() -> broker.executedBy("PublicQueueProducer_0_0").size() > 300);
        broker.refuse(null);

        RunSummary summary = running.get().orElseThrow();

        Map<String, Long> errors = summary.recording().counts(Phase.MEASURING).errors();
        assertThat(errors).containsOnlyKeys("OVERLOADED");
        assertThat(errors.get("OVERLOADED") + summary.recording().counts(Phase.MEASURING).ok()).isEqualTo(1_000);
        assertThat(summary.ledger().sent()).isEqualTo(broker.stored().size());
    }

    @Test
    void shouldGoOnWhereTheBrokerIsBackAndForgetNoArrival() throws Exception {
        CompletableFuture<Optional<RunSummary>> running = start("PublicQueueProducer", "client.rate", "200/s",
                "client.duration", "2s", "client.inflight.max", "10");
        await(() -> broker.stored().size() > 50);
        broker.connected(false);
        long cut = System.nanoTime();
        await(() -> System.nanoTime() - cut > 500_000_000);
        broker.connected(true);

        RunSummary summary = running.get().orElseThrow();

        assertThat(summary.recording().counts(Phase.MEASURING).ok()
                + summary.recording().counts(Phase.MEASURING).errorSum()).isEqualTo(400);
        assertThat(summary.recording().counts(Phase.MEASURING).late()).isGreaterThan(60);
    }

    @Test
    void shouldTellOfRequestsOfTheWarmupThatNobodyEverAnswered() throws Exception {
        CompletableFuture<Optional<RunSummary>> running = start("PublicQueueProducer", "client.clients", "3",
                "client.warmup", "1s", "client.duration", "1s", "client.timeout", "200ms");
        await(() -> broker.stored().size() > 10);
        broker.stop();

        RunSummary summary = running.get().orElseThrow();
        String json = summary.toJson().toString();
        broker.goOn();

        assertThat(summary.recording().counts(Phase.MEASURING).due()).isZero();
        assertThat(summary.recording().counts(Phase.WARMUP).errors()).containsExactly(entry("UNANSWERED", 3L));
        assertThat(json).contains("\"started\":0,\"ok\":0,\"errors\":{},"
                + "\"overdue\":{\"unanswered\":3,\"failed\":0,\"longest_s\":");
    }

    @Test
    void shouldGoOnWithTheClientsThatTheBrokerTakes() throws Exception {
        MemoryBroker small = new MemoryBroker(3);

        RunSummary summary = run(small, "PublicQueueProducer", "client.clients", "5", "client.requests", "100")
                .orElseThrow();

        assertThat(summary.who().clients()).isEqualTo(3);
        assertThat(summary.recording().counts(Phase.MEASURING).errors()).containsEntry("BROKER_FULL", 2L);
        assertThat(summary.recording().counts(Phase.MEASURING).ok()).isEqualTo(100);
        small.close();
    }

    @Test
    void shouldSayWhyWhereNoClientCanConnect() {
        MemoryBroker full = new MemoryBroker(0);

        assertThatThrownBy(() -> run(full, "PublicQueueProducer")).isInstanceOf(LoadException.class)
                .hasMessage("no client could connect to the broker in memory: at most 0 clients");
        full.close();
    }

    @Test
    void shouldLeadThroughItsPhasesAndMeasureOneOfThem() throws Exception {
        RunSummary summary = run("PublicQueueProducer", "client.rate", "100/s", "client.warmup", "500ms",
                "client.duration", "1s", "client.cooldown", "500ms").orElseThrow();

        assertThat(states()).containsExactly("connecting", "ready", "warmup", "measuring", "cooldown", "draining",
                "done");
        assertThat(summary.recording().counts(Phase.MEASURING).ok()).isEqualTo(100);
        assertThat(summary.ledger().sent()).isEqualTo(200);
    }

    @Test
    void shouldTellThePartsOfItsLoadAsTheyWere() throws Exception {
        LoadRun run = loadRun(broker, "PublicQueueProducer", "client.rate", "100/s", "client.duration", "3600400ms",
                "client.load", "before: 200ms; drain: until 1h 300/s; after: 200ms 0/s");
        CompletableFuture<Optional<RunSummary>> running = start(run);
        await(() -> run.status().contains("\"load_part\":2,"));

        assertThat(run.endPart(2, 0)).isTrue();

        RunSummary summary = running.get().orElseThrow();
        List<RunSummary.PartOfLoad> parts = summary.measuring().parts();
        assertThat(parts).extracting(RunSummary.PartOfLoad::name).containsExactly("before", "drain", "after");
        assertThat(parts.get(0).fromMillis()).isEqualTo(summary.measuring().startedMillis());
        assertThat(parts.get(1).fromMillis() - parts.get(0).fromMillis()).isEqualTo(200);
        assertThat(parts.get(2).fromMillis()).isEqualTo(parts.get(1).toMillis());
        assertThat(parts.get(2).toMillis() - parts.get(2).fromMillis()).isEqualTo(200);
        assertThat(summary.toJson().toString()).contains("\"load\":[{\"name\":\"before\",\"from_ms\":");
    }

    @Test
    void shouldWaitForTheStartThatItIsTold() throws Exception {
        LoadRun run = loadRun(broker, "PublicQueueProducer", "client.start.at", "command", "client.requests", "10");
        CompletableFuture<Optional<RunSummary>> running = start(run);
        await(() -> states().contains("ready"));
        assertThat(broker.stored()).isEmpty();

        assertThat(run.start(System.currentTimeMillis() + 200).orElseThrow()).startsWith("starts in");
        assertThat(run.start(0)).as("told already").isEmpty();

        assertThat(running.get().orElseThrow().recording().counts(Phase.MEASURING).ok()).isEqualTo(10);
    }

    @Test
    void shouldEndWithoutALoadWhereItIsShutDownBeforeTheStart() throws Exception {
        LoadRun run = loadRun(broker, "PublicQueueProducer", "client.start.at", "command");
        CompletableFuture<Optional<RunSummary>> running = start(run);
        await(() -> states().contains("ready"));

        run.shutDown();

        assertThat(running.get()).isEmpty();
        assertThat(broker.stored()).isEmpty();
    }

    @Test
    void shouldEndWhereItIsShutDownWhileItStillTriesToConnect() throws Exception {
        broker.connected(false);
        LoadRun run = loadRun(broker, "OneWayClient", "client.connect.within", "1h");
        CompletableFuture<Optional<RunSummary>> running = start(run);
        await(() -> run.status().contains("connecting"));

        run.shutDown();

        assertThat(running.get(30, TimeUnit.SECONDS)).isEmpty();
    }

    @Test
    void shouldEndTheLoadWhereItIsShutDownJustAsItStarts() throws Exception {
        for (int delayMicros = 0; delayMicros < 2_000; delayMicros += 20) {
            LoadRun run = loadRun(broker, "Echo", "client.start.at", "command", "client.duration", "1h");
            CompletableFuture<Optional<RunSummary>> running = start(run);
            await(() -> run.status().contains("ready"));
            long told = System.nanoTime();
            run.start(0);
            while (System.nanoTime() - told < delayMicros * 1_000L) {
                Thread.onSpinWait();
            }
            run.shutDown();

            running.get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldBeSteeredWhileItRuns() throws Exception {
        LoadRun run = loadRun(broker, "PublicQueueProducer", "client.rate", "100/s", "client.duration", "1h");
        assertThat(run.pause()).as("before the start").isFalse();
        CompletableFuture<Optional<RunSummary>> running = start(run);
        await(() -> broker.stored().size() > 10);

        assertThat(run.pause()).isTrue();
        await(() -> run.status().contains("measuring"));
        int paused = settled(() -> broker.stored().size());
        run.rate(new RatePlan.Constant(1_000));
        assertThat(broker.stored()).hasSize(paused);
        assertThat(run.resume()).isTrue();
        assertThat(run.clients(3)).isEqualTo(3);
        await(() -> broker.stored().size() > paused + 300);
        assertThat(run.clients(1)).isEqualTo(1);
        run.shutDown();

        RunSummary summary = running.get().orElseThrow();
        assertThat(summary.who().clients()).isEqualTo(1);
        assertThat(summary.measuring().durationSeconds()).isLessThan(60);
        assertThat(summary.ledger().sent()).isEqualTo(broker.stored().size());
        assertThat(broker.executedBy("PublicQueueProducer_0_2")).isNotEmpty();
    }

    @Test
    void shouldHaveClientsJoinStepByStep() throws Exception {
        CompletableFuture<Optional<RunSummary>> running = start("PublicQueueProducer", "client.clients", "1",
                "client.steps", "+1 clients every 200ms up to 4", "client.rate", "10/s", "client.rate.of", "client",
                "client.duration", "2s");

        RunSummary summary = running.get().orElseThrow();

        assertThat(summary.who().clients()).isEqualTo(4);
        assertThat(summary.measuring().plannedRate()).as("1 client at 10/s at first, 4 at the end")
                .isStrictlyBetween(10.0, 40.0);
    }

    @Test
    void shouldGoOnWithoutTheClientsWhosePartnersAreMissing() throws Exception {
        LoadRun run = loadRun(broker, "PairedClient", "client.clients", "2", "client.connect.within", "100ms",
                "client.steps", "+1 clients every 500ms up to 3", "client.duration", "1h");
        CompletableFuture<Optional<RunSummary>> running = start(run);
        await(() -> broker.executedBy("PairedClient_0_2").size() > 1);

        assertThatThrownBy(() -> run.clients(3)).hasMessageContaining("PairedClient_0_2 has no partner");
        assertThat(run.clients(4)).as("clients 2 and 3 are partners").isEqualTo(4);
        await(() -> broker.executedBy("PairedClient_0_3").size() > 100);
        assertThat(broker.connections()).as("those without a partner have left").isEqualTo(4);
        run.shutDown();

        RunSummary summary = running.get(30, TimeUnit.SECONDS).orElseThrow();
        assertThat(summary.who().clients()).isEqualTo(4);
        assertThat(summary.recording().counts(Phase.MEASURING).errors()).containsKey("NOT_CONNECTED");
    }

    @Test
    void shouldNotWaitAtItsEndForClientsThatCannotConnect() throws Exception {
        LoadRun run = loadRun(broker, "Subscriber", "client.clients", "1", "client.topic.matching", "2",
                "client.connect.within", "1h", "client.steps", "+1 clients every 500ms up to 2",
                "client.timeout", "100ms", "client.duration", "1h");
        CompletableFuture<Optional<RunSummary>> running = start(run);
        await(() -> run.status().contains("measuring"));
        broker.connected(false);
        await(() -> broker.connections() == 2);

        run.shutDown();

        assertThat(running.get(30, TimeUnit.SECONDS)).isPresent();
    }

    private Optional<RunSummary> run(String scenario, String... settings) throws Exception {
        return run(broker, scenario, settings);
    }

    private Optional<RunSummary> run(MemoryBroker target, String scenario, String... settings) throws Exception {
        return loadRun(target, scenario, settings).run();
    }

    private CompletableFuture<Optional<RunSummary>> start(String scenario, String... settings) {
        return start(loadRun(broker, scenario, settings));
    }

    private static CompletableFuture<Optional<RunSummary>> start(LoadRun run) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return run.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private LoadRun loadRun(MemoryBroker target, String scenario, String... settings) {
        Map<String, String> text = new HashMap<>(Map.of("common.scenario.mytype", "client",
                "common.scenario.mapping.client", scenario + "#127.0.0.1", "client.clients", "1"));
        for (int i = 0; i < settings.length; i += 2) {
            text.put(settings[i], settings[i + 1]);
        }
        return new LoadRun(Scenarios.named(scenario), Settings.of(ClientJvm.keys(), text), target, RunLogs.none(),
                progress::add);
    }

    private List<String> states() {
        return progress.stream().map(line -> line.replaceAll(".*\"state\":\"([a-z]+)\".*", "$1")).distinct().toList();
    }

    private static int settled(IntSupplier value) throws InterruptedException {
        int last = value.getAsInt();
        for (int same = 0; same < 10; same++) {
            Thread.sleep(10);
            if (value.getAsInt() != last) {
                last = value.getAsInt();
                same = 0;
            }
        }
        return last;
    }

    static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(5);
        }
    }
}
