package ch.ethz.mlmq.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ch.ethz.mlmq.scenario.pacing.Phase;
import ch.ethz.mlmq.scenario.recording.Counts;
import ch.ethz.mlmq.scenario.recording.RunSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checks the client's measurements against a real broker process. */
@Timeout(120)
class HonestTimesTest {
    private static final Pattern LINE = Pattern.compile("(\\d+);(\\d+);CSndReq#OK#echo;C\\[\\d+\\] S\\[(\\d+)\\]");

    /** Indices of a line's times: since the intended start, and since the actual one [us]. */
    private static final int INTENDED = 1;
    private static final int ACTUAL = 3;

    @TempDir
    static Path folder;
    private static MlmqProcess broker;

    @BeforeAll
    static void startBroker() throws Exception {
        broker = MlmqProcess.broker(folder.resolve("broker"), "--port", "0", "--storage", "memory");
    }

    @AfterAll
    static void stopBroker() throws Exception {
        broker.close();
    }

    @Test
    void shouldHoldALowAndAHighRate() throws Exception {
        CompletableFuture<RunSummary> low = Loads.start("Echo", broker.address(), folder.resolve("low"),
                "clients", "10", "rate", "100/s", "warmup", "1s", "duration", "10s", "timeout", "10s");
        CompletableFuture<RunSummary> high = Loads.start("Echo", broker.address(), folder.resolve("high"),
                "clients", "50", "rate", "5000/s", "warmup", "1s", "duration", "10s", "timeout", "10s");

        assertThat(low.get().rate()).as(low.get().toJson().toString()).isEqualTo(100, within(1.0));
        assertThat(high.get().rate()).as(high.get().toJson().toString()).isEqualTo(5_000, within(50.0));
        assertThat(startedWithin(folder.resolve("high"), high.get(), INTENDED)).as("to start in the very ten seconds")
                .isCloseTo(50_000L, within(100L));
        // A machine that is too busy for the load starts requests late, into or out of the ten seconds, and says so.
        assertThat(startedWithin(folder.resolve("high"), high.get(), ACTUAL)).as("started in the very ten seconds")
                .isCloseTo(50_000L, within(500 + late(high.get())));
        assertThat(high.get().recording().counts(Phase.MEASURING).errors()).isEmpty();
    }

    @Test
    void shouldShowAPauseOfTheBrokerInResponseTimesOnly() throws Exception {
        Path logs = folder.resolve("stopped");
        CompletableFuture<RunSummary> load = Loads.start("Echo", broker.address(), logs, "clients", "2",
                "rate", "200/s", "warmup", "2s", "duration", "8s", "timeout", "10s", "late.after", "100ms");
        MlmqProcess.until("it measures", () -> load.isDone() || Files.exists(logs.resolve("client_0.hlog"))
                && Files.size(logs.resolve("performance_client_0.log")) > 30_000);
        broker.signal("STOP");
        long stopped = System.nanoTime();
        MlmqProcess.until("2 s are over", () -> System.nanoTime() - stopped > 2_000_000_000L);
        broker.signal("CONT");

        RunSummary summary = load.get();

        Counts counts = summary.recording().counts(Phase.MEASURING);
        assertThat(counts.ok()).as("nothing is left out").isEqualTo(1_600);
        assertThat(delayed(logs)).as("200/s for 2 s, less those in its last 50 ms").isGreaterThan(370);
        assertThat(summary.figures().response().p99()).isGreaterThan(1_500_000);
        assertThat(summary.figures().service().p99()).isLessThan(500_000);
        assertThat(counts.late()).as("200/s for 1.9 s").isGreaterThan(350);
        assertThat(counts.lateByClient()).as("what waited for a broker that stood still").isLessThan(counts.late() / 2);
    }

    @Test
    void shouldWriteHistogramsThatAddUpToWhatWasMeasured() throws Exception {
        Path logs = folder.resolve("histograms");
        RunSummary summary = Loads.start("Echo", broker.address(), logs, "clients", "4", "rate", "500/s", "warmup",
                "500ms", "duration", "2500ms", "cooldown", "300ms").get();

        Histogram response = new Histogram(3);
        Histogram service = new Histogram(3);
        Histogram others = new Histogram(3);
        HistogramLogReader reader = new HistogramLogReader(logs.resolve("client_0.hlog").toFile());
        while (reader.hasNext()) {
            Histogram interval = (Histogram) reader.nextIntervalHistogram();
            String tag = interval.getTag();
            assertThat(tag).isIn("echo", "echo:service", "warmup:echo", "warmup:echo:service", "cooldown:echo",
                    "cooldown:echo:service");
            (tag.equals("echo") ? response : tag.equals("echo:service") ? service : others).add(interval);
        }
        assertThat(others.getTotalCount()).as("of warm-up and cool-down, both times").isCloseTo(800, within(4L));
        assertThat(response.getTotalCount()).isEqualTo(1_250);
        assertThat(service.getTotalCount()).isEqualTo(1_250);
        assertThat(response.getValueAtPercentile(99)).isEqualTo(summary.figures().response().p99());
        assertThat(service.getMaxValue()).isEqualTo(summary.figures().service().max());
    }

    @Test
    void shouldDriveAThousandClients() throws Exception {
        RunSummary summary = Loads.start("Echo", broker.address(), folder.resolve("thousand"), "clients", "1000",
                "think.time",
                "exponential 200ms", "duration", "3s", "timeout", "10s", "connect.within", "60s").get();

        assertThat(summary.who().clients()).isEqualTo(1_000);
        assertThat(summary.recording().counts(Phase.MEASURING).ok()).isGreaterThan(3_000);
        assertThat(summary.recording().counts(Phase.MEASURING).errors()).isEmpty();
    }

    private static long late(RunSummary summary) {
        return Stream.of(Phase.WARMUP, Phase.MEASURING).map(summary.recording()::counts).mapToLong(Counts::late).sum();
    }

    /** @return requests whose intended or actual start lies in the measuring phase, by the performance log */
    private static long startedWithin(Path logs, RunSummary summary, int since) throws IOException {
        long from = summary.measuring().startedMillis();
        long to = from + Math.round(summary.measuring().durationSeconds() * 1e3);
        return lines(logs).stream().filter(line -> {
            long startMillis = Long.parseLong(line.group(2)) - Long.parseLong(line.group(since)) / 1_000;
            return startMillis >= from && startMillis < to;
        }).count();
    }

    /** @return requests that took over 50 ms from their intended start, by the performance log */
    private static long delayed(Path logs) throws IOException {
        return lines(logs).stream().filter(line -> Long.parseLong(line.group(1)) > 50_000).count();
    }

    private static List<Matcher> lines(Path logs) throws IOException {
        try (var lines = Files.lines(logs.resolve("performance_client_0.log"))) {
            return lines.map(LINE::matcher).filter(Matcher::matches).toList();
        }
    }
}
