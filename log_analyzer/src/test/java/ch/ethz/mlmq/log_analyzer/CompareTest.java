package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class CompareTest {
    @TempDir
    private Path folder;

    @Test
    void shouldFindASlowerDatabaseWorseAndEqualRunsWithinNoise() throws Exception {
        Invocation slower = Invocation.of("compare", run("before", 1, 1), run("after", 2, 1.5), "-fmt", "csv");
        Invocation equal = Invocation.of("compare", run("before", 1, 1), run("same", 3, 1), "-fmt", "csv");

        assertThat(verdictOf(slower, "mean")).isEqualTo("worse");
        assertThat(verdictOf(slower, "p99")).isEqualTo("worse");
        assertThat(verdictOf(equal, "mean")).isEqualTo("within noise");
        assertThat(verdictOf(equal, "p99")).isEqualTo("within noise");
    }

    @Test
    void shouldShowTheWorstFirst() throws Exception {
        List<String> lines = Invocation.of("compare", run("a", 1, 1), run("bad", 2, 1.5), run("good", 3, 0.6),
                "-metric", "mean", "-fmt", "csv").lines();

        assertThat(lines.get(1)).startsWith("bad,mean,us,").endsWith(",worse");
        assertThat(lines.get(2)).startsWith("good,mean,us,").endsWith(",better");
    }

    @Test
    void shouldCompareGroupsOfRepetitionsByName() throws Exception {
        String before = "before=" + run("a1", 1, 1) + "," + run("a2", 2, 1) + "," + run("a3", 3, 1);
        String after = "after=" + run("b1", 4, 1.3) + "," + run("b2", 5, 1.3) + "," + run("b3", 6, 1.3);

        Invocation result = Invocation.of("compare", before, after, "-metric", "mean", "-fmt", "csv");

        assertThat(result.lines().get(1)).startsWith("after,mean,us,").endsWith(",worse");
    }

    @Test
    void shouldNotBeSurerOfTwoRepetitionsThanTheyVary() throws Exception {
        String before = "before=" + run("a1", 1, 0.95) + "," + run("a2", 2, 1);
        String after = "after=" + run("b1", 3, 1.05) + "," + run("b2", 4, 1.1);

        Invocation result = Invocation.of("compare", before, after, "-metric", "p99", "-fmt", "csv");

        assertThat(result.lines().get(1)).startsWith("after,p99,").endsWith(",within noise");
    }

    @Test
    void shouldTellWhatTheRequestsCostMachinesAndJvms() throws Exception {
        Path before = new SampleRun(1).seconds(20).brokerCpu(0.5).pauses(2).writeTo(folder.resolve("before"));
        Path after = new SampleRun(2).seconds(20).brokerCpu(0.7).pauses(5).writeTo(folder.resolve("after"));

        Invocation result = Invocation.of("compare", before, after, "-fmt", "csv", "--fail-if", "cpu_brokers > 60 %");

        assertThat(valuesOf(result, "cpu_brokers")).containsExactly("50", "70");
        assertThat(verdictOf(result, "cpu_brokers")).isEqualTo("worse");
        assertThat(valuesOf(result, "cpu_clients")).containsExactly("40", "40");
        assertThat(verdictOf(result, "cpu_clients")).isEqualTo("within noise");
        assertThat(valuesOf(result, "gc_brokers")).containsExactly("0.2", "0.5");
        assertThat(verdictOf(result, "gc_brokers")).isEqualTo("worse");
        assertThat(result.out()).doesNotContain(",cpu,", ",cpu_database,", ",gc_clients,");
        assertThat(result.err()).contains("after: cpu_brokers is 70 %, 50 % at before (+40 %)");
    }

    @Test
    void shouldTellTheMessagesOfAllClientsAndTheTakesThatFoundNone() throws Exception {
        Path run = new SampleRun(1).seconds(20).writeTo(folder.resolve("run"));
        Path same = new SampleRun(1).seconds(20).writeTo(folder.resolve("same"));
        for (Path each : List.of(run, same)) {
            writeMessages(each, 0, 28, 100, 0, 0, 0);
            writeMessages(each, 1, 28, 0, 40, 50, 10);
        }
        // The second client dies after half of the measurement interval.
        writeMessages(same, 1, 16, 0, 40, 50, 10);
        Files.delete(same.resolve("logs/m1/client_1/summary_client_1.json"));

        Invocation result = Invocation.of("compare", run, same, "-fmt", "csv");

        assertThat(valuesOf(result, "sent")).containsExactly("100", "100");
        assertThat(valuesOf(result, "received")).containsExactly("40", "20");
        assertThat(valuesOf(result, "empty_takes")).containsExactly("20", "20");
        assertThat(Invocation.of("figures", same, "-fmt", "csv").out()).as("what it received in its last second may "
                + "be counted as left").doesNotContain("backlog");
        assertThat(Invocation.of("figures", run, "-fmt", "csv").out()).contains("backlog");
        assertThat(Invocation.of("compare", run, new SampleRun(2).seconds(20).writeTo(folder.resolve("not")), "-fmt",
                "csv").out()).as("a run whose clients did not count").doesNotContain(",sent,");
    }

    @Test
    void shouldTellNoMessagesIfTheCountsOfAClientAreLost() throws Exception {
        for (String lost : List.of("all", "end", "beginning")) {
            Path run = new SampleRun(1).seconds(20).writeTo(folder.resolve(lost));
            writeMessages(run, 0, 28, 100, 40, 50, 10);
            if (lost.equals("end")) {
                writeMessages(run, 1, 12, 100, 40, 50, 10);
            } else if (lost.equals("beginning")) {
                writeMessages(run, 1, 28, 100, 40, 50, 10);
                Path gauges = run.resolve("logs/m1/client_1/gauges_client_1.csv");
                Files.writeString(gauges, Files.readString(gauges).replaceFirst("\n15000,.*", "\n15000,10,0,0,0,0"));
            }

            assertThat(Invocation.of("figures", run, "-fmt", "csv").lines()).as(lost)
                    .noneMatch(line -> line.matches("(sent|received|empty_takes),.*"));
        }
    }

    @Test
    void shouldCountOnceWhatIsThereTwice() throws Exception {
        Path run = new SampleRun(1).seconds(20).writeTo(folder.resolve("run"));
        writeMessages(run, 0, 28, 100, 40, 50, 10);
        writeMessages(run, 1, 28, 100, 40, 50, 10);
        Path client = run.resolve("logs/m1/client_0");
        Path summary = client.resolve("summary_client_0.json");
        Files.writeString(summary, Files.readString(summary)
                .replace("\"TIMEOUT\":", "\"NOT_STARTED\":9,\"TIMEOUT\":"));
        List<String> expected = Invocation.of("figures", run, "-fmt", "csv").lines();
        Path copies = Files.createDirectories(run.resolve("copy/client_0"));
        for (String name : List.of("gauges_client_0.csv", "summary_client_0.json", "performance_client_0.log")) {
            Files.copy(client.resolve(name), copies.resolve(name));
        }
        Path gauges = client.resolve("gauges_client_0.csv");
        Path compressed = client.resolve("gauges_client_0.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(compressed))) {
            Files.copy(gauges, out);
        }

        assertThat(expected).anyMatch(line -> line.startsWith("sent,1/s,200,"));
        assertThat(Invocation.of("figures", run, "-fmt", "csv").lines()).isEqualTo(expected);
    }

    @Test
    void shouldTellTheTimeOfMessagesFromEndToEnd() throws Exception {
        Path before = writeReceipts(new SampleRun(1).seconds(20).writeTo(folder.resolve("before")), 7_000);
        Path after = writeReceipts(new SampleRun(1).seconds(20).writeTo(folder.resolve("after")), 9_000);

        Invocation result = Invocation.of("compare", before, after, "-fmt", "csv", "--fail-if", "e2e_p99 > 8 ms");

        assertThat(valuesOf(result, "e2e_p50")).containsExactly("7000", "9000");
        assertThat(verdictOf(result, "e2e_p99")).isEqualTo("worse");
        assertThat(result.err()).contains("after: e2e_p99 is 9");
        assertThat(valuesOf(result, "throughput")).as("receipts are no requests").isEqualTo(valuesOf(Invocation.of(
                "compare", new SampleRun(1).seconds(20).writeTo(folder.resolve("without")), after, "-fmt", "csv"),
                "throughput"));
        assertThat(Invocation.of("figures", before, "-fmt", "csv").out()).contains("\ne2e_p99,us,7000,7000,7000,");
    }

    @Test
    void shouldCountMessagesThatWereNeverReceivedAsLongerThanAllOthers() throws Exception {
        Path run = writeReceipts(new SampleRun(1).seconds(20).writeTo(folder.resolve("run")), 7_000);
        amend(run, "summary_client_%d.json", "\"count\":9", "\"count\":9,\"sent\":900000");

        assertThat(Invocation.of("figures", run, "-fmt", "csv").out())
                .contains("\ne2e_p50,us,,,,7000,what never started or never arrived is in no log");
    }

    @Test
    void shouldTellTheTimeOfMessagesToTheirAcknowledgement() throws Exception {
        Path run = writeReceipts(new SampleRun(1).seconds(20).writeTo(folder.resolve("run")), 7_000);
        assertThat(Invocation.of("figures", run, "-fmt", "csv").out()).as("without leases").doesNotContain("\nack_");

        amend(run, "performance_client_%d.log", "(?m)^7000;(\\d+);CE2E#.*$", "$0\n9000;$1;CAck#acknowledge;C[5]");
        amend(run, "summary_client_%d.json", "\"bottleneck\"",
                "\"ack\":{\"count\":8,\"leased\":8},\"bottleneck\"");
        assertThat(Invocation.of("figures", run, "-fmt", "csv").out()).contains("\ne2e_p50,us,7000,7000,7000,",
                "\nack_p50,us,9000,9000,9000,", "\nack_p99,us,9000,9000,9000,");

        amend(run, "summary_client_%d.json", "\"leased\":8", "\"leased\":900000");
        assertThat(Invocation.of("figures", run, "-fmt", "csv").out()).as("most leases ended unacknowledged")
                .contains("\ne2e_p50,us,7000,7000,7000,",
                        "\nack_p50,us,,,,9000,what never started or never arrived is in no log");
    }

    @Test
    void shouldNotCountTheReceiptsOfMessagesAsRequests() throws Exception {
        Path run = writeReceipts(new SampleRun(1).seconds(20).writeTo(folder.resolve("run")), 7_000);

        assertThat(Invocation.of("figures", run, "-type", "C", "-metric", "errors,throughput", "-fmt", "csv").out())
                .isEqualTo(Invocation.of("figures", run, "-metric", "errors,throughput", "-fmt", "csv").out());
    }

    @Test
    void shouldTellNoTimeOfMessagesIfNoneWasRecorded() throws Exception {
        Path run = writeReceipts(new SampleRun(1).seconds(20).writeTo(folder.resolve("run")), 7_000);
        amend(run, "performance_client_%d.log", "(?m)^.*CE2E.*\n", "");

        assertThat(Invocation.of("figures", run, "-fmt", "csv").out()).contains("\np99,").doesNotContain("e2e");
    }

    @Test
    void shouldCountTheMessagesOfTheMeasuringPhaseExactly() throws Exception {
        Path run = new SampleRun(1).seconds(20).writeTo(folder.resolve("run"));
        writeMessages(run, 0, 28, 100, 40, 50, 10);
        writeMessages(run, 1, 28, 100, 40, 50, 10);
        amend(run, "summary_client_%d.json", "\"bottleneck\"", "\"messages\":{\"sent_rate\":99.5,\"received_rate\":0,"
                + "\"takes\":300,\"empty_takes\":150},\"under_way\":1.25,\"bottleneck\"");

        assertThat(Invocation.of("figures", run, "-fmt", "csv").out()).contains("\nsent,1/s,199,", "\nreceived,1/s,0,",
                "\nempty_takes,%,50,", "\nunder_way,requests,2.5,");
    }

    @Test
    void shouldCallMoreRequestsUnderWayNeitherBetterNorWorse() throws Exception {
        String few = underWay("1.0") + "," + underWay("1.01");
        String many = underWay("2.0") + "," + underWay("2.01");

        assertThat(verdictOf(Invocation.of("compare", few, many, "-fmt", "csv"), "under_way")).isEqualTo("more");
        assertThat(verdictOf(Invocation.of("compare", many, few, "-fmt", "csv"), "under_way")).isEqualTo("less");
    }

    private String underWay(String mean) throws Exception {
        Path run = new SampleRun(1).seconds(4).clients(3).writeTo(folder.resolve(mean));
        amend(run, "summary_client_%d.json", "\"bottleneck\"", "\"under_way\":" + mean + ",$0");
        return run.toString();
    }

    @Test
    void shouldSeeADifferenceOfErrorsThatCannotBeChance() throws Exception {
        Path none = evenly("none", 10_000, 0);
        Path few = evenly("few", 10_000, 12);

        Invocation result = Invocation.of("compare", none, few, "-metric", "errors", "-fmt", "csv");

        assertThat(verdictOf(result, "errors")).isEqualTo("worse");
    }

    @Test
    void shouldTellNoShareBeyondAll() throws Exception {
        List<String> lines = Invocation.of("figures", evenly("all", 10_000, 10_000), "-fmt", "csv").lines();

        assertThat(List.of(cell(lines, "errors", 2), cell(lines, "errors", 3), cell(lines, "errors", 4)))
                .containsExactly("100", "99.963", "100");
    }

    @Test
    void shouldNotCallASingleRunWorseForOneFailureAmongFewRequests() throws Exception {
        String repetitions = "";
        for (int i = 0; i < 5; i++) {
            repetitions += (i == 0 ? "before=" : ",") + evenly("before" + i, 10_000, 5);
        }

        Invocation result = Invocation.of("compare", repetitions, evenly("after", 200, 1), "-metric", "errors", "-fmt",
                "csv");

        assertThat(verdictOf(result, "errors")).isEqualTo("within noise");
    }

    /** Writes requests in 100 s, of which so many fail, evenly. */
    private Path evenly(String name, int requests, int failures) throws Exception {
        LogLines lines = LogLines.inMicroseconds();
        for (long i = 0; i < requests; i++) {
            boolean fails = (i + 1) * failures / requests > i * failures / requests;
            lines.add(500, (int) (i * 100_000 / requests), fails ? "CSndReq#TIMEOUT#sendMessage"
                    : "CSndReq#OK#sendMessage");
        }
        return lines.writeTo(folder.resolve(name + "/client_0/performance_client_0.log")).getParent().getParent();
    }

    @Test
    void shouldNotTellTheTimeOfMessagesByTheClocksOfTwoMachines() throws Exception {
        Path run = writeReceipts(new SampleRun(1).seconds(20).writeTo(folder.resolve("run")), 7_000);
        Files.createDirectories(run.resolve("logs/m3"));
        Files.move(run.resolve("logs/m1/client_1"), run.resolve("logs/m3/client_1"));

        assertThat(Invocation.of("figures", run, "-fmt", "csv").out()).contains("\np99,",
                "\ne2e_p50,us,,,,,the clocks of the clients' machines were not compared,");
    }

    /** Adds a message to each answered request, with its time from end to end [us]. */
    private static Path writeReceipts(Path run, int micros) throws Exception {
        amend(run, "performance_client_%d.log", "(?m)^\\d+;(\\d+);CSndReq#OK#.*$",
                "$0\n" + micros + ";$1;CE2E#dequeueMessage;C[5]");
        amend(run, "summary_client_%d.json", "\"bottleneck\"", "\"e2e\":{\"count\":9},\"bottleneck\"");
        return run;
    }

    /** Changes a file of both clients. @param file its name with {@code %d} for the client */
    private static void amend(Path run, String file, String regex, String replacement) throws Exception {
        for (int client = 0; client < 2; client++) {
            Path path = run.resolve("logs/m1/client_" + client).resolve(file.formatted(client));
            Files.writeString(path, Files.readString(path).replaceAll(regex, replacement));
        }
    }

    @Test
    void shouldCountTheMessagesBeforeAJvmBegan() throws Exception {
        Path run = new SampleRun(1).seconds(20).writeTo(folder.resolve("run"));
        writeMessages(run, 0, 28, 100, 40, 50, 10);
        Path late = run.resolve("logs/m1/client_1/gauges_client_1.csv");
        StringBuilder text = new StringBuilder("ms,clients,sent,received,takes,empty_takes\n");
        for (int second = 15; second < 28; second++) {
            text.append("%d,10,%d,0,0,0\n".formatted(second * 1_000, (second - 15) * 100));
        }
        Files.writeString(late, text);

        assertThat(Invocation.of("figures", run, "-fmt", "csv").lines())
                .anyMatch(line -> line.startsWith("sent,1/s,150,"));
    }

    @Test
    void shouldTellNoBytesOfDisksIfAMachineDidNotMeasureThem() throws Exception {
        Path run = new SampleRun(1).seconds(20).brokerCpu(0.5).writeTo(folder.resolve("run"));
        assertThat(Invocation.of("figures", run, "-fmt", "csv").out()).contains("disk_written,");

        Files.delete(run.resolve("logs/m1/machine.csv"));
        assertThat(Invocation.of("figures", run, "-fmt", "csv").out()).doesNotContain("disk_written,")
                .contains("cpu_brokers,");
    }

    @Test
    void shouldNotBeSureOfErrorsThatWereNotSeen() throws Exception {
        Path run = new SampleRun(1).seconds(4).clients(2).errors(0).writeTo(folder.resolve("run"));

        List<String> lines = Invocation.of("figures", run, "-fmt", "csv").lines();
        double requests = Double.parseDouble(cell(lines, "requests", 2));
        assertThat(cell(lines, "errors", 2)).isEqualTo("0");
        // A Poisson count of 3.689 is 0 in 2.5 % of the cases.
        assertThat(Double.parseDouble(cell(lines, "errors", 4)) * requests / 100).isBetween(3.6, 4.3);
    }

    private static String cell(List<String> lines, String figure, int column) {
        return lines.stream().filter(line -> line.startsWith(figure + ",")).findFirst().orElseThrow()
                .split(",")[column];
    }

    /** Writes the gauges of a client until a second, with its growth a second: sent, received, takes, empty takes. */
    private static void writeMessages(Path run, int client, int until, long... growth) throws Exception {
        StringBuilder text = new StringBuilder("ms,clients,sent,received,takes,empty_takes\n");
        for (int second = 0; second < until; second++) {
            text.append(second * 1_000).append(",10");
            for (long each : growth) {
                text.append(',').append(each * second);
            }
            text.append('\n');
        }
        Files.writeString(run.resolve("logs/m1/client_" + client + "/gauges_client_" + client + ".csv"), text);
    }

    @Test
    void shouldTellWhichRunsHadSlowerProcessors() throws Exception {
        Path before = new SampleRun(1).seconds(20).fixedWork(3_000, 3_000).writeTo(folder.resolve("before"));
        Path after = new SampleRun(2).seconds(20).fixedWork(4_000, 4_400).writeTo(folder.resolve("after"));

        Invocation result = Invocation.of("compare", before, after, "-fmt", "csv");

        assertThat(valuesOf(result, "fixed_work")).containsExactly("3000", "4200");
        assertThat(verdictOf(result, "fixed_work")).isEqualTo("worse");
    }

    @Test
    void shouldCountNoSecondsAfterTheEndOfAJvm() throws Exception {
        Path run = new SampleRun(1).seconds(20).pauses(5).writeTo(folder.resolve("run"));
        Path cut = new SampleRun(2).seconds(20).pauses(5).writeTo(folder.resolve("cut"));
        Path gauges = cut.resolve("logs/m2/broker_0/gauges_broker_0.csv");
        Files.write(gauges, Files.readAllLines(gauges).subList(0, 16));

        assertThat(valuesOf(Invocation.of("compare", run, cut, "-metric", "gc_brokers", "-fmt", "csv"), "gc_brokers"))
                .containsExactly("0.5", "0.5");
    }

    @Test
    void shouldTellHowMuchOfTheLoadStartedLate() throws Exception {
        Path before = new SampleRun(1).seconds(20).writeTo(folder.resolve("before"));
        Path after = new SampleRun(1).seconds(20).late(100).writeTo(folder.resolve("after"));
        Path other = new SampleRun(1).seconds(20).late(100).writeTo(folder.resolve("other"));
        Path summary = other.resolve("logs/m1/client_0/summary_client_0.json");
        Files.writeString(summary, Files.readString(summary).replace("\"late\":100", "\"late\":0"));

        Invocation result = Invocation.of("compare", before, after, "-metric", "late", "-fmt", "csv");
        Invocation uneven = Invocation.of("compare", before, other, "-metric", "late", "-fmt", "csv");

        assertThat(Double.parseDouble(valuesOf(result, "late").get(1))).isBetween(0.3, 0.6);
        assertThat(verdictOf(result, "late")).isEqualTo("worse");
        assertThat(lineOf(uneven, "late").split(",")[13]).as("low end of the interval").isEqualTo("0");
        assertThat(verdictOf(uneven, "late")).isEqualTo("within noise");
    }

    @Test
    void shouldLeaveOutWhatWasNotMeasuredInEachRun() throws Exception {
        Path measured = new SampleRun(1).seconds(20).writeTo(folder.resolve("measured"));
        Path not = new SampleRun(2).seconds(20).writeTo(folder.resolve("not"));
        Files.delete(not.resolve("logs/m2/machine.csv"));

        Invocation result = Invocation.of("compare", measured, not, "-fmt", "csv");

        assertThat(result.out()).contains("not,cpu_clients,").doesNotContain(",cpu_brokers,");
        assertThat(valuesOf(Invocation.of("compare", measured, not, "-metric", "cpu_brokers", "-fmt", "csv"),
                "cpu_brokers")).containsExactly("80", "");
    }

    @Test
    void shouldEndWithThreeWhereALimitIsBroken() throws Exception {
        Path before = run("before", 1, 1);
        Path after = run("after", 2, 1.5);

        Invocation broken = Invocation.of("compare", before, after, "--fail-if", "p99 > +10 %", "--fail-if",
                "errors > 50 %");
        Invocation kept = Invocation.of("compare", before, after, "--fail-if", "p99 > +500 %", "--fail-if",
                "mean > 20 s");
        Invocation noise = Invocation.of("compare", before, run("same", 3, 1), "--fail-if", "p99 > +0 %");

        assertThat(broken.exitCode()).isEqualTo(3);
        assertThat(broken.err().lines()).hasSize(1).allMatch(line -> line.endsWith("which breaks: p99 > +10 %"));
        assertThat(kept.exitCode()).isZero();
        assertThat(noise.exitCode()).isZero();
    }

    @Test
    void shouldCallNoErrorsInBothNoChange() throws Exception {
        Path one = new SampleRun(1).seconds(4).clients(2).errors(0).writeTo(folder.resolve("one"));
        Path other = new SampleRun(2).seconds(4).clients(2).errors(0).writeTo(folder.resolve("other"));

        Invocation result = Invocation.of("compare", one, other, "-metric", "errors", "-fmt", "csv");

        assertThat(result.lines().get(1))
                .isEqualTo("other,errors,%,0,0,0,-0.229,0.229,0,,,0,0.162,0,0.162,,,,,within noise");
    }

    @Test
    void shouldBreakALimitWhereNothingSucceeded() throws Exception {
        Path before = LogLines.inMicroseconds().add(100, 1, "CSndReq#OK#a").add(200, 2_000, "CSndReq#OK#a")
                .writeTo(folder.resolve("before/performance_client_0.log")).getParent();
        Path after = LogLines.inMicroseconds().add(100, 1, "CSndReq#TIMEOUT#a").add(200, 2_000, "CSndReq#TIMEOUT#a")
                .writeTo(folder.resolve("after/performance_client_0.log")).getParent();

        Invocation result = Invocation.of("compare", before, after, "--fail-if", "p99 > +10 %", "--fail-if",
                "errors > +5 %");

        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(result.err().lines()).containsExactly(
                "after: p99 is > 200 us, 200 us at before, which breaks: p99 > +10 %",
                "after: errors is 100 %, 0 % at before, which breaks: errors > +5 %");
    }

    @Test
    void shouldNotBreakALimitByOneFailureOfAShortRun() throws Exception {
        Path before = LogLines.inMicroseconds().add(100, 1, "CSndReq#OK#a").add(200, 2_000, "CSndReq#OK#a")
                .writeTo(folder.resolve("before/performance_client_0.log")).getParent();
        Path after = LogLines.inMicroseconds().add(100, 1, "CSndReq#OK#a").add(200, 2_000, "CSndReq#TIMEOUT#a")
                .writeTo(folder.resolve("after/performance_client_0.log")).getParent();

        Invocation result = Invocation.of("compare", before, after, "--fail-if", "errors > +10 %");

        assertThat(result.exitCode()).isZero();
        assertThat(result.err()).contains("cannot be distinguished from noise (too few observations)");
    }

    @Test
    void shouldTakeFailedRequestsForLongerThanAllOthers() throws Exception {
        Path before = failing("before", 0);
        Path after = failing("after", 30);

        Invocation result = Invocation.of("compare", before, after, "-metric", "mean,p95,p99,errors", "--fail-if",
                "p99 < 1 s", "--fail-if", "p99 > +10 %");
        Invocation machine = Invocation.of("compare", before, after, "-metric", "p99", "-fmt", "csv");

        assertThat(valuesOf(Invocation.of("compare", before, after, "-metric", "p95", "-fmt", "csv"), "p95"))
                .as("the 1,900th and 1,928.5th of 2,000 and 2,030").containsExactly("1900", "1929");
        assertThat(result.out()).contains("> 1000000 us");
        assertThat(lineOf(machine, "p99")).as("no value, but what it is at least").contains(",1980,,").contains(
                ",1000000,");
        assertThat(verdictOf(machine, "p99")).isEqualTo("worse");
        assertThat(result.err()).contains("p99 is > 1000000 us, 1980 us at before, which breaks: p99 > +10 %")
                .doesNotContain("p99 < 1 s");
    }

    @Test
    void shouldBreakNoLimitOfAChangeFromAPercentileAmongFailedRequests() throws Exception {
        Path failed = failing("failed", 30);
        Path whole = failing("whole", 0);

        Invocation better = Invocation.of("compare", failed, whole, "-metric", "p99", "--fail-if", "p99 > +10 %");
        Invocation same = Invocation.of("compare", failed, failing("same", 30), "--fail-if", "p99 > +10 %");
        Invocation repeated = Invocation.of("compare", "failed=" + failed + "," + whole, "same=" + failed + ","
                + failed,
                "--fail-if", "p99 > +10 %");

        assertThat(better.exitCode()).isZero();
        assertThat(better.err()).isEmpty();
        assertThat(same.exitCode()).isZero();
        assertThat(repeated.exitCode()).isZero();
        assertThat(repeated.err()).contains("cannot be distinguished from noise (among requests that failed)");
    }

    @Test
    void shouldGiveTheReasonWhyRepetitionsHaveNoInterval() throws Exception {
        Invocation figures = Invocation.of("figures", failing("a", 0) + "," + failing("b", 30), "-metric", "p99",
                "-fmt", "csv");

        assertThat(figures.lines()).anyMatch(line -> line.startsWith("p99,us,")
                && line.endsWith(",among requests that failed,"));
    }

    @Test
    void shouldCountWhatNeverStartedOnlyWhereFailedRequestsAreAskedFor() throws Exception {
        Path run = failing("run", 30);
        Files.writeString(run.resolve("summary_client_0.json"),
                "{\"ok\": 2000, \"errors\": {\"NOT_STARTED\": 60, \"TIMEOUT\": 30}, \"started\": 2030}");

        assertThat(Invocation.of("figures", run, "-type", "CSndReq#OK", "-fmt", "csv").lines())
                .contains("requests,,2000,,,,,");
        assertThat(Invocation.of("figures", run, "-fmt", "csv").lines()).contains("requests,,2090,,,,,");
    }

    @Test
    void shouldNotTakeADamagedLineForAllThatWentWell() throws Exception {
        Path run = failing("run", 0);
        Path damaged = failing("damaged", 0);
        Path log = damaged.resolve("performance_client_0.log");
        Files.writeString(log, Files.readString(log).replaceFirst("CSndReq#OK#a", "CSndReq#?"));

        Invocation result = Invocation.of("compare", run, damaged, "-metric", "throughput,median,errors",
                "-fmt", "csv");

        assertThat(verdictOf(result, "median")).isEqualTo("within noise");
        assertThat(valuesOf(result, "errors")).containsExactly("0", "0.05");
    }

    @Test
    void shouldGiveNoIntervalOfWhatRequestsThatNeverStartedDecide() throws Exception {
        Path before = failing("before", 0);
        Path after = failing("after", 0);
        Files.writeString(after.resolve("summary_client_0.json"),
                "{\"ok\": 2000, \"errors\": {\"NOT_STARTED\": 60}, \"started\": 2000}");

        Invocation result = Invocation.of("compare", before, after, "-metric", "errors,p95,p99", "-fmt", "csv");

        assertThat(Double.parseDouble(valuesOf(result, "errors").get(1))).isBetween(2.9, 2.92);
        assertThat(result.lines().stream().skip(1)).hasSize(3)
                .allMatch(line -> line.endsWith(",what never started or never arrived is in no log,no interval"));
        assertThat(valuesOf(result, "p95")).containsExactly("1900", "1957");
    }

    /** 2,000 requests over 20 s that last 1 to 2,000 us, and failed ones that last a second. */
    private Path failing(String name, int failures) throws IOException {
        LogLines lines = LogLines.inMicroseconds();
        for (int i = 0; i < 2_000; i++) {
            lines.add(1 + i * 777 % 2_000, 5 + i * 10, "CSndReq#OK#a");
        }
        for (int i = 0; i < failures; i++) {
            lines.add(1_000_000, 1_100 + i * 18_000L / failures, "CSndReq#TIMEOUT#a");
        }
        return lines.writeTo(folder.resolve(name + "/performance_client_0.log")).getParent();
    }

    @Test
    void shouldBreakNoLimitByAChangeOfUnknownSignificance() throws Exception {
        Path before = LogLines.inMicroseconds().add(100, 1, "CSndReq#OK#a").add(100, 2_000, "CSndReq#OK#a")
                .writeTo(folder.resolve("before/performance_client_0.log")).getParent();
        Path after = LogLines.inMicroseconds().add(300, 1, "CSndReq#OK#a").add(300, 2_000, "CSndReq#OK#a")
                .writeTo(folder.resolve("after/performance_client_0.log")).getParent();
        Path junit = folder.resolve("limits.xml");

        Invocation result = Invocation.of("compare", before, after, "--fail-if", "p99 > +10 %", "--junit", junit);

        assertThat(result.exitCode()).isZero();
        assertThat(result.err().strip()).isEqualTo("after: p99 is 300 us, 100 us at before (+200 %), but it cannot be "
                + "distinguished from noise (too few observations): p99 > +10 %");
        assertThat(result.out()).contains("no interval: too few observations");
        assertThat(Files.readString(junit)).contains("failures=\"0\" skipped=\"1\"", "<skipped message=\"after: p99");
    }

    @Test
    void shouldTellHowSmallAChangeWouldBeSeen() throws Exception {
        String line = lineOf(Invocation.of("compare", run("before", 1, 1), run("after", 2, 1.5), "-metric", "mean",
                "-fmt", "csv"), "mean");
        List<Double> cells = Stream.of(line.split(",")).skip(8).limit(8).map(Double::parseDouble).toList();

        // half the width of the interval, and as much more as a power of 80 % needs: (1.960 + 0.842) / 1.960
        assertThat(cells.get(7)).isCloseTo((cells.get(2) - cells.get(1)) / 2 * 1.4294, within(0.01));
    }

    @Test
    void shouldNotTrustASingleRunBesideRepetitionsThatVary() throws Exception {
        String varied = "varied=" + run("a1", 1, 0.8) + "," + run("a2", 2, 0.9) + "," + run("a3", 3, 1) + ","
                + run("a4", 4, 1.1) + "," + run("a5", 5, 1.2);

        Invocation result = Invocation.of("compare", varied, run("one", 6, 1.3), "-metric", "mean", "-fmt", "csv");

        assertThat(verdictOf(result, "mean")).isEqualTo("within noise");
    }

    @Test
    void shouldTellRunsOfTheSameNameApart() throws Exception {
        Path one = run("one", 1, 1);
        Path other = Files.createDirectories(folder.resolve("other")).resolve("one");
        new SampleRun(2).seconds(6).clients(3).writeTo(other);

        List<String> lines = Invocation.of("compare", one, other, "-metric", "mean", "-fmt", "csv").lines();

        assertThat(lines.get(1)).startsWith(other + ",mean,us,");
    }

    @Test
    void shouldRefuseALimitThatMakesNoSense() throws Exception {
        Path run = run("a", 1, 1);
        for (String limit : List.of("p99 ~ 3", "speed > +3 %", "p99 > +3 ms", "p99 > 3 %", "errors > 3 ms")) {
            assertThat(Invocation.of("compare", run, run, "--fail-if", limit).exitCode()).as(limit).isEqualTo(2);
        }
        assertThat(Invocation.of("compare", run).err())
                .startsWith("compare needs a baseline and at least one other run.");
    }

    @Test
    void shouldDrawTheComparisonAndTheParameterInWhichRunsDiffer() throws Exception {
        Path plots = folder.resolve("plots");
        Path four = new SampleRun(1).seconds(4).clients(2).workers(4).writeTo(folder.resolve("four"));
        Path eight = new SampleRun(2).seconds(4).clients(2).workers(8).writeTo(folder.resolve("eight"));

        Invocation result = Invocation.of("compare", four, eight, "-metric", "mean", "-plot", plots);

        assertThat(result.exitCode()).isZero();
        assertThat(plots.resolve("comparison.gp")).exists();
        assertThat(Files.readAllLines(plots.resolve("parameter_mean.csv")).get(0))
                .isEqualTo("workers,mean,low,high,run");
        assertThat(Files.readAllLines(plots.resolve("parameter_mean.csv")).get(1)).startsWith("4,");
    }

    @Test
    void shouldDrawNoLineOverANumberThatDoesNotTellTheRunsApart() throws Exception {
        Path plots = folder.resolve("plots");
        Path four = new SampleRun(1).seconds(4).clients(2).workers(4).writeTo(folder.resolve("four"));
        Path again = new SampleRun(3).seconds(4).clients(3).workers(4).writeTo(folder.resolve("again"));
        Path eight = new SampleRun(2).seconds(4).clients(2).workers(8).writeTo(folder.resolve("eight"));

        Invocation result = Invocation.of("compare", four, again, eight, "-metric", "mean", "-plot", plots);

        assertThat(result.exitCode()).isZero();
        assertThat(plots.resolve("comparison.gp")).exists();
        assertThat(plots.resolve("parameter_mean.csv")).doesNotExist();
    }

    /** A line through an outage would show values that were not measured. */
    @Test
    void shouldDrawNoLineThroughAnOutage() throws Exception {
        Path plots = folder.resolve("plots");

        Invocation.of("compare", outage("before"), outage("after"), "-plot", plots);

        List<String> throughput = Files.readAllLines(plots.resolve("throughput.csv"));
        List<String> times = Files.readAllLines(plots.resolve("response_time.csv"));
        assertThat(throughput).contains("before,9,10", "before,10,0", "before,19,0", "before,20,10").hasSize(61);
        assertThat(times).contains("before,9,100,100", "before,10,NaN,NaN", "after,19,NaN,NaN", "after,20,100,100");
    }

    @Test
    void shouldDrawARunInWhichNothingSucceeded() throws Exception {
        Path failed = LogLines.inMicroseconds().add(100, 1, "CSndReq#TIMEOUT#a").add(100, 5_000, "CSndReq#TIMEOUT#a")
                .writeTo(folder.resolve("failed/performance_client_0.log")).getParent();

        Invocation result = Invocation.of("compare", outage("before"), failed, "-plot", folder.resolve("plots"));

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(Files.readAllLines(folder.resolve("plots/throughput.csv"))).contains("failed,0,0", "failed,4,0");
    }

    /** A missing interval must not look like one of length 0. */
    @Test
    void shouldDrawNoBarWhereThereIsNoInterval() throws Exception {
        Path plots = folder.resolve("plots");
        for (String workers : List.of("4", "8")) {
            Path log = LogLines.inMicroseconds().add(100, 1, "CSndReq#OK#a").add(300, 2_000, "CSndReq#OK#a")
                    .writeTo(folder.resolve("w" + workers + "/performance.log"));
            Files.writeString(log.resolveSibling("environment.json"), "{\"definition\":{\"workers\":" + workers
                    + "}}");
        }

        Invocation.of("compare", folder.resolve("w4"), folder.resolve("w8"), "-metric", "mean", "-plot", plots);

        assertThat(Files.readAllLines(plots.resolve("parameter_mean.csv"))).contains("4,200,,,w4", "8,200,,,w8");
        assertThat(Files.readString(plots.resolve("parameter_mean.gp"))).contains("'no interval'");
        assertThat(Files.readString(plots.resolve("comparison.gp"))).contains("'no interval'");
    }

    /** Each run has its own time, and one colour in all charts, shared by its repetitions. */
    @Test
    void shouldDrawTheRunsIntoOnePicture() throws Exception {
        Path plots = folder.resolve("plots");

        Invocation result = Invocation.of("compare", "A=" + run("1", 1, 1) + "," + run("2", 2, 1), "B="
                + run("3", 3, 1.2), "-plot", plots);

        assertThat(result.err()).isEmpty();
        for (String chart : List.of("throughput", "response_time", "spectrum")) {
            assertThat(Files.readString(plots.resolve(chart + ".gp"))).as(chart).containsSubsequence(
                    "colour1 linewidth 1.8 title 'A 1'", "colour1 linewidth 1.8 dashtype 2 title 'A 2'",
                    "colour2 linewidth 1.8 title 'B'");
        }
        assertThat(Files.readAllLines(plots.resolve("throughput.csv"))).extracting(line -> line.split(",")[0])
                .contains("A 1", "A 2", "B");
        assertThat(Files.readAllLines(plots.resolve("breakdown.csv"))).extracting(line -> line.split(",")[0])
                .containsExactly("of", "A 1", "A 2", "B");
    }

    @Test
    void shouldWriteTheLimitsAsJUnitXml() throws Exception {
        Path junit = folder.resolve("limits.xml");

        Invocation result = Invocation.of("compare", run("before", 1, 1), run("after", 2, 1.5), "--fail-if",
                "mean > +10 %", "--fail-if", "errors > 50 %", "--junit", junit);

        assertThat(result.exitCode()).isEqualTo(3);
        Document xml = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(junit.toFile());
        assertThat(xml.getDocumentElement().getAttribute("failures")).isEqualTo("1");
        NodeList cases = xml.getElementsByTagName("testcase");
        assertThat(cases.getLength()).isEqualTo(2);
        assertThat(((Element) cases.item(0)).getAttribute("name")).isEqualTo("mean > +10 %");
        assertThat(((Element) cases.item(0)).getElementsByTagName("failure").item(0).getAttributes()
                .getNamedItem("message").getNodeValue()).isEqualTo(result.err().strip());
        assertThat(cases.item(1).getChildNodes().getLength()).isZero();
    }

    @Test
    void shouldWriteXmlThatCanBeReadWhateverTheRunsAreCalled() throws Exception {
        Path junit = folder.resolve("limits.xml");

        Invocation.of("compare", "before=" + run("1", 1, 1), "af\u0001ter\u001b[2J=" + run("2", 2, 1.5), "--fail-if",
                "mean > +10 %", "--junit", junit);

        Document xml = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(junit.toFile());
        assertThat(((Element) xml.getElementsByTagName("testcase").item(0)).getAttribute("classname"))
                .isEqualTo("af?ter?[2J");
    }

    @Test
    void shouldPutTimesInSeveralUnitsOnOneAxis() throws Exception {
        List<Object> arguments = new ArrayList<>(List.of("compare", "-metric", "mean", "-plot",
                folder.resolve("plots")));
        for (String think : List.of("500ms", "0", "1s")) {
            Path run = LogLines.inMicroseconds().add(100, 1, "CSndReq#OK#a")
                    .writeTo(folder.resolve(think + "/performance.log"));
            Files.writeString(run.resolveSibling("environment.json"), "{\"definition\":{\"think\":\"" + think + "\"}}");
            arguments.add(run.getParent());
        }

        Invocation.of(arguments.toArray());

        assertThat(Files.readAllLines(folder.resolve("plots/parameter_mean.csv")))
                .extracting(line -> line.split(",")[0]).containsExactly("think [s]", "0", "0.5", "1");
    }

    @Test
    void shouldNameTheRunsInAPictureInTheOrderInWhichTheyWereGiven() throws Exception {
        Path plots = folder.resolve("plots");

        Invocation.of("compare", run("8", 1, 1), run("16", 2, 1.1), run("128", 3, 1.2), "-metric", "mean", "-plot",
                plots);

        assertThat(Files.readString(plots.resolve("comparison.gp"))).containsSubsequence("Change from 8", "title '16'",
                "title '128'");
    }

    /** @return a run of 30 s whose middle has no answers */
    private Path outage(String name) throws IOException {
        LogLines lines = LogLines.inMicroseconds();
        for (int ms = 50; ms < 30_000; ms += 100) {
            if (ms < 10_000 || ms >= 20_000) {
                lines.add(100, ms, "CSndReq#OK#a");
            }
        }
        return lines.writeTo(folder.resolve(name + "/performance_client_0.log")).getParent();
    }

    private Path run(String name, int seed, double slower) throws IOException {
        Path path = folder.resolve(name);
        return Files.exists(path) ? path : new SampleRun(seed).seconds(30).clients(3).slower(slower).writeTo(path);
    }

    private static String verdictOf(Invocation result, String figure) {
        String line = lineOf(result, figure);
        return line.substring(line.lastIndexOf(',') + 1);
    }

    /** @return those of the baseline and of the other run */
    private static List<String> valuesOf(Invocation result, String figure) {
        return List.of(lineOf(result, figure).split(",")).subList(3, 5);
    }

    private static String lineOf(Invocation result, String figure) {
        return result.lines().stream().filter(each -> each.contains("," + figure + ",")).findFirst().orElseThrow();
    }
}
