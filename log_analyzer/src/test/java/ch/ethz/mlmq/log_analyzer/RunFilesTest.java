package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ch.ethz.mlmq.log_analyzer.plot.Plot;
import ch.ethz.mlmq.log_analyzer.plot.kinds.Plots;
import ch.ethz.mlmq.log_analyzer.run.InteractiveLaw;
import ch.ethz.mlmq.log_analyzer.run.IntervalHistograms;
import ch.ethz.mlmq.log_analyzer.run.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFilesTest {
    @TempDir
    private Path folder;

    @Test
    void shouldTakeTheMeasuringPhaseOfTheClientsForTheSteadyPart() throws Exception {
        Path zip = new SampleRun(1).seconds(6).clients(2).zipTo(folder.resolve("test_run_7.zip"));

        List<String> lines = Invocation.of("-d", zip).lines();

        assertThat(lines.get(0)).isEqualTo("test_run_7");
        assertThat(lines).anyMatch(line ->
                line.matches("Measurement interval: [45](\\.\\d+)? s to 1[01](\\.\\d+)? s after .*"));
    }

    @Test
    void shouldReadThinkTimesAsTheLoadDoes() throws Exception {
        Map<String, Double> spellings = Map.of("0", 0.0, "10ms", 10.0, "10 ms", 10.0, "1h", 3_600_000.0, "2 min",
                120_000.0, "exponential 10 ms", 10.0, "uniform 5ms..15 ms", 10.0, "250 us", 0.25);
        for (Map.Entry<String, Double> spelling : spellings.entrySet()) {
            assertThat(lawWith("\"client.think.time\":\"" + spelling.getKey() + "\"").thinkTime() * 1000)
                    .as(spelling.getKey()).isCloseTo(spelling.getValue(), within(1e-9));
        }
    }

    @Test
    void shouldCountAClientAsOftenAsItHasRequestsInFlight() throws Exception {
        double once = lawWith("\"client.think.time\":\"5ms\"").clients();

        assertThat(lawWith("\"client.think.time\":\"5ms\",\"client.inflight.max\":\"8\"").clients())
                .isEqualTo(8 * once);
    }

    private InteractiveLaw lawWith(String settings) throws Exception {
        Path run = new SampleRun(3).seconds(2).clients(3).writeTo(folder.resolve("of " + settings.hashCode()));
        Path environment = run.resolve("environment.json");
        Files.writeString(environment, Files.readString(environment).replace("\"client.think.time\":\"5ms\"",
                settings));
        try (Run files = Run.open(run, complaint -> { })) {
            return InteractiveLaw.of(files).orElseThrow();
        }
    }

    @Test
    void shouldHoldTheInteractiveLawForAClosedLoad() throws Exception {
        Path run = new SampleRun(1).seconds(8).clients(4).errors(0).writeTo(folder.resolve("run"));

        try (Run files = Run.open(run, complaint -> { })) {
            InteractiveLaw law = InteractiveLaw.of(files).orElseThrow();

            assertThat(law.clients()).isEqualTo(8);
            assertThat(law.thinkTime()).isEqualTo(0.005);
            assertThat(law.deviation()).isCloseTo(0, within(0.02));
        }
        assertThat(Invocation.of("-d", run).out()).contains("Interactive law: N = 8 clients, X (R + Z) = ");
    }

    @Test
    void shouldAddHistogramsUpExactly() throws Exception {
        Path run = new SampleRun(1).seconds(3).clients(2).writeTo(folder.resolve("run"));

        try (Run files = Run.open(run, complaint -> { })) {
            Histogram all = IntervalHistograms.of(files, Optional.empty(), List.of()).responses();
            long lines = 0;
            for (int i = 0; i < 2; i++) {
                lines += Files.readAllLines(run.resolve("logs/m1/client_" + i + "/performance_client_" + i + ".log"))
                        .size() - 1;
            }

            assertThat(all.getTotalCount()).isEqualTo(lines);
            assertThat(IntervalHistograms.distribution(all).percentile(50))
                    .isEqualTo((int) all.getValueAtPercentile(50));
        }
    }

    @Test
    void shouldWriteThePercentilesOfHistograms() throws Exception {
        Path run = new SampleRun(1).seconds(3).clients(2).writeTo(folder.resolve("run"));

        Invocation all = Invocation.of("-d", run, "-fmt", "hgrm");
        Invocation files = Invocation.of("-d", run, "-fmt", "hgrm", "-out", folder.resolve("hgrm"));

        assertThat(all.out()).contains("Value     Percentile TotalCount 1/(1-Percentile)", "#[Mean");
        assertThat(files.exitCode()).isZero();
        assertThat(folder.resolve("hgrm/sendMessage.hgrm")).exists();
        assertThat(Files.readString(folder.resolve("hgrm/all.hgrm"))).isEqualTo(all.out());
    }

    @Test
    void shouldWriteThePercentilesOfWhatWasAskedFor() throws Exception {
        Path run = new SampleRun(1).seconds(6).clients(2).writeTo(folder.resolve("run"));

        Invocation begun = Invocation.of("-d", run, "-fmt", "hgrm", "-from", "4500ms", "-to", "7s");
        Invocation other = Invocation.of("-d", run, "-fmt", "hgrm", "-type", "CSndReq#OK#dequeue");

        assertThat(totalCount(begun)).isBetween(1, totalCount(Invocation.of("-d", run, "-fmt", "hgrm")) - 1);
        assertThat(other.exitCode()).isEqualTo(2);
        assertThat(other.err().strip()).isEqualTo("There is no .hlog in run with a selected action.");
    }

    @Test
    void shouldDrawAPartOfTheTimeSinceTheLoadBegan() throws Exception {
        Path run = new SampleRun(1).seconds(12).clients(2).event(3, "died", "broker_0", "gone")
                .event(8, "command", "", "rate 9/s").writeTo(folder.resolve("run"));
        // Measurements before the load do not move the time axis.
        Path log = run.resolve("logs/m1/client_0/performance_client_0.log");
        long start = Long.parseLong(Files.readString(run.resolve("environment.json"))
                .replaceAll("(?s).*load_starts_ms\":(\\d+).*", "$1"));
        Files.writeString(log, Files.readString(log) + "5;" + (start - 4_000) + ";CSndReq#OK#register;C[1]\n");

        Invocation result = Invocation.of("-d", run, "-fmt", "gnuplot", "-kind", "response_time,rates,queues",
                "-window", "1s",
                "-type", "CSndReq#OK#", "BTotReqResp", "BDb#", "-group-by", "tier", "-from", "5s", "-to", "9s", "-out",
                folder);

        assertThat(result.exitCode()).isZero();
        for (String kind : List.of("response_time", "rates", "queues")) {
            String script = Files.readString(folder.resolve(kind + ".gp"));
            assertThat(script).containsPattern("set xrange \\[5:(9|8\\.\\d+)]").contains("0:08  rate 9/s")
                    .doesNotContain("died");
            assertThat(Files.readAllLines(folder.resolve(kind + ".csv")).get(1)).startsWith("5");
        }
        assertThat(Files.readAllLines(folder.resolve("response_time.csv")).get(0))
                .contains("client", "broker", "database");
    }

    @Test
    void shouldLeaveOutWhatAKilledJvmLeftOfALine() throws Exception {
        Path run = new SampleRun(1).seconds(12).clients(2).writeTo(folder.resolve("run"));
        for (String file : List.of("logs/m1/client_0/client_0.hlog", "logs/m2/broker_0/stats_broker_0.csv",
                "queue_lengths.csv")) {
            String whole = Files.readString(run.resolve(file)).strip();
            Files.writeString(run.resolve(file),
                    whole.substring(0, whole.length() - (file.endsWith("hlog") ? 200 : 3)));
        }
        Files.writeString(run.resolve("logs/m1/client_1/performance_client_2.log.gz"), "no gzip at all\n");

        Invocation result = Invocation.of("-d", run, "-fmt", "gnuplot", "-kind", "spectrum,rates,messages", "-out",
                folder);

        assertThat(result.exitCode()).isZero();
        assertThat(result.err().lines()).hasSize(1).first().asString()
                .startsWith("logs/m1/client_1/performance_client_2.log.gz: 1 malformed line, the first is line 1: ");
        assertThat(Files.readAllLines(folder.resolve("messages.csv")).size()).isGreaterThan(1);
    }

    @Test
    void shouldDrawEveryKindOfChartWithGnuplot() throws Exception {
        Path zip = new SampleRun(1).seconds(6).clients(2).zipTo(folder.resolve("it's a run.zip"));
        Path plots = folder.resolve("plots");

        Invocation result = Invocation.of("-d", zip, "-fmt", "gnuplot", "-out", plots);

        assertThat(result.err()).isEmpty();
        for (Plot plot : Plots.ofEveryRun()) {
            assertThat(gnuplot(plots.resolve(plot.name() + ".gp"))).as(plot.name()).isEmpty();
            assertThat(Files.readString(plots.resolve(plot.name() + ".svg"))).as(plot.name())
                    .contains("<path stroke=").contains("it's a run");
            assertThat(Files.readAllLines(plots.resolve(plot.name() + ".csv")).size()).isGreaterThan(1);
        }
    }

    @Test
    void shouldDrawSuccessFirstAndThenTheMostFrequentOutcomes() throws Exception {
        LogLines lines = LogLines.inMicroseconds();
        for (String outcome : List.of("A", "B", "C", "D", "E", "F", "F", "OK", "T", "T", "T")) {
            lines.add(100, 5_000, "CSndReq#" + outcome + "#send");
        }
        lines.writeTo(folder.resolve("logs/performance_client_0.log"));

        Invocation.of("-d", folder.resolve("logs"), "-fmt", "gnuplot", "-kind", "throughput", "-out", folder);

        assertThat(Files.readAllLines(folder.resolve("throughput.csv")).get(0)).isEqualTo("seconds,OK,T,F,A,B,C");
        assertThat(Files.readString(folder.resolve("throughput.gp"))).contains("logs (most frequent 6 of 8)");
    }

    @Test
    void shouldSayWhichChartHasNoData() throws Exception {
        Path log = LogLines.inMicroseconds().add(5, 1, "BQueue")
                .writeTo(folder.resolve("logs/performance_broker_0.log"));

        Invocation result = Invocation.of("-d", log.getParent(), "-fmt", "gnuplot", "-kind", "queues", "-out", folder);

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).startsWith("These logs have no data for -kind queues.");
    }

    @Test
    void shouldLayStatisticsAndGaugesOverTheTimeOfThePerformanceLog() throws Exception {
        Path logs = Files.createDirectories(folder.resolve("logs"));
        Files.writeString(logs.resolve("performance_broker_0.log"), ("Role[broker] Position[0] Unit[us] Started[%d]\n"
                + "1000;%d;BTotReqResp;C[1]\n1000;%d;BTotReqResp;C[1]\n").formatted(996_000, 1_000_001, 1_004_001));
        Files.writeString(logs.resolve("gauges_broker_0.csv"), "ms,queue\n3000,9\n5500,7\n9000,9\n");
        Files.writeString(logs.resolve("stats_broker_0.csv"),
                "3500,0,0,100,0,0,0\n4500,0,0,300,0,0,0\n6500,0,0,1300,0,0,0\n7500,0,0,1400,0,0,0\n");

        Invocation.of("-d", logs, "-fmt", "gnuplot", "-kind", "queues,rates", "-out", folder);

        assertThat(Files.readAllLines(folder.resolve("queues.csv"))).containsExactly("seconds,broker_0 queue", "1,7");
        assertThat(Files.readAllLines(folder.resolve("rates.csv"))).containsExactly(
                "seconds,requests,sends,dequeues and peeks", "0,350,0,0", "1,500,0,0", "2,300,0,0", "3,50,0,0");
    }

    @Test
    void shouldDrawMessagesInQueuesFromEndToEnd() throws Exception {
        Path logs = Files.createDirectories(folder.resolve("logs"));
        Files.writeString(logs.resolve("performance_broker_0.log"), "Role[broker] Position[0] Unit[us]\n"
                + "1000;1000001;BTotReqResp;C[1]\n1000;1004001;BTotReqResp;C[1]\n");
        Files.writeString(folder.resolve("logs/queue_lengths.csv"), "ms,queue,queue_of,messages\n"
                + "979500,q,,1\n990000,q,,2\n1001000,q,,3\n1011000,q,,4\n1021000,q,,5\n");

        Invocation.of("-d", logs, "-fmt", "gnuplot", "-kind", "messages", "-out", folder);

        assertThat(Files.readAllLines(folder.resolve("messages.csv"))).containsExactly("seconds,q", "-10,2", "1,3",
                "11,4");
        assertThat(Files.readString(folder.resolve("messages.gp"))).as("with room for what goes on")
                .contains("set yrange [0:4.2]");
    }

    @Test
    void shouldReportARunInOneFileThatIsTheSameEachTime() throws Exception {
        Path zip = new SampleRun(1).seconds(6).clients(2).zipTo(folder.resolve("test_run_7.zip"));

        Invocation.of("report", "-d", zip, "-out", folder.resolve("one.html"));
        Invocation again = Invocation.of("report", "-d", zip, "-out", folder.resolve("two.html"));

        String html = Files.readString(folder.resolve("one.html"));
        assertThat(again.exitCode()).isZero();
        assertThat(html).isEqualTo(Files.readString(folder.resolve("two.html")));
        assertThat(html).contains("<h1>test_run_7</h1>", "Every request answered", "Interactive law",
                "Where the time goes", "broker.workers");
        assertThat(html.split("<svg ", -1)).hasSize(Plots.ofEveryRun().size() + 1);
        assertThat(html).doesNotContain("src=", "<link", "<script", "@import");
    }

    @Test
    void shouldDrawNoLineWhereNobodySampled() throws Exception {
        Path run = new SampleRun(1).seconds(20).clients(2).writeTo(folder.resolve("run"));
        Path gauges = run.resolve("logs/m2/broker_0/gauges_broker_0.csv");
        List<String> lines = Files.readAllLines(gauges);
        lines.subList(11, 18).clear();
        Files.write(gauges, lines);

        Invocation.of("-d", run, "-fmt", "gnuplot", "-kind", "queues", "-out", folder);

        assertThat(Files.readAllLines(folder.resolve("queues.csv")).stream().filter(line -> line.endsWith(",NaN,NaN")))
                .hasSize(1);
    }

    @Test
    void shouldDrawSilenceAtTheEndOfARun() throws Exception {
        Path run = new SampleRun(1).seconds(20).clients(2).writeTo(folder.resolve("run"));
        try (Stream<Path> logs = Files.walk(run)) {
            for (Path log : logs.filter(each -> each.getFileName().toString().startsWith("performance")).toList()) {
                List<String> lines = Files.readAllLines(log);
                Files.write(log, lines.subList(0, lines.size() / 2));
            }
        }

        Invocation.of("-d", run, "-fmt", "gnuplot", "-kind", "throughput", "-out", folder);

        List<String> rows = Files.readAllLines(folder.resolve("throughput.csv"));
        assertThat(rows.get(rows.size() - 1)).startsWith("24,0");
        assertThat(Files.readString(folder.resolve("throughput.gp"))).contains("set xrange [0:26");
    }

    @Test
    void shouldSayWhereAZipIsNotOne() throws Exception {
        Path zip = Files.writeString(folder.resolve("half.zip"), "PK but no more");

        Invocation result = Invocation.of("-d", zip);

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("half.zip is not a complete zip");
    }

    private static int totalCount(Invocation histogram) {
        return Integer.parseInt(histogram.out().replaceAll("(?s).*Total count *= *(\\d+).*", "$1"));
    }

    private static String gnuplot(Path script) throws IOException {
        Process process = new ProcessBuilder("gnuplot", script.toString()).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes());
    }
}
