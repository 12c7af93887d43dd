package ch.ethz.mlmq.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ch.ethz.mlmq.agent.AgentRunner;
import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientLoop;
import ch.ethz.mlmq.config.Role;
import ch.ethz.mlmq.log.LogHeader;
import ch.ethz.mlmq.log.LogStart;
import ch.ethz.mlmq.log.PerformanceLog;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the stages of requests in the performance log of a real run: a stage within another is not longer than it. */
class NestedTimesTest {
    private static final int REQUESTS = 2_000;
    private static final Pattern BATCH = Pattern.compile(" N\\[(\\d+)]");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"2,512,1", "4,1,1", "0,512,1", "2,64,3"})
    void shouldAddUp(int workers, int batchMax, int ioThreads) throws Exception {
        List<Map<String, Long>> requests = run(Map.of("broker.workers", Integer.toString(workers), "broker.batch.max",
                Integer.toString(batchMax), "broker.io.threads", Integer.toString(ioThreads),
                "broker.db.connections", "2"), 1);

        assertThat(requests.size()).isGreaterThanOrEqualTo(2 * REQUESTS);
        assertThat(requests).extracting(stages -> stages.get("N")).allMatch(n -> n >= 1 && n <= batchMax)
                .as("some were executed together").anyMatch(n -> n > 1 || batchMax == 1);
        for (Map<String, Long> stages : requests) {
            assertThat(stages.get("BQueue") + stages.get("BProcReq") + stages.get("BRespQueue"))
                    .as("%s", stages).isLessThanOrEqualTo(stages.get("BTotReqResp"));
            assertThat(stages.get("BPool") + stages.get("BDb"))
                    .as("%s", stages).isLessThanOrEqualTo(stages.get("BProcReq"));
        }
    }

    @Test
    void shouldCountTheWaitForAMessageThatDidNotComeAsSuch() throws Exception {
        Map<String, Long> nanos = new ConcurrentHashMap<>();
        try (Broker broker = TestBroker.start(Map.of("broker.storage", "memory", "broker.wait.poll", "60s"),
                (action, start, end, clients, service) -> nanos.put(action.name(), end - start));
                Client client = TestBroker.client(broker.port(), "alice")) {
            assertThat(client.dequeueMessage(MessageQuery.any().waiting(500))).isEmpty();
        }
        assertThat(nanos.get("BWait")).isGreaterThan(nanos.get("BRespQueue"));
    }

    @Test
    void shouldRecordASampleOfTheRequestsWithAllTheirStages() throws Exception {
        List<Map<String, Long>> requests = run(Map.of("common.performancelogger.sample", "10"), 10);

        double expected = 2 * REQUESTS / 10.0;
        assertThat((double) requests.size()).isCloseTo(expected, within(8 * Math.sqrt(expected)));
        assertThat(requests).allMatch(stages -> stages.containsKey("BDb"));
    }

    private List<Map<String, Long>> run(Map<String, String> settings, int sample) throws Exception {
        Path file = folder.resolve("performance.log");
        LogHeader header = new LogHeader("Broker", Role.BROKER, 0, 0, sample, LogStart.now(), List.of());
        PerformanceLog log = PerformanceLog.open(file, header, 1 << 20);
        AgentRunner runner = AgentRunner.start(log, Duration.ofMillis(1));
        try (TestDatabase database = new TestDatabase()) {
            Map<String, String> all = new HashMap<>(settings);
            all.putAll(database.settings());
            // One connection sends all requests at once; on a slow machine the last ones wait for long.
            all.put("broker.db.timeout", "60s");
            try (Broker broker = TestBroker.start(all, log); ClientLoop loop = ClientLoop.start("clients")) {
                load(broker, loop);
            }
        } finally {
            runner.close();
        }
        return read(file);
    }

    private static void load(Broker broker, ClientLoop loop) throws Exception {
        AsyncClient client = TestBroker.async(loop, broker.port(), "alice");
        int queue = client.createQueue("jobs").get(30, TimeUnit.SECONDS);
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            all.add(client.sendMessage(queue, new byte[10], 5));
            all.add(client.dequeueMessage(MessageQuery.queue(queue)));
        }
        for (CompletableFuture<?> each : all) {
            each.get(60, TimeUnit.SECONDS);
        }
    }

    /** The stages of requests that asked the database; a request's lines stand together, BTotReqResp being the last. */
    private static List<Map<String, Long>> read(Path file) throws Exception {
        List<Map<String, Long>> requests = new ArrayList<>();
        Map<String, Long> stages = new HashMap<>();
        for (String line : Files.readAllLines(file)) {
            String[] fields = line.split(";");
            if (fields.length == 4) {
                stages.put(fields[2].split("#")[0], Long.parseLong(fields[0]));
                Matcher batch = BATCH.matcher(fields[3]);
                if (batch.find()) {
                    assertThat(fields[2]).startsWith("BProcReq#");
                    stages.put("N", Long.parseLong(batch.group(1)));
                }
                if (fields[2].equals("BTotReqResp")) {
                    if (stages.containsKey("BDb")) {
                        requests.add(stages);
                    }
                    stages = new HashMap<>();
                }
            }
        }
        assertThat(Files.readAllLines(file)).last().isEqualTo("# dropped 0");
        return requests;
    }
}
