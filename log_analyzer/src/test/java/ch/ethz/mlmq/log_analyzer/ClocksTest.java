package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages that are sent on one machine and received on another, whose clocks differ. */
class ClocksTest {
    private static final String CLOCKS = "the clocks of the clients' machines ";
    private static final int SECONDS = 20;

    @TempDir
    private Path folder;

    @Test
    void shouldWidenTheIntervalByTheErrorsOfTheTwoWorstClocks() throws Exception {
        Path run = run("run", 7_000, "0.5", "0.25", "1.5");

        List<String> lines = Invocation.of("figures", run, "-fmt", "csv").lines();

        assertThat(lines.get(0)).isEqualTo("figure,unit,value,low,high,at_least,reason,clock_error");
        assertThat(lines).contains("e2e_p50,us,7000,5000,9000,,,2000", "e2e_p99,us,7000,5000,9000,,,2000");
        assertThat(Invocation.of("figures", run, "-fmt", "json", "-metric", "e2e_p50").out())
                .contains("\"clock_error\":2000");
    }

    @Test
    void shouldAddHowFarAClockWasFromTheOffsetThatItsClientUsed() throws Exception {
        Path run = run("run", 7_000, "0.5", "0.25", "1.5");
        amend(run.resolve("environment.json"), "\"clock_offset_ms\":40", "\"clock_offset_ms\":38");

        assertThat(Invocation.of("figures", run, "-fmt", "csv").out()).contains("\ne2e_p50,us,7000,3000,11000,,,4000");
    }

    @Test
    void shouldGiveNoTimeBelowZero() throws Exception {
        assertThat(Invocation.of("figures", run("run", 2_000, "1", "1", "0"), "-fmt", "csv").out())
                .contains("\ne2e_p50,us,2000,0,4000,,,2000");
    }

    @Test
    void shouldNotTellATimeBelowTheErrorOfTheClocks() throws Exception {
        Path run = run("run", 1_999, "1", "1", "0");

        assertThat(Invocation.of("figures", run, "-fmt", "csv").out())
                .contains("\ne2e_p50,us,,,,," + CLOCKS + "are known less exactly than this time,2000");
        assertThat(Invocation.of("compare", run, run, "--fail-if", "e2e_p99 < 1 ms").exitCode())
                .as("a limit of a figure that nobody knows").isEqualTo(3);
    }

    @Test
    void shouldNotTellATimeByClocksThatNobodyCompared() throws Exception {
        Path unknown = run("unknown", 7_000, "0.5", "null", "0");
        Path uncorrected = run("uncorrected", 7_000, "0.5", "0.5", "0");
        amend(uncorrected.resolve("logs/m2/client_1/summary_client_1.json"), ",\"clock_offset_ms\":-3", "");

        for (Path run : List.of(unknown, uncorrected)) {
            assertThat(Invocation.of("figures", run, "-fmt", "csv").out())
                    .contains("\ne2e_p99,us,,,,," + CLOCKS + "were not compared,\n");
        }
    }

    @Test
    void shouldNeedNoSecondClockWhereEachJvmReceivesItsOwnMessages() throws Exception {
        Path run = run("run", 7_000, "null", "null", "null");
        for (int position = 0; position < 3; position++) {
            Path summary = run.resolve("logs/m%d/client_%d/summary_client_%2$d.json".formatted(position + 1, position));
            if (position == 2) {
                assertThat(Invocation.of("figures", run, "-fmt", "csv").out()).as("one receives from all")
                        .contains("\ne2e_p50,us,,,,,");
            }
            amend(summary, "\"role\"", "\"pairing\":\"own\",\"role\"");
        }

        assertThat(Invocation.of("figures", run, "-fmt", "csv").out()).contains("\ne2e_p50,us,7000,7000,7000,,,\n");
    }

    @Test
    void shouldAddTheErrorsOfBothRunsToTheirDifference() throws Exception {
        Path before = run("before", 7_000, "0.5", "0.5", "0");
        Path slower = run("slower", 9_000, "0.5", "0.5", "0");
        Path slow = run("slow", 9_001, "0.5", "0.5", "0");
        Path unknown = run("unknown", 9_000, "0.5", "null", "0");

        assertThat(Invocation.of("compare", before, slower, "-metric", "e2e_p50", "-fmt", "csv").lines().get(1))
                .startsWith("slower,e2e_p50,us,7000,9000,2000,0,4000,").endsWith(",within noise");
        assertThat(Invocation.of("compare", before, slow, "-metric", "e2e_p50", "-fmt", "csv").lines().get(1))
                .startsWith("slow,e2e_p50,us,7000,9001,2001,1,4001,").endsWith(",worse");
        assertThat(Invocation.of("compare", before, unknown, "-fmt", "csv").lines())
                .anyMatch(line -> line.startsWith("unknown,e2e_p50,us,7000,,")
                        && line.endsWith(CLOCKS + "were not compared,no interval"));
    }

    @Test
    void shouldTellTheErrorOfRepetitionsOnce() throws Exception {
        String repetitions = run("a", 7_000, "1", "1", "0") + "," + run("b", 7_000, "0.5", "0.5", "0");

        assertThat(Invocation.of("figures", repetitions, "-fmt", "csv").lines())
                .contains("e2e_p50,us,7000,5500,8500,,,1500");
    }

    /**
     * Writes a run of three client JVMs on as many machines, whose clocks are 40 ms ahead, 3 ms behind, and right.
     *
     * @param micros each message takes
     * @param errors of the clocks [ms]
     */
    private Path run(String name, int micros, String... errors) throws IOException {
        String[] offsets = {"40", "-3", "0"};
        Path run = folder.resolve(name);
        StringBuilder machines = new StringBuilder();
        for (int position = 0; position < offsets.length; position++) {
            String jvm = "client_" + position;
            long clock = Long.parseLong(offsets[position]);
            Path files = run.resolve("logs/m" + (position + 1) + "/" + jvm);
            LogLines log = new LogLines().line("MLMQ performance log Scenario[Mix] Role[client] Position[" + position
                    + "] Clients[5] Unit[us] Started[" + (LogLines.START + clock) + "]");
            for (int i = 0; i < SECONDS * 100; i++) {
                log.add(1_000, i * 10L + 9 + clock, "CSndReq#OK#dequeueMessage");
                log.add(micros, i * 10L + 9 + clock, "CE2E#dequeueMessage");
            }
            log.writeTo(files.resolve("performance_" + jvm + ".log"));
            Files.writeString(files.resolve("summary_" + jvm + ".json"), """
                    {"role":"client","position":%d,"started_ms":%d,"duration_s":%d,"ok":2000,"late":0,"errors":{},
                    "messages":{"sent_rate":100,"received_rate":100,"takes":2000,"empty_takes":0},
                    "e2e":{"sent":2000,"count":2000,"clock_offset_ms":%s}}""".formatted(position,
                    LogLines.START + clock, SECONDS, offsets[position]));
            machines.append("""
                    %s{"name":"m%d","clock_offset_ms":%s,"clock_error_ms":%s,"jvms":[{"name":"%s"}]}"""
                    .formatted(position == 0 ? "" : ",", position + 1, offsets[position], errors[position], jvm));
        }
        Files.writeString(run.resolve("environment.json"), "{\"name\":\"" + name + "\",\"machines\":[" + machines
                + "]}");
        return run;
    }

    private static void amend(Path file, String text, String replacement) throws IOException {
        String content = Files.readString(file);
        assertThat(content).contains(text);
        Files.writeString(file, content.replace(text, replacement));
    }
}
