package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.scenario.jvm.ClientJvm;
import ch.ethz.mlmq.scenario.pacing.Phase;
import ch.ethz.mlmq.scenario.recording.RunSummary;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Load clients that acknowledge what they take in each of the ways of MLMQ. */
@Timeout(120)
class AcknowledgedLoadTest {
    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    @OnEveryStorage
    void shouldTakeEachMessageOnceInEachWay(StorageKind storage) throws Exception {
        String broker = BROKERS.start(storage, Map.of());
        for (String way : List.of("each", "batch", "none")) {
            for (String many : List.of("1", "10")) {
                load(broker, "Fill", "requests", "200");

                RunSummary taken = load(broker, "PublicQueueConsumer", "requests", "300", "batch.take", many,
                        "inflight.max", "3", "driver.acknowledge", way);

                assertThat(taken.recording().counts(Phase.MEASURING).errors()).as(way).isEmpty();
                assertThat(taken.ledger().received()).as(way).isEqualTo(200);
                Client other = BROKERS.clientAt(broker);
                other.register(BROKERS.name("other"));
                assertThat(other.queueLength(other.lookupQueue("queue1"))).as(way)
                        .isEqualTo(new Response.QueueLength(0, 0));
            }
        }
    }

    /** What another client had leased, and did not acknowledge, is delivered again. */
    @OnEveryStorage
    void shouldTimeEachMessageThatIsTakenThoughItIsDeliveredAgain(StorageKind storage) throws Exception {
        for (String way : List.of("none", "each", "batch")) {
            String broker = BROKERS.start(storage, Map.of());
            Client lost = BROKERS.clientAt(broker);
            lost.register(BROKERS.name("lost"));
            int queue = lost.createQueue("queue1");
            FutureTask<RunSummary> mix = new FutureTask<>(() -> load(broker, "Mix", "mix", "send:1,dequeue:1", "rate",
                    "200/s", "requests", "600", "driver.acknowledge", way));
            new Thread(mix, "load").start();
            for (int leased = 0; leased < 10;) {
                leased += lost.receiveMessages(MessageQuery.queue(queue), 10, 100).size();
            }

            RunSummary summary = mix.get();
            assertThat(summary.figures().endToEnd().count()).as(way)
                    .isEqualTo(summary.recording().messages(Phase.MEASURING).received());
            lost.deleteQueue(queue, false);
            BROKERS.stop(broker);
        }
    }

    private static RunSummary load(String broker, String scenario, String... settings) throws Exception {
        Map<String, String> text = new HashMap<>(Map.of("common.scenario.mytype", "client",
                "common.scenario.mapping.broker", "Broker#" + broker, "client.timeout", "2s", "client.queues", "1",
                "client.clients", "2", "client.warmup", "0", "client.duration", "30s",
                "common.scenario.mapping.client", scenario + "#127.0.0.1", "common.commandofile.path", ""));
        for (int i = 0; i < settings.length; i += 2) {
            text.put("client." + settings[i], settings[i + 1]);
        }
        return new ClientJvm(Settings.of(ClientJvm.keys(), text)).runWithoutLogs(line -> { }).orElseThrow();
    }
}
