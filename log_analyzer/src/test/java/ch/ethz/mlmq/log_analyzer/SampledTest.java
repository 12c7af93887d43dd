package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests logs whose headers say that only every n-th request was recorded. */
class SampledTest {
    private static final String ONE_IN_TEN = "Counts and throughput are estimates: one request in 10 was recorded.";

    @TempDir
    private Path folder;

    private Path logs;
    private Path sampled;

    @BeforeEach
    void writeASampledLogAndAWholeOne() throws Exception {
        logs = folder.resolve("logs");
        sampled = log("broker_0", "Sample[1/10]").add(10, 1, "BQueue").add(20, 501, "BQueue").add(30, 1_001, "BQueue")
                .writeTo(logs.resolve("broker_0/performance_broker_0.log"));
        LogLines whole = log("broker_1", "Sample[1/1]");
        for (int i = 0; i < 10; i++) {
            whole.add(40, 1 + i * 100, "BQueue");
        }
        whole.writeTo(logs.resolve("broker_1/performance_broker_1.log"));
    }

    @Test
    void shouldMultiplyCountsAndThroughputAndNothingElse() {
        Invocation result = Invocation.of("-d", sampled, "-fmt", "csv", "-window", "1s");

        assertThat(result.lines()).containsExactly(
                "window,action,count,throughput,mean,stddev,median,p2.5,p97.5,min,max,"
                        + "mean_low,mean_high,recorded",
                "0,BQueue,20,20,15,7.071,10,10,20,10,20,,,2",
                "1,BQueue,10,10000,30,,30,30,30,30,30,,,1",
                "steady,BQueue,30,30,20,10,20,10,30,10,30,,,3");
        assertThat(result.err().strip()).isEqualTo(ONE_IN_TEN);
    }

    @Test
    void shouldWeighEachRecordByWhatItStandsForWhereSomeLogsAreWhole() {
        Invocation result = Invocation.of("-d", logs, "-fmt", "json", "-window", "1h");

        assertThat(result.err().strip())
                .isEqualTo("Counts and throughput are estimates: one request in 10 was recorded in 1 of 2 logs.");
        assertThat(steady(result)).contains("\"count\":40,", "\"mean\":25,", "\"median\":20,", "\"p97.5\":40,",
                "\"recorded\":13");
    }

    @Test
    void shouldAddUpLogsThatWereSampledDifferently() throws Exception {
        log("broker_2", "Sample[1/100]").add(50, 1, "BQueue")
                .writeTo(logs.resolve("broker_2/performance_broker_2.log"));

        Invocation all = Invocation.of("-d", logs, "-fmt", "csv", "-window", "1h");
        Invocation byJvm = Invocation.of("-d", logs, "-fmt", "csv", "-window", "1h", "-group-by", "jvm");

        assertThat(all.err().strip())
                .isEqualTo("Counts and throughput are estimates: one request in 10 was recorded in "
                + "1 of 3 logs, one in 100 in 1.");
        assertThat(steady(all)).startsWith("steady,BQueue,140,").endsWith(",14");
        assertThat(byJvm.lines()).anyMatch(line -> line.startsWith("steady,broker_0,30,"))
                .anyMatch(line -> line.startsWith("steady,broker_1,10,"))
                .anyMatch(line -> line.startsWith("steady,broker_2,100,"));
    }

    @Test
    void shouldSayNothingOfSamplesWhereEveryRequestWasRecorded() {
        Invocation result = Invocation.of("-d", logs.resolve("broker_1"), "-fmt", "csv");

        assertThat(result.err()).isEmpty();
        assertThat(result.lines().get(0)).endsWith("mean_high");
    }

    @Test
    void shouldSayItInTheOverviewToo() {
        assertThat(Invocation.of("-d", sampled).out()).contains(ONE_IN_TEN);
    }

    @Test
    void shouldDrawTheThroughputThatThereWas() throws Exception {
        Invocation.of("-d", sampled, "-fmt", "gnuplot", "-kind", "throughput", "-window", "1s", "-out", folder);

        assertThat(Files.readAllLines(folder.resolve("throughput.csv"))).containsExactly("seconds,BQueue", "0,20");
        assertThat(Files.readString(folder.resolve("throughput.gp"))).contains("estimated: 1 in 10 recorded");
    }

    @Test
    void shouldEstimateARunFromATenthOfItsRequests() throws Exception {
        Path whole = new SampleRun(1).seconds(12).clients(3).writeTo(folder.resolve("whole"));
        Path tenth = new SampleRun(1).seconds(12).clients(3).sample(10).writeTo(folder.resolve("tenth"));

        List<String> expected = Invocation.of("-d", whole, "-fmt", "csv", "-window", "1h").lines();
        List<String> estimated = Invocation.of("-d", tenth, "-fmt", "csv", "-window", "1h").lines();
        for (String action : List.of("BTotReqResp", "CSndReq#OK#sendMessage", "BDb#dequeueMessage")) {
            assertThat(count(estimated, action)).as(action).isCloseTo(count(expected, action),
                    Percentage.withPercentage(15));
        }
        assertThat(Invocation.of("-d", tenth).out()).contains(interactiveLaw(Invocation.of("-d", whole)));
        assertThat(Invocation.of("report", "-d", tenth, "-out", folder.resolve("tenth.html")).exitCode()).isZero();
        assertThat(Files.readString(folder.resolve("tenth.html"))).contains(ONE_IN_TEN);
    }

    @Test
    void shouldCheckARunByItsEstimatedCounts() throws Exception {
        Path run = new SampleRun(1).seconds(12).clients(3).sample(10).writeTo(folder.resolve("run"));
        for (int i = 0; i < 2; i++) {
            Files.delete(run.resolve("logs/m1/client_" + i + "/summary_client_" + i + ".json"));
        }
        long recorded = Files.readAllLines(run.resolve("logs/m2/broker_0/performance_broker_0.log")).stream()
                .filter(line -> line.contains(";BRcvReq;")).count();
        String estimate = String.format("%,d", recorded * 10);

        Invocation result = Invocation.of("check", "-d", run, "-fmt", "json");

        assertThat(result.out()).contains(estimate + " requests of the brokers, " + estimate + " responses",
                "one request in 10 was recorded");
    }

    @Test
    void shouldCompareTheThroughputsThatThereWere() throws Exception {
        Path whole = new SampleRun(1).seconds(12).clients(3).writeTo(folder.resolve("whole"));
        Path tenth = new SampleRun(1).seconds(12).clients(3).sample(10).writeTo(folder.resolve("tenth"));

        Invocation result = Invocation.of("compare", whole, tenth, "-fmt", "csv", "--metric", "throughput");

        assertThat(result.err().strip()).isEqualTo("tenth: " + ONE_IN_TEN);
        assertThat(result.lines().get(1)).endsWith(",within noise");
    }

    private static LogLines log(String jvm, String sample) {
        return new LogLines().line("MLMQ performance log Role[broker] Position[%s] Unit[us] %s"
                .formatted(jvm.substring(jvm.indexOf('_') + 1), sample));
    }

    private static String steady(Invocation result) {
        return result.lines().stream().filter(line -> line.contains("steady") && !line.startsWith("window")).findFirst()
                .orElseThrow();
    }

    private static double count(List<String> csv, String action) {
        return csv.stream().filter(line -> line.startsWith("steady," + action + ",")).map(line -> line.split(",")[2])
                .mapToDouble(Double::parseDouble).findFirst().orElseThrow();
    }

    private static String interactiveLaw(Invocation result) {
        return result.lines().stream().filter(line -> line.startsWith("Interactive law")).findFirst().orElseThrow();
    }
}
