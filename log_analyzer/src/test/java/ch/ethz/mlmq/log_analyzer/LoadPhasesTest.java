package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A load of 100 messages a second whose takers pause from the 20th to the 30th second, and then take 200 a second; the
 * first 5 s of these, requests take 50 ms instead of 1 to 2 ms, of which the last end in the 6th.
 */
class LoadPhasesTest {
    private static final int SECONDS = 60;
    private static final int MS = 1_000;
    private static final String PHASES = "before 0 20, outage 20 30, drain 30 45, after 45 60";

    @TempDir
    private Path folder;

    @Test
    void shouldPrintTheFiguresOfEachPhase() throws Exception {
        writeRun(PHASES, PHASES, second -> second);

        assertThat(Invocation.of("phases", folder, "-fmt", "csv").out()).isEqualTo("""
                phase,begin,seconds,throughput,sent,received,mean,p99,e2e_p99,errors,backlog,left,drain,recovery
                before,0,20,200,100,100,1500,2000,,0,0,0,,
                outage,20,10,100,100,0,1500,2000,,0,1000,1000,9800000,6000000
                drain,30,15,266.666667,100,166.666667,19687.5,50000,,0,1000,0,,
                after,45,15,200,100,100,1500,2000,,0,0,0,,
                """);
        assertThat(Invocation.of("phases", folder, "-fmt", "json").out())
                .contains("{\"phase\":\"outage\",\"begin\":20,\"seconds\":10,");
        assertThat(Invocation.of("phases", folder).out()).contains("outage", "backlog: highest number of messages");
    }

    /** What it received in its last second, and did not count, is no backlog. */
    @Test
    void shouldTellNoBacklogIfAClientWasKilled() throws Exception {
        writeRun(PHASES, PHASES, second -> second);
        Files.delete(folder.resolve("client_1/summary_client_1.json"));

        assertThat(Invocation.of("phases", folder, "-fmt", "csv").out())
                .containsPattern("\nbefore,0,20,200,100,100,.*,,,,\n")
                .containsPattern("\noutage,20,10,100,100,0,.*,,,,").doesNotContain("1000,1000");
        assertThat(Invocation.of("figures", folder, "-fmt", "csv").out()).doesNotContain("backlog", "\ndrain,us,98");
    }

    /** Its counters say how long after its start they were read, and the log when that was. */
    @Test
    void shouldTellNoBacklogIfItIsNotKnownWhenAClientCounted() throws Exception {
        writeRun(PHASES, PHASES, second -> second);
        Files.writeString(folder.resolve("client_1/performance_client_1.log"), "");

        assertThat(Invocation.of("phases", folder, "-fmt", "csv").out())
                .containsPattern("\nbefore,0,20,.*,,,,\n");
        assertThat(Invocation.of("figures", folder, "-fmt", "csv").out()).doesNotContain("backlog", "\ndrain,us");
    }

    /** Counters are read half a second beside the ends of phases, so each reading there tells of two of them. */
    @Test
    void shouldCountMessagesToTheEndOfAPhaseAsCountersRoseInIt() throws Exception {
        writeRun(PHASES, PHASES, second -> second);
        for (int client = 0; client < 2; client++) {
            Path gauges = folder.resolve("client_" + client + "/gauges_client_" + client + ".csv");
            StringBuilder shifted = new StringBuilder("ms,clients,sent,received,takes,empty_takes\n0,1,0,0,0,0\n");
            List<String> lines = Files.readAllLines(gauges);
            for (int second = 0; second < SECONDS; second++) {
                String[] now = lines.get(second + 1).split(",");
                String[] next = lines.get(second + 2).split(",");
                shifted.append("%d,1,%d,%d,0,0\n".formatted(second * MS + MS / 2, (Integer.parseInt(now[2])
                        + Integer.parseInt(next[2])) / 2, (Integer.parseInt(now[3]) + Integer.parseInt(next[3])) / 2));
            }
            Files.writeString(gauges, shifted);
        }

        assertThat(Invocation.of("phases", folder, "-fmt", "csv").out())
                .contains("\nbefore,0,20,200,100,100,").contains(",0,0,0,,\noutage,20,10,100,100,0,")
                .contains(",1000,1000,10200000,6000000\ndrain,");
        assertThat(Invocation.of("figures", folder, "-metric", "backlog", "-fmt", "csv").out())
                .contains("\nbacklog,messages,1000,");
    }

    @Test
    void shouldTellTheTimeInWhichAllClientsWereInAPhase() throws Exception {
        writeRun(PHASES, "before 1 21, outage 21 29, drain 29 45, after 45 60", second -> second);

        assertThat(Invocation.of("phases", folder, "-fmt", "csv").out())
                .contains("\nbefore,0,19,", "\noutage,20,8,", "\ndrain,29,15,");
    }

    /** The sender sends 100 messages in each second, also in those between the phases. */
    @Test
    void shouldCountMessagesOfNoTimeInWhichClientsWereInDifferentPhases() throws Exception {
        writeRun(PHASES, "before 5 25, outage 25 35, drain 35 50, after 50 60", second -> second);

        assertThat(Invocation.of("phases", folder, "-fmt", "csv").out()).containsPattern("\nbefore,0,15,[0-9.]+,100,")
                .containsPattern("\noutage,20,5,[0-9.]+,100,")
                .containsPattern("\ndrain,30,10,[0-9.]+,100,150,.*,500,0,,")
                .containsPattern("\nafter,45,10,[0-9.]+,100,100,");
    }

    @Test
    void shouldMeasureTimeToDrainAndToRecoverFromTheEndOfTheOutage() throws Exception {
        writeRun(PHASES, PHASES, second -> second);

        assertThat(Invocation.of("figures", folder, "-fmt", "csv").out()).contains("\nbacklog,messages,1000,",
                "\ndrain,us,9800000,", "\nrecovery,us,6000000,");
        assertThat(Invocation.of("experiment", "-d", folder, "-steps", "-response", "backlog").out())
                .contains("before", "outage", "drain", "after").doesNotContain("outage from")
                .contains("Highest backlog: 1,000 messages, 30 s after the first phase began. 9.8 s after its phase");
    }

    @Test
    void shouldTakeMessagesOnTheirWayForNoBacklog() throws Exception {
        writeRun(PHASES, PHASES, second -> second, 9);

        assertThat(Invocation.of("figures", folder, "-metric", "drain", "-fmt", "csv").out())
                .contains("\ndrain,us,9900000,");
    }

    @Test
    void shouldTellThatALoadDidNotRecover() throws Exception {
        writeRun(PHASES, PHASES, second -> second > 30 ? 30 : second);

        assertThat(Invocation.of("figures", folder, "-metric", "recovery", "-fmt", "csv").out())
                .contains("\nrecovery,us,,,,30000000,still above those of the first phase at the end,");
    }

    /** From the end of the outage on, the receiver gets no response for four seconds, and the sender none. */
    @Test
    void shouldNotTakeSecondsWithoutResponsesForARecovery() throws Exception {
        writeRun(PHASES, PHASES, second -> 0);
        for (int client = 0; client < 2; client++) {
            Path log = folder.resolve("client_" + client + "/performance_client_" + client + ".log");
            Files.write(log, Files.readAllLines(log).stream().filter(line -> !isBetween(line, 30, 34)).toList());
        }

        assertThat(Invocation.of("figures", folder, "-metric", "recovery", "-fmt", "csv").out())
                .contains("\nrecovery,us,4000000,");
    }

    @Test
    void shouldTellTheRecoveryAfterAFirstPhaseShorterThanASecond() throws Exception {
        String phases = "before 19 20, outage 20 30, after 30 60";
        writeRun(phases, phases, second -> second);
        Path summary = folder.resolve("client_0/summary_client_0.json");
        Files.writeString(summary, Files.readString(summary).replace("\"from_ms\":" + (LogLines.START + 19 * MS),
                "\"from_ms\":" + (LogLines.START + 19 * MS + 3)));

        assertThat(Invocation.of("figures", folder, "-metric", "recovery", "-fmt", "csv").out())
                .contains("\nrecovery,us,6000000,");
    }

    private static boolean isBetween(String line, int fromSecond, int toSecond) {
        String[] fields = line.split(";");
        long ms = fields.length < 2 ? -1 : Long.parseLong(fields[1]) - LogLines.START;
        return ms >= fromSecond * MS && ms < toSecond * MS;
    }

    @Test
    void shouldTellWhyThereIsNoTimeToRecover() throws Exception {
        writeRun("before 0 20, after 20 60", "before 0 20, after 20 60", second -> second);

        assertThat(Invocation.of("figures", folder, "-metric", "recovery", "-fmt", "csv").out())
                .contains("a load needs a phase before and one behind the phase that disturbs it");
    }

    @Test
    void shouldCountFailedRequestsAsLongerThanAnyOther() throws Exception {
        writeRun(PHASES, PHASES, second -> second);
        Path log = folder.resolve("client_0/performance_client_0.log");
        Files.writeString(log, Files.readString(log).replaceAll("(?m)^(\\d+;" + (LogLines.START / 10_000 + 2)
                + "\\d+);CSndReq#OK", "$1;CSndReq#TIMEOUT"));

        assertThat(Invocation.of("phases", folder, "-fmt", "csv").out()).contains("\noutage,20,10,0,100,0,,,,100,");
    }

    /** In the first ten seconds, the receiver takes 500 messages that were there before. */
    @Test
    void shouldTellTheBacklogAboveTheLowestLevelOfADatabaseThatWasFilled() throws Exception {
        writeRun(PHASES, PHASES, second -> second);
        Path gauges = folder.resolve("client_1/gauges_client_1.csv");
        StringBuilder more = new StringBuilder();
        for (String line : Files.readAllLines(gauges)) {
            String[] cells = line.split(",");
            boolean head = cells[0].equals("ms");
            more.append(head ? line : "%s,1,0,%d,0,0".formatted(cells[0], Integer.parseInt(cells[3])
                    + Math.min(500, Integer.parseInt(cells[0]) / 20))).append('\n');
        }
        Files.writeString(gauges, more);
        Path summary = folder.resolve("client_1/summary_client_1.json");
        Files.writeString(summary, Files.readString(summary).replace("\"ok\":1", "\"ok\":1,\"received_filling\":500"));

        assertThat(Invocation.of("phases", folder, "-fmt", "csv").out())
                .contains(",,0,1000,1000,9800000,6000000\ndrain")
                .containsPattern("\nbefore,.*,0,0,,\n").containsPattern("\ndrain,.*,1000,0,,\n");
        assertThat(Invocation.of("figures", folder, "-fmt", "csv").out()).contains("\nbacklog,messages,1000,",
                "\ndrain,us,9800000,");
    }

    /** A damaged summary tells phases of thousands of years. */
    @Test
    void shouldLeaveOutPhasesThatAreNotInTheMeasurement() throws Exception {
        String phases = "before 0 20, after 20 60";
        writeRun(phases, phases, second -> second);
        for (int client = 0; client < 2; client++) {
            Path summary = folder.resolve("client_" + client + "/summary_client_" + client + ".json");
            Files.writeString(summary, Files.readString(summary).replace("\"load\":[", "\"load\":[{\"name\":\"long\","
                    + "\"from_ms\":0,\"to_ms\":99999999999999},{\"name\":\"none\"},"));
        }

        assertThat(Invocation.of("phases", folder, "-fmt", "csv").out()).contains("\nbefore,0,20,", "\nafter,20,40,")
                .doesNotContain("long", "none");
    }

    @Test
    void shouldRefuseARunWithoutPhases() throws Exception {
        writeRun("", "", second -> second);

        Invocation told = Invocation.of("phases", folder);
        assertThat(told.exitCode()).isNotZero();
        assertThat(told.err()).contains("has no phases: its definition has no load");
    }

    private void writeRun(String sender, String receiver, IntUnaryOperator time) throws IOException {
        writeRun(sender, receiver, time, 0);
    }

    /** @param time the second whose response times each second has @param left messages that are always on their way */
    private void writeRun(String sender, String receiver, IntUnaryOperator time, int left) throws IOException {
        writeClient(0, sender, "sent", time, second -> second * 100);
        IntUnaryOperator received = second -> second < 20 ? second * 100 : second < 30 ? 2_000
                : Math.min(2_000 + (second - 30) * 200, second * 100);
        writeClient(1, receiver, "received", time, second ->
                Math.max(0, received.applyAsInt(second) - (second > 30 ? left : 0)));
    }

    private void writeClient(int number, String phases, String counted, IntUnaryOperator time, IntUnaryOperator count)
            throws IOException {
        Path client = folder.resolve("client_" + number);
        LogLines log = LogLines.inMicroseconds();
        StringBuilder gauges = new StringBuilder("ms,clients,sent,received,takes,empty_takes\n");
        for (int second = 0; second <= SECONDS; second++) {
            int now = count.applyAsInt(second);
            gauges.append(counted.equals("sent") ? "%d,1,%d,0,0,0\n".formatted(second * MS, now)
                    : "%d,1,0,%d,%2$d,0\n".formatted(second * MS, now));
            boolean high = time.applyAsInt(second) >= 30 && time.applyAsInt(second) < 35;
            int requests = second == SECONDS ? 0 : counted.equals("sent") ? 100 : count.applyAsInt(second + 1) - now;
            for (int i = 0; i < requests; i++) {
                int us = high ? 50_000 : 1_000 * (1 + i % 2);
                log.add(us, second * MS + i * MS / requests + us / MS, "CSndReq#OK#a");
            }
        }
        log.writeTo(client.resolve("performance_client_" + number + ".log"));
        Files.writeString(client.resolve("gauges_client_" + number + ".csv"), gauges);
        Files.writeString(client.resolve("summary_client_" + number + ".json"), """
                {"started_ms":%d,"duration_s":%d,"clients":1,"ok":1%s}""".formatted(LogLines.START, SECONDS,
                phases.isEmpty() ? "" : ",\"load\":[" + json(phases) + "]"));
    }

    /** @param phases such as {@code before 0 20, after 20 60} */
    private static String json(String phases) {
        StringBuilder json = new StringBuilder();
        for (String phase : phases.split(", ")) {
            String[] words = phase.split(" ");
            json.append(json.isEmpty() ? "" : ",").append("{\"name\":\"%s\",\"from_ms\":%d,\"to_ms\":%d}".formatted(
                    words[0], LogLines.START + Long.parseLong(words[1]) * MS,
                    LogLines.START + Long.parseLong(words[2]) * MS));
        }
        return json.toString();
    }
}
