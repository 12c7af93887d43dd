package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckTest {
    @TempDir
    private Path folder;

    @Test
    void shouldAcceptAGoodRun() throws Exception {
        Invocation result = check(new SampleRun(1).seconds(12).clients(3).errors(0));

        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).as(result.out()).isZero();
        assertThat(result.lines()).contains("good,Every request answered," + reason(result, "Every request answered"),
                "good,Every JVM lived to the end,3 JVMs,", "good,Late starts,none,",
                "good,Clocks agree,largest offset 0.4 ms,",
                "good,Client machines under 75 % busy,at most 40 %,");
        assertThat(line(result, "Errors")).startsWith("good,");
        assertThat(line(result, "Logs complete")).startsWith("good,");
        assertThat(line(result, "No gap in time")).startsWith("good,");
        assertThat(line(result, "Brokers")).contains("not saturated: broker_0", " of 8 workers busy");
    }

    @Test
    void shouldRejectARunThatGetsSlowerAndSlower() throws Exception {
        LogLines lines = LogLines.inMicroseconds();
        for (int ms = 0; ms < 30_000; ms += 2) {
            lines.add(500 + ms / 20, ms, "CSndReq#OK#sendMessage");
        }
        Path log = lines.writeTo(folder.resolve("client_0/performance_client_0.log"));

        assertThat(line(Invocation.of("check", "-d", log, "-fmt", "csv"), "Steady state")).startsWith("rejected,");
    }

    @Test
    void shouldNotAskALoadWhoseClientsJoinByStepsToBeSteady() throws Exception {
        Path run = folder.resolve("stepped");
        LogLines log = LogLines.inMicroseconds();
        StringBuilder gauges = new StringBuilder("ms,clients,under_way,waiting\n");
        for (int second = 0; second < 30; second++) {
            int clients = 10 * (1 + second / 10);
            gauges.append(second * 1000).append(',').append(clients).append(",0,0\n");
            for (int i = 0; i < 10 * clients; i++) {
                log.add(1000L * clients, second * 1000L + i * 100L / clients, "CSndReq#OK#send");
            }
        }
        log.writeTo(run.resolve("client_0/performance_client_0.log"));
        Files.writeString(run.resolve("client_0/gauges_client_0.csv"), gauges);

        Path settings = run.resolve("client_0/config.properties");
        Files.writeString(settings, "client.clients=10\n");
        assertThat(line(Invocation.of("check", "-d", run, "-fmt", "csv"), "Steady state")).startsWith("rejected,");

        Files.writeString(settings, "client.clients=10\nclient.steps=+10 clients every 10s up to 30\n");
        assertThat(line(Invocation.of("check", "-d", run, "-fmt", "csv"), "Steady state")).startsWith("note,")
                .contains("the load changes in steps");
        assertThat(line(Invocation.of("check", "-d", run, "-from", "21s", "-fmt", "csv"), "Steady state"))
                .as("of the last step alone").doesNotContain("steps");
    }

    @Test
    void shouldNotAskALoadWhoseRateHasPhasesToBeSteady() throws Exception {
        Path run = folder.resolve("phases");
        LogLines log = LogLines.inMicroseconds();
        StringBuilder gauges = new StringBuilder("ms,clients,under_way,waiting\n");
        for (int second = 0; second < 30; second++) {
            int rate = second < 15 ? 100 : 400;
            gauges.append(second * 1000).append(",10,0,0\n");
            for (int i = 0; i < rate; i++) {
                log.add(rate * 10L, second * 1000L + i * 1000L / rate, "CSndReq#OK#send");
            }
        }
        log.writeTo(run.resolve("client_0/performance_client_0.log"));
        Files.writeString(run.resolve("client_0/gauges_client_0.csv"), gauges);
        Path settings = run.resolve("client_0/config.properties");

        Files.writeString(settings, "client.rate=200/s\n");
        assertThat(line(Invocation.of("check", "-d", run, "-fmt", "csv"), "Steady state")).startsWith("rejected,");
        Files.writeString(settings, "client.rate=100/s for 15s, 400/s\n");
        assertThat(line(Invocation.of("check", "-d", run, "-fmt", "csv"), "Steady state")).startsWith("note,");
        assertThat(Invocation.of("experiment", "-d", run, "-steps", "-fmt", "csv").out())
                .contains("\n1,100/s from 0 s,throughput", "\n2,400/s from 15 s,throughput");
    }

    @Test
    void shouldWarnOfErrorsAndSayWhich() throws Exception {
        Invocation result = check(new SampleRun(1).seconds(4).clients(3).errors(0.05));

        assertThat(line(result, "Errors")).startsWith("warning,").contains(" TIMEOUT");
    }

    @Test
    void shouldRejectBusyClientMachines() throws Exception {
        Invocation result = check(new SampleRun(1).seconds(4).clients(3).clientCpu(0.8));

        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(line(result, "Client machines")).startsWith("rejected,").endsWith(",busy: m1 80 %,");
    }

    @Test
    void shouldWarnOfMachinesThatChangeTheirSpeed() throws Exception {
        Invocation same = check(new SampleRun(1).seconds(20).clients(3).fixedWork(3_000, 3_200));
        Invocation slower = check(new SampleRun(1).seconds(20).clients(3).fixedWork(3_000, 4_500));

        assertThat(line(same, "Machine speed")).startsWith("good,").endsWith(" took 3.1 ms of processor time,3100");
        assertThat(line(slower, "Machine speed")).startsWith("warning,").contains(" took 3.75 ms of processor time; m")
                .contains(" became 1.5 times slower from the first half to the second").endsWith(",3750");
        assertThat(slower.exitCode()).isZero();
    }

    @Test
    void shouldWarnOfOtherProgramsAndNameTheLargest() throws Exception {
        Path run = new SampleRun(1).seconds(20).clients(3).writeTo(folder.resolve("run"));
        assertThat(Invocation.of("check", "-d", run, "-fmt", "csv").out()).doesNotContain("Other programs");

        long at = 1_700_000_010_000L;
        Files.writeString(run.resolve("logs/m1/programs.csv"), "ms,program,share\n" + at + ",*,0.8000\n" + at
                + ",chromium,0.5000\n" + at + ",cc1plus,0.2000\n" + at + ",kworker,0.0300\n"
                + (at + 5_000) + ",*,0.6000\n" + (at + 5_000) + ",chromium,0.5000\n" + (at + 5_000)
                + ",a name with <b>,0.9000\n");
        assertThat(line(Invocation.of("check", "-d", run, "-fmt", "csv"), "Other programs"))
                .isEqualTo("warning,Other programs,\"they took 70 % of the processors of m1 (chromium 50 %, cc1plus "
                        + "10 %, others and short-lived ones 10 %)\",0.7");

        Files.writeString(run.resolve("logs/m1/programs.csv"), "ms,program,share\n" + at + ",*,0.0200\n");
        assertThat(line(Invocation.of("check", "-d", run, "-fmt", "csv"), "Other programs"))
                .isEqualTo("good,Other programs,they took 2 % of the processors of m1 (short-lived ones 2 %),0.02");
    }

    @Test
    void shouldNotTellTheSpeedOfMachinesWhoseKernelDoesNot() throws Exception {
        Invocation result = check(new SampleRun(1).seconds(20).clients(3).fixedWork(Double.NaN, Double.NaN));

        assertThat(line(result, "Machine speed"))
                .isEqualTo("unknown,Machine speed,the machines did not measure the fixed piece of work,");
        assertThat(line(result, "Client machines")).startsWith("good,");
    }

    @Test
    void shouldOnlyWarnOfBusyClientMachinesThatAServerWithoutOurLogsShares() throws Exception {
        Path run = new SampleRun(1).seconds(4).clients(3).clientCpu(0.99).writeTo(folder.resolve("run"));
        try (Stream<Path> logs = Files.list(run.resolve("logs/m2/broker_0"))) {
            for (Path log : logs.toList()) {
                Files.delete(log);
            }
        }
        Files.createDirectories(run.resolve("logs/m1/broker_0"));
        Files.writeString(run.resolve("logs/m1/broker_0/counters.csv"), "ms,messages\n");

        Invocation result = Invocation.of("check", "-d", run.toString(), "-fmt", "csv");

        assertThat(line(result, "Client machines")).startsWith("warning,")
                .contains("busy: m1 99 %, but these machines run clients and brokers: m1");
        assertThat(line(result, "Brokers,")).isEqualTo("note,Brokers,saturated by processors: machine 99 % busy,");
    }

    @Test
    void shouldRejectARunInWhichAJvmDied() throws Exception {
        Invocation result = check(new SampleRun(1).seconds(4).clients(3).event(2, "died", "broker_0", "last words")
                .brokerExitCode(137));

        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(line(result, "Every JVM lived")).isEqualTo("rejected,Every JVM lived to the end,"
                + "\"broker_0 was killed by signal 9, 2 s after the start of the load\",");
    }

    @Test
    void shouldRejectAClientThatDidNothing() throws Exception {
        Path run = new SampleRun(1).seconds(4).clients(3).writeTo(folder.resolve("run"));
        Path summary = run.resolve("logs/m1/client_1/summary_client_1.json");
        Files.writeString(summary, Files.readString(summary).replaceAll("\"ok\":\\d+", "\"ok\":0")
                .replaceAll("\"started\":\\d+", "\"started\":0").replaceAll("TIMEOUT\":\\d+", "TIMEOUT\":0"));

        Invocation result = Invocation.of("check", "-d", run, "-fmt", "csv");

        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(line(result, "All clients worked"))
                .isEqualTo("rejected,All clients worked,these client JVMs got "
                        + "no response to a request planned in the measurement interval: client_1,");
    }

    @Test
    void shouldSayThatAllRequestsOfAClientStillWaited() throws Exception {
        Invocation result = checkWithSummary("\"ok\":\\d+,(.*)\"TIMEOUT\":\\d+",
                "\"ok\":0,$1\"NOT_STARTED\":5000");

        assertThat(line(result, "All clients worked")).startsWith("rejected,")
                .contains("client_1 (requests planned earlier still waited)");
    }

    @Test
    void shouldNotCompareAHalfWithoutAnAnswer() throws Exception {
        LogLines lines = LogLines.inMicroseconds().add(500, 0, "CSndReq#OK#sendMessage");
        for (int ms = 16_000; ms < 30_000; ms += 2) {
            lines.add(500, ms, "CSndReq#OK#sendMessage");
        }
        Path log = lines.writeTo(folder.resolve("client_0/performance_client_0.log"));

        assertThat(line(Invocation.of("check", "-d", log, "-from", "1s", "-fmt", "csv"), "Steady state"))
                .contains("no request planned in a half was answered; MSER-5").doesNotContain("changes by  %");
    }

    @Test
    void shouldRejectRequestsWithoutAnswer() throws Exception {
        Invocation result = checkWithSummary("\"started\":(\\d+)", "\"started\":9$1");

        assertThat(line(result, "Every request")).startsWith("rejected,");
    }

    @Test
    void shouldRejectALoadOfWhichRequestsOfTheWarmupWereNotAnsweredWhileMeasuring() throws Exception {
        String overdue = "\"overdue\":{\"unanswered\":%d,\"failed\":%d,\"longest_s\":25.04},\"started\"";
        Invocation one = checkWithSummary("\"started\"", overdue.formatted(1, 0));

        assertThat(one.exitCode()).isEqualTo(3);
        assertThat(line(one, "Every request")).isEqualTo("rejected,Every request answered,\"1 request of the warm-up "
                + "had no response when measuring ended, the longest for 25 s\",");
        assertThat(line(one, "Errors")).startsWith("warning,")
                .contains("; beside these, 1 request of the warm-up failed or had no response meanwhile");
        assertThat(line(checkWithSummary("\"started\"", overdue.formatted(0, 2)), "Errors")).startsWith("warning,")
                .contains("; beside these, 2 requests of the warm-up");
    }

    @Test
    void shouldSayThatALoadStartedNothingWhileMeasuring() throws Exception {
        Path run = new SampleRun(1).seconds(4).clients(3).writeTo(folder.resolve("run"));
        for (int i = 0; i < 2; i++) {
            change(run, i, "\"ok\":\\d+,\"errors\":\\{.*?\\},(.*)\"started\":\\d+", "\"ok\":0,\"errors\":{},"
                    + "\"overdue\":{\"unanswered\":3,\"failed\":0,\"longest_s\":30},$1\"started\":0");
        }

        Invocation result = Invocation.of("check", "-d", run, "-fmt", "csv");

        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(line(result, "Every request")).contains("6 requests of the warm-up had no response when measuring "
                + "ended, the longest for 30 s; no request was started while measuring");
        assertThat(line(result, "Errors")).startsWith("rejected,").contains("interval, as none was started");
        assertThat(line(result, "All clients worked")).startsWith("rejected,").contains("client_0, client_1");
    }

    @Test
    void shouldTakeTheErrorOfARequestThatNeverEndedForNoAnswer() throws Exception {
        // These summaries have timeouts.
        assertThat(line(checkWithSummary("\"TIMEOUT\"", "\"UNANSWERED\""), "Every request")).startsWith("rejected,");
    }

    @Test
    void shouldMissNoAnswerToWhatNeverStarted() throws Exception {
        Invocation result = checkWithSummary("\"TIMEOUT\"", "\"NOT_STARTED\":50,$0");

        assertThat(line(result, "Every request")).startsWith("good,");
        assertThat(line(result, "Errors")).startsWith("warning,").contains("50 NOT_STARTED");
    }

    @Test
    void shouldRejectAClientJvmThatStartedOverOnePerCentLate() throws Exception {
        String words = "\"ok\":\\d+,(.*)\"late\":0";
        assertThat(line(checkWithSummary(words, "\"ok\":1000,$1\"late\":90"), "Late starts"))
                .startsWith("warning,").contains("90 requests, ", "; the summaries do not say what delayed them");
        assertThat(line(checkWithSummary(words, "\"ok\":1000,$1\"late\":90,\"late_by_client\":20"), "Late starts"))
                .startsWith("rejected,").contains("; the load was not");
    }

    @Test
    void shouldSayWhichCopiesOfPublishedMessagesAreLost() throws Exception {
        Path run = new SampleRun(1).seconds(4).clients(3).writeTo(folder.resolve("run"));
        change(run, 0, "\"OneWayClient\"", "\"Publisher\",\"sent\":100");
        change(run, 1, "\"OneWayClient\"", "\"Subscriber\",\"received\":60,\"subscribed\":{\"left\":null}");
        assertThat(Invocation.of("check", "-d", run, "-fmt", "csv").out()).doesNotContain("No copy lost");

        change(run, 1, "\"left\":null", "\"left\":30");
        assertThat(line(Invocation.of("check", "-d", run, "-fmt", "csv"), "No copy lost")).startsWith("warning,")
                .contains("of 100 copies 60 were received, and 30 were left: 10 are lost");
        change(run, 1, "\"left\":30", "\"left\":40");
        assertThat(line(Invocation.of("check", "-d", run, "-fmt", "csv"), "No copy lost")).startsWith("good,");
    }

    @Test
    void shouldNotCallCopiesLostThatAKilledClientMayHaveReceived() throws Exception {
        Path run = new SampleRun(1).seconds(4).clients(3).writeTo(folder.resolve("run"));
        change(run, 0, "\"OneWayClient\"", "\"Publisher\",\"sent\":100");
        change(run, 1, "\"OneWayClient\"", "\"Subscriber\",\"received\":60,\"subscribed\":{\"left\":0}");
        Files.createDirectory(run.resolve("logs/m1/client_2"));
        Files.copy(run.resolve("logs/m1/client_1/performance_client_1.log"),
                run.resolve("logs/m1/client_2/performance_client_2.log"));

        assertThat(copies(run)).startsWith("unknown,")
                .contains("not all clients tell what they sent and received; client_2 left no summary");
        assertThat(line(Invocation.of("check", "-d", run, "-fmt", "csv"), "Errors"))
                .contains("; client_2 left no summary");
        assertThat(Invocation.of("figures", run, "-fmt", "csv").lines())
                .noneMatch(line -> line.matches("(late|lost|copies),.*"));
    }

    /** A full disk, or a kill while it is written, leaves a summary empty. */
    @Test
    void shouldTakeAnEmptySummaryForNone() throws Exception {
        Path run = new SampleRun(1).seconds(4).clients(3).writeTo(folder.resolve("run"));
        change(run, 0, "\"OneWayClient\"", "\"Publisher\",\"sent\":100");
        for (String content : List.of("", "\n", "null", "[1]")) {
            Files.writeString(run.resolve("logs/m1/client_1/summary_client_1.json"), content);

            assertThat(copies(run)).startsWith("unknown,").contains("client_1 left no summary");
            Invocation check = Invocation.of("check", "-d", run, "-fmt", "csv");
            assertThat(line(check, "Files readable")).startsWith("warning,").contains("it is no JSON object");
            assertThat(line(check, "All clients worked")).startsWith("good,");
        }
    }

    @Test
    void shouldCallNoCopyLostOrTooManyThatARequestWithoutAResponseExplains() throws Exception {
        Path run = new SampleRun(1).seconds(4).clients(3).writeTo(folder.resolve("run"));
        change(run, 0, "\"OneWayClient\"", "\"Publisher\",\"sent\":100,\"unanswered_sends\":2");
        change(run, 1, "\"OneWayClient\"", "\"Subscriber\",\"received\":60,\"subscribed\":{\"left\":48},"
                + "\"unanswered_dequeues\":0");
        assertThat(copies(run)).startsWith("unknown,").contains("of 100 copies 60 were received, and 48 were left: "
                + "8 are too many, but 2 publishes got no response");
        change(run, 1, "\"left\":48", "\"left\":40");
        assertThat(copies(run)).startsWith("unknown,").contains("none is missing, but 2 publishes got no response");

        change(run, 1, "\"left\":40", "\"left\":30");
        assertThat(copies(run)).startsWith("warning,").contains("10 are lost");
        change(run, 1, "\"unanswered_dequeues\":0", "\"unanswered_dequeues\":10");
        assertThat(copies(run)).startsWith("unknown,").contains("10 are lost, but 10 acknowledgements got no response");
    }

    @Test
    void shouldCallCopiesLostThatAreMoreThanUnansweredAcknowledgementsExplain() throws Exception {
        Path run = new SampleRun(1).seconds(4).clients(3).writeTo(folder.resolve("run"));
        change(run, 0, "\"OneWayClient\"", "\"Publisher\",\"sent\":100");
        change(run, 1, "\"OneWayClient\"", "\"Subscriber\",\"received\":60,\"subscribed\":{\"left\":30},"
                + "\"unanswered_dequeues\":3");
        Path environment = run.resolve("environment.json");
        String settings = Files.readString(environment);
        assertThat(settings).contains("{\"client.think.time\"");
        Files.writeString(environment, settings.replace("{\"client.think.time\"",
                "{\"client.batch\":\"4\",\"client.think.time\""));
        assertThat(copies(run)).startsWith("unknown,").contains("10 are lost, but 3 acknowledgements got no response");

        Files.writeString(environment, settings);
        assertThat(copies(run)).startsWith("warning,").contains("10 are lost, of which 3 acknowledgements without a "
                + "response explain 3 at most");
    }

    @Test
    void shouldSayWhereItIsNotKnownWhetherCopiesAreLost() throws Exception {
        Path run = new SampleRun(1).seconds(4).clients(3).writeTo(folder.resolve("run"));
        change(run, 0, "\"OneWayClient\"", "\"Publisher\",\"sent\":100");
        change(run, 1, "\"OneWayClient\"", "\"Subscriber\",\"driver\":\"jms\",\"received\":60,\"subscribed\":{}");
        assertThat(Invocation.of("check", "-d", run, "-fmt", "csv").out()).as("this system never tells")
                .doesNotContain("No copy lost");

        change(run, 1, "\"jms\"", "\"mlmq\"");
        assertThat(copies(run)).startsWith("unknown,").contains("not all clients tell what was left");
    }

    private String copies(Path run) {
        return line(Invocation.of("check", "-d", run, "-fmt", "csv"), "No copy lost");
    }

    @Test
    void shouldRejectAClientJvmThatStoodStillItself() throws Exception {
        Invocation stalled = checkWithSummary("\"late\"", "\"longest_stall_ms\":3200.5,$0");
        Invocation shortly = checkWithSummary("\"late\"", "\"longest_stall_ms\":900,$0");

        assertThat(line(stalled, "Clients not the limit")).startsWith("rejected,")
                .contains("limited by client_1 (the JVM or its machine was stalled for 3.2 s)");
        assertThat(line(shortly, "Clients not the limit")).startsWith("good,");
    }

    @Test
    void shouldSayWhoHeldUpWhatStartedLate() throws Exception {
        Path run = new SampleRun(1).seconds(4).clients(3).late(2_000).writeTo(folder.resolve("run"));
        for (int i = 0; i < 2; i++) {
            change(run, i, "\"late\":2000", "$0,\"late_by_client\":3");
        }

        assertThat(line(Invocation.of("check", "-d", run, "-fmt", "csv"), "Late starts")).startsWith("warning,")
                .contains("4,000 requests, ", ", of them 6 by the clients themselves (in the worst JVM ");
    }

    @Test
    void shouldWarnOfIncompleteLogsAndOfGapsAndOfClocks() throws Exception {
        Path run = new SampleRun(1).seconds(12).clients(3).writeTo(folder.resolve("run"));
        for (int i = 0; i < 2; i++) {
            Path log = run.resolve("logs/m1/client_" + i + "/performance_client_" + i + ".log");
            Files.write(log, Files.readAllLines(log).stream().filter(line -> !line.contains(";1700000009")
                    && !line.contains(";1700000010")).toList());
            Files.writeString(log, "nonsense\n12;17000", StandardCharsets.UTF_8, StandardOpenOption.APPEND);
        }
        Path environment = run.resolve("environment.json");
        Files.writeString(environment, Files.readString(environment).replace("-0.4", "-40"));

        Invocation result = Invocation.of("check", "-d", run, "-fmt", "csv");

        assertThat(line(result, "Logs complete")).isEqualTo(
                "warning,Logs complete,\"2 malformed lines, cut off: client_0, client_1\",");
        assertThat(line(result, "No gap")).startsWith("warning,No gap in time,2");
        assertThat(line(result, "Clocks agree")).isEqualTo("warning,Clocks agree,largest offset 40 ms,");
    }

    @Test
    void shouldRejectNoRunForAClockOffsetThatASlowResponseMayExplain() throws Exception {
        Path run = new SampleRun(1).seconds(12).clients(3).writeTo(folder.resolve("run"));
        Path environment = run.resolve("environment.json");
        String measured = Files.readString(environment);
        for (String error : new String[] {"1200", "300", "20"}) {
            Files.writeString(environment, measured.replace("-0.4,", "-1100,\"clock_error_ms\":" + error + ","));

            assertThat(line(Invocation.of("check", "-d", run, "-fmt", "csv"), "Clocks agree")).isEqualTo((
                    error.equals("1200") ? "good" : error.equals("300") ? "warning" : "rejected")
                    + ",Clocks agree,\"largest offset 1100 ms, wrong by at most " + error + " ms\",");
        }
    }

    private Invocation check(SampleRun run) throws Exception {
        return Invocation.of("check", "-d", run.writeTo(folder.resolve("run")), "-fmt", "csv");
    }

    private static String line(Invocation result, String check) {
        return result.lines().stream().filter(line -> line.contains("," + check)).findFirst().orElseThrow();
    }

    private static String reason(Invocation result, String check) {
        return line(result, check).substring(line(result, check).indexOf(check) + check.length() + 1);
    }

    /** @return the check of a run of whose second client's summary something was replaced */
    private Invocation checkWithSummary(String words, String others) throws Exception {
        Path run = new SampleRun(1).seconds(4).clients(3).writeTo(folder.resolve("run"));
        change(run, 1, words, others);
        return Invocation.of("check", "-d", run, "-fmt", "csv");
    }

    private static void change(Path run, int client, String words, String others) throws Exception {
        Path summary = run.resolve("logs/m1/client_" + client + "/summary_client_" + client + ".json");
        String text = Files.readString(summary);
        assertThat(text).containsPattern(words);
        Files.writeString(summary, text.replaceFirst(words, others));
    }
}
