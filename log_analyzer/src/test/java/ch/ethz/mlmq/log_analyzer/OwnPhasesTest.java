package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures of client JVMs that did not measure at the same time are about the time that all share. */
class OwnPhasesTest {
    private static final int SHORT = 20;

    @TempDir
    private Path folder;

    /** The second JVM goes on for 40 s at ten times the rate; then takes are empty, and requests fail. */
    @Test
    void shouldTellMessagesAndErrorsOfTheTimeThatAllClientsShare() throws Exception {
        writeClient(0, SHORT, 0);
        writeClient(1, 60, 0);

        String figures = Invocation.of("figures", folder, "-fmt", "csv").out();

        assertThat(figures).contains("throughput,1/s,200,", "sent,1/s,200,", "received,1/s,200,", "empty_takes,%,0,",
                "errors,%,0,").doesNotContain("e2e");
        assertThat(Invocation.of("check", "-d", folder).out()).contains("good     Logs and summaries agree");
    }

    @Test
    void shouldRejectALogThatLacksLinesOfItsOwnPhase() throws Exception {
        writeClient(0, SHORT, 0);
        writeClient(1, 60, 3_000);

        assertThat(Invocation.of("check", "-d", folder).out())
                .contains("Logs and summaries agree         client_1: 39,000 by its log, 42,000 by its summary");
    }

    @Test
    void shouldCountMessagesThatNobodyReceivedAsLongest() throws Exception {
        writeClient(0, SHORT, 0);
        Path summary = folder.resolve("m1/client_0/summary_client_0.json");
        Files.writeString(summary, Files.readString(summary).replace("\"count\":1900", "\"count\":0"));
        Path log = summary.resolveSibling("performance_client_0.log");
        Files.writeString(log, Files.readString(log).replaceAll("(?m)^.*CE2E.*\n", ""));

        assertThat(Invocation.of("figures", folder, "-fmt", "csv").out()).contains("\ne2e_p50,us,,,,0,");
        assertThat(Invocation.of("compare", folder, folder, "--fail-if", "e2e_p99 > 50 ms").exitCode()).isEqualTo(3);
    }

    /** @param lacking lines that its log lacks in its last 10 s */
    private void writeClient(int position, int seconds, int lacking) throws IOException {
        Path files = folder.resolve("m1/client_" + position);
        String number = "client_" + position;
        LogLines log = new LogLines().line("MLMQ performance log Scenario[Mix] Role[client] Position[" + position
                + "] Clients[5] Unit[us] Started[" + (LogLines.START - 1_000) + "]");
        StringBuilder gauges = new StringBuilder("ms,clients,sent,received,takes,empty_takes\n");
        int ok = 0;
        for (int second = 0; second <= seconds; second++) {
            int sent = 100 * Math.min(second, SHORT) + 1_000 * Math.max(0, second - SHORT);
            gauges.append("%d,5,%d,%d,%d,%d\n".formatted(1_000 + second * 1_000, sent, sent, sent,
                    Math.max(0, sent - 100 * SHORT)));
            int rate = second == seconds ? 0 : second < SHORT ? 100 : 1_000;
            ok += rate;
            int kept = second >= seconds - 10 ? rate - lacking / 10 : rate;
            for (int i = 0; i < kept; i++) {
                log.add(1_000, second * 1_000L + i * 1_000L / rate + 1, "CSndReq#OK#send");
            }
            if (rate > 0) {
                log.add(1_000, second * 1_000L + 500, "CE2E#dequeueMessage");
            }
        }
        log.writeTo(files.resolve("performance_" + number + ".log"));
        Files.writeString(files.resolve("gauges_" + number + ".csv"), gauges);
        Files.writeString(files.resolve("summary_" + number + ".json"), """
                {"role":"client","position":%d,"clients":5,"started_ms":%d,"duration_s":%d,"ok":%d,"late":0,\
                "errors":{"NOT_STARTED":%d},"bottleneck":false,\
                "messages":{"sent_rate":%d,"received_rate":%d,"takes":%d,"empty_takes":%d},\
                "e2e":{"sent":2000,"count":1900}}""".formatted(position, LogLines.START, seconds, ok,
                seconds == SHORT ? 0 : 500, ok / seconds, ok / seconds, ok, ok - 100 * SHORT));
    }
}
