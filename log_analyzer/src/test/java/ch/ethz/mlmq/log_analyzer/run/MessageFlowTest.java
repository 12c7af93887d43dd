package ch.ethz.mlmq.log_analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.log_analyzer.Invocation;
import ch.ethz.mlmq.log_analyzer.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MessageFlowTest {
    @TempDir
    private Path folder;

    @Test
    void shouldTellTheHighestBacklogAndWhenItIsDrained() throws Exception {
        writeClient(0, "100/s for 20s, 400/s for 10s, 100/s", new int[] {100, 400, 100}, "sent");
        writeClient(1, "150/s", new int[] {100, 150, 150}, "received");

        Invocation text = Invocation.of("experiment", "-d", folder, "-steps", "-response", "backlog");

        assertThat(text.err()).isEmpty();
        assertThat(text.out()).contains("1 x 100/s, 1 x 150/s from 30 s")
                .contains("Highest backlog: 2,500 messages, 30 s after the first phase began. At the end of the load, "
                        + "30 s after its phase, it was 1,000; in the first phase it was at most 0.");
        writeClient(1, "350/s", new int[] {100, 350, 350}, "received");
        assertThat(Invocation.of("experiment", "-d", folder, "-steps", "-fmt", "json").out())
                .contains("Highest backlog: 500 messages, 30 s after the first phase began. 1.9 s after its phase it "
                        + "was 25; in the first phase it was at most 0.")
                .contains("\"backlog [messages]\"", "\"received [1/s]\"");
    }

    /** Consumers take 350/s of the spike's 400/s, so 500 messages are left, which they then take in 2 s. */
    @Test
    void shouldMeasureHighestBacklogAndTimeToDrainOfARun() throws Exception {
        writeClient(0, "100/s for 20s, 400/s for 10s, 100/s", new int[] {100, 400, 100}, "sent");
        writeClient(1, "350/s", new int[] {100, 350, 350}, "received");

        assertThat(figures("csv")).contains("\nbacklog,messages,500,,,,too few observations,\n")
                .contains("\ndrain,us,1900000,,,,too few observations,\n");
    }

    @Test
    void shouldTellThatABacklogDidNotDrainUntilTheEnd() throws Exception {
        writeClient(0, "100/s for 20s, 400/s for 10s, 100/s", new int[] {100, 400, 100}, "sent");
        writeClient(1, "150/s", new int[] {100, 150, 150}, "received");

        assertThat(figures("csv")).contains("\nbacklog,messages,2500,,,,")
                .contains("\ndrain,us,,,,30000000,not drained by the end,\n");
        Invocation compared = Invocation.of("compare", folder, folder, "-metric", "drain", "--fail-if", "drain > 10 s");
        assertThat(compared.exitCode()).isEqualTo(3);
        assertThat(compared.err()).contains("drain is > 30000000 us");
    }

    @Test
    void shouldHaveABacklogButNoTimeToDrainWithoutPhases() throws Exception {
        writeClient(0, "100/s", new int[] {100, 100, 100}, "sent");
        writeClient(1, "50/s", new int[] {50, 50, 50}, "received");

        assertThat(figures("csv")).contains("\nbacklog,messages,3000,").doesNotContain("drain");
    }

    @Test
    void shouldMeasureTheTimeToDrainBehindAShortFirstPhaseOrOneWithoutLoad() throws Exception {
        writeClient(0, "100/s for 4s, 100/s for 16s, 400/s for 10s, 100/s", new int[] {100, 400, 100}, "sent");
        writeClient(1, "350/s", new int[] {100, 350, 350}, "received");
        assertThat(figures("csv")).contains("\ndrain,us,1900000,");

        writeClient(0, "0/s for 20s, 400/s for 10s, 100/s", new int[] {0, 400, 100}, "sent");
        writeClient(1, "", new int[] {0, 250, 250}, "received");
        assertThat(figures("csv")).contains("\nbacklog,messages,1500,").contains("\ndrain,us,9900000,");
    }

    @Test
    void shouldTellNoTimeToDrainIfTheLastPhaseIsTheSpike() throws Exception {
        writeClient(0, "100/s for 20s, 400/s", new int[] {100, 400, 400}, "sent");
        writeClient(1, "100/s", new int[] {100, 100, 100}, "received");

        assertThat(figures("csv")).contains("\nbacklog,messages,3000,").doesNotContain("drain");
    }

    @Test
    void shouldTellWhyATimeToDrainIsMissing() throws Exception {
        writeClient(0, "100/s for 20s, 400/s", new int[] {100, 400, 400}, "sent");
        writeClient(1, "100/s", new int[] {100, 100, 100}, "received");
        assertThat(drain()).contains("\ndrain,us,,,,,no phase of the load follows the one with the highest backlog,");

        writeClient(0, "100/s for 20s, 400/s for 10s, 100/s", new int[] {100, 400, 100}, "sent");
        writeClient(1, "350/s", new int[] {100, 350, 350}, "received");
        assertThat(drain()).contains("\ndrain,us,1900000,");
        for (int client = 0; client < 2; client++) {
            Files.writeString(folder.resolve("client_" + client).resolve("summary_client_" + client + ".json"),
                    "{\"started_ms\": " + (LogLines.START + client * 5_000) + ", \"duration_s\": 55, \"clients\": 10}");
        }
        assertThat(drain()).contains("\ndrain,us,,,,,the client JVMs did not begin the phases of their load together,");

        Files.delete(folder.resolve("client_0/gauges_client_0.csv"));
        assertThat(drain()).contains("\ndrain,us,,,,,a client JVM did not count its messages in each second,");
    }

    private String drain() {
        Invocation told = Invocation.of("figures", folder, "-metric", "drain", "-fmt", "csv");
        assertThat(told.exitCode()).as(told.err()).isZero();
        return told.out();
    }

    private String figures(String format) throws Exception {
        return Invocation.of("figures", folder, "-fmt", format).out();
    }

    /** Of 100 requests 93 take 1 ms, 3 take 500 ms, and 4 fail: the 95th of all takes 500 ms. */
    @Test
    void shouldCountFailedRequestsInThePercentilesOfAStep() throws Exception {
        writeClient(0, "100/s for 20s, 400/s", new int[] {100, 400, 400}, "sent");
        LogLines log = LogLines.inMicroseconds();
        for (int i = 0; i < 6_000; i++) {
            log.add(i % 33 == 0 ? 500_000 : 1_000, 10 * i + 500, i % 25 == 1 ? "CSndReq#TIMEOUT#a" : "CSndReq#OK#a");
        }
        log.writeTo(folder.resolve("client_0/performance_client_0.log"));

        assertThat(Invocation.of("experiment", "-d", folder, "-steps", "-fmt", "csv").out())
                .contains("p50 [ms],1,", "p95 [ms],500,").doesNotContain("p99");
    }

    @Test
    void shouldNotTellABacklogWithoutPhases() throws Exception {
        writeClient(0, "100/s", new int[] {100, 400, 100}, "sent");

        assertThat(Invocation.of("experiment", "-d", folder, "-steps").err()).contains("has no steps");
    }

    /** @param rates of messages in 0..20, 20..30 and 30..60 s; no more are received than were sent */
    private void writeClient(int number, String rate, int[] rates, String counted) throws IOException {
        Path client = folder.resolve("client_" + number);
        LogLines log = LogLines.inMicroseconds();
        StringBuilder gauges = new StringBuilder("ms,clients,").append(counted)
                .append(counted.equals("sent") ? ",received\n" : ",sent\n");
        int count = 0;
        for (int second = 0; second <= 60; second++) {
            gauges.append(second * 1000).append(",10,").append(Math.min(count, sentBy(second))).append(",0\n");
            count += rates[second < 20 ? 0 : second < 30 ? 1 : 2];
            for (int i = 0; i < 10; i++) {
                log.add(1_000, second * 1_000 + 100 * i, "CSndReq#OK#send");
            }
        }
        log.writeTo(client.resolve("performance_client_" + number + ".log"));
        Files.writeString(client.resolve("gauges_client_" + number + ".csv"), gauges);
        Files.writeString(client.resolve("config.properties"), "client.rate=" + rate + "\n");
    }

    private static int sentBy(int second) {
        return 100 * second + 300 * Math.max(0, Math.min(second, 30) - 20);
    }
}
