package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.scenario.jvm.ClientJvm;
import ch.ethz.mlmq.scenario.pacing.Phase;
import ch.ethz.mlmq.scenario.recording.RunSummary;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Load clients to which messages are pushed. */
@Timeout(120)
class ConsumedLoadTest {
    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    @OnEveryStorage
    void shouldTakeEachMessageThatIsPushedOnce(StorageKind storage) throws Exception {
        String broker = BROKERS.start(storage, Map.of());
        load(broker, "Fill", "requests", "200").get();

        RunSummary taken = load(broker, "PublicQueueConsumer", "requests", "201", "driver.take", "consume",
                "driver.prefetch", "10").get();

        assertThat(taken.recording().counts(Phase.MEASURING).errors()).isEmpty();
        assertThat(taken.ledger().received()).isEqualTo(200);
        assertEmpty(broker);
    }

    @OnEveryStorage
    void shouldTakeManyPushedMessagesAtOnceForGood(StorageKind storage) throws Exception {
        String broker = BROKERS.start(storage, Map.of());
        load(broker, "Fill", "requests", "200").get();

        RunSummary taken = load(broker, "PublicQueueConsumer", "duration", "4s", "batch.take", "10", "driver.take",
                "consume", "driver.prefetch", "20").get();

        assertThat(taken.recording().counts(Phase.MEASURING).errors()).isEmpty();
        assertThat(taken.ledger().received()).isEqualTo(200);
        assertEmpty(broker);
    }

    @OnEveryStorage
    void shouldAcknowledgeWhatIsPushedUnderLeases(StorageKind storage) throws Exception {
        String broker = BROKERS.start(storage, Map.of());
        load(broker, "Fill", "requests", "200").get();

        RunSummary taken = load(broker, "Worker", "batch", "5", "duration", "4s", "driver.take", "consume",
                "driver.prefetch", "20").get();

        assertThat(taken.recording().counts(Phase.MEASURING).errors()).isEmpty();
        assertThat(taken.ledger().received()).isEqualTo(200);
        assertEmpty(broker);
    }

    @OnEveryStorage
    void shouldGiveBackWhatWasPushedAndNotTaken(StorageKind storage) throws Exception {
        String broker = BROKERS.start(storage, Map.of());
        load(broker, "Fill", "requests", "200").get();

        RunSummary taken = load(broker, "PublicQueueConsumer", "requests", "50", "driver.take", "consume",
                "driver.prefetch", "100").get();

        assertThat(left(broker)).isEqualTo(new Response.QueueLength(200 - taken.ledger().received(), 0));
        load(broker, "PublicQueueConsumer", "duration", "3s", "driver.take", "consume").get();
        assertEmpty(broker);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "5"})
    void shouldGoOnWhereTheConnectionIsLostBeforeAnAcknowledgementIsAnswered(String batch) throws Exception {
        String broker = BROKERS.start(StorageKind.MEMORY, Map.of());
        load(broker, "Fill", "requests", "200").get();
        try (CuttingProxy proxy = new CuttingProxy(broker)) {
            CompletableFuture<RunSummary> working = load(proxy.address(), "Worker", "batch", batch, "duration", "8s",
                    "think.time", "30ms", "driver.take", "consume", "driver.prefetch", "10");
            BROKERS.until("it works", () -> count(broker) < 200);
            proxy.loseAnswers();
            BROKERS.until("a response is lost", () -> proxy.lostBytes() > 0);
            proxy.cut();
            long atTheCut = count(broker);

            RunSummary worked = working.get();
            assertThat(worked.recording().counts(Phase.MEASURING).errors()).containsKey("CONNECTION_LOST")
                    .doesNotContainKey("UNANSWERED");
            assertThat(worked.ledger().unansweredDequeues()).isPositive();
            assertThat(count(broker)).isLessThan(atTheCut - 10);
        }
    }

    @Test
    void shouldRefuseCreditsThatTheProtocolDoesNotHave() {
        assertThatThrownBy(() -> load("localhost:1", "Mix", "driver.take", "consume", "driver.prefetch", "1001"))
                .isInstanceOf(ConfigurationException.class).hasMessageContaining("are at most 1000 then, not 1001");
        assertThatThrownBy(() -> load("localhost:1", "Mix", "driver.prefetch", "5"))
                .isInstanceOf(ConfigurationException.class).hasMessageContaining("needs client.driver.take=consume");
    }

    private static long count(String broker) {
        Response.QueueLength left = left(broker);
        return left.ready() + left.leased();
    }

    private static void assertEmpty(String broker) {
        assertThat(left(broker)).isEqualTo(new Response.QueueLength(0, 0));
    }

    /** @return what both queues hold together */
    private static Response.QueueLength left(String broker) {
        Client other = BROKERS.clientAt(broker);
        other.register(BROKERS.name("other"));
        Response.QueueLength first = other.queueLength(other.lookupQueue("queue1"));
        Response.QueueLength second = other.queueLength(other.lookupQueue("queue2"));
        return new Response.QueueLength(first.ready() + second.ready(), first.leased() + second.leased());
    }

    private static CompletableFuture<RunSummary> load(String broker, String scenario, String... settings) {
        Map<String, String> text = new HashMap<>(Map.of("common.scenario.mytype", "client",
                "common.scenario.mapping.broker", "Broker#" + broker, "client.timeout", "2s", "client.queues", "2",
                "client.clients", "2", "client.warmup", "0", "client.duration", "30s",
                "common.scenario.mapping.client", scenario + "#127.0.0.1", "common.commandofile.path", ""));
        for (int i = 0; i < settings.length; i += 2) {
            text.put("client." + settings[i], settings[i + 1]);
        }
        ClientJvm jvm = new ClientJvm(Settings.of(ClientJvm.keys(), text));
        return CompletableFuture.supplyAsync(() -> {
            try {
                return jvm.runWithoutLogs(line -> { }).orElseThrow();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }, command -> new Thread(command, scenario).start());
    }
}
