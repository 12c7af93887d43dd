package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ch.ethz.mlmq.log_analyzer.run.Json;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelClosedTest {
    @TempDir
    private static Path folder;
    private static Path run;

    @BeforeAll
    static void makeARun() throws Exception {
        run = new SampleRun(9).seconds(20).clients(10).workers(8).errors(0).writeTo(folder.resolve("run"));
    }

    @Test
    void shouldPredictFromOneRun() {
        Invocation result = Invocation.of("model", "closed", "-d", run, "-clients", "1..200", "-fmt", "csv");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.lines()).hasSize(201);
        assertThat(result.err()).contains("For the run itself (20 clients)").contains("The broker is the bottleneck")
                .contains("Beyond: not measured")
                .contains("8 workers are the bottleneck");
        double[] one = row(result, 1);
        double[] twenty = row(result, 20);
        double[] last = row(result, 200);
        assertThat(one[1] * (one[2] / 1e6 + 0.005)).as("one client, think time 5 ms").isCloseTo(1, within(0.001));
        assertThat(twenty[1] * (twenty[2] / 1e6 + 0.005)).isCloseTo(20, within(0.01));
        assertThat(last[5]).as("the broker is saturated").isGreaterThan(99);
        assertThat(result.lines().get(20)).endsWith(",within");
        assertThat(result.lines().get(21)).endsWith(",beyond");
    }

    @Test
    void shouldAnswerWhatIf() {
        double as = capacity();
        assertThat(capacity("--brokers", "2")).isCloseTo(2 * as, within(0.03 * as));
        assertThat(capacity("--workers", "4", "--connections", "8")).isCloseTo(as / 2, within(0.03 * as));
        assertThat(capacity("--connections", "2")).as("connections bind").isLessThan(as * 0.35);
        assertThat(capacity("--database-faster", "2")).isBetween(1.5 * as, 2 * as);
        assertThat(capacity("--approximate")).isCloseTo(as, within(0.03 * as));
        assertThat(capacity("--batch", "1ms,50us", "--batch-max", "20", "--think", "0"))
                .isCloseTo(8 * 20 / 2e-3, within(8_000.0));
        assertThat(Invocation.of("model", "closed", "-d", run, "-clients", "10", "--brokers", "2", "-fmt", "csv")
                .lines().get(1))
                .as("another system was not measured").endsWith(",beyond");
    }

    @Test
    void shouldDrawWhatWasMeasuredAndWhatLiesBeyond() throws Exception {
        Invocation result = Invocation.of("model", "closed", "-d", run, "-clients", "1..60", "-fmt", "gnuplot", "-out",
                folder.resolve("plots"));

        assertThat(result.out()).contains("closed_throughput.gp").contains("closed_response.gp");
        List<String> data = Files.readAllLines(folder.resolve("plots/closed_throughput.csv"));
        assertThat(data.get(0)).isEqualTo("clients,model,model_beyond,measured,low,high");
        assertThat(data.get(1)).matches("1,[\\d.]+,,,[\\d.]+,[\\d.]+");
        assertThat(data.get(60)).matches("60,,[\\d.]+,,[\\d.]+,[\\d.]+");
        assertThat(data.get(61)).matches("20,,,[\\d.]+,,");

        Invocation.of("model", "closed", "-d", run, "-clients", "1..60", "--brokers", "2", "-fmt", "gnuplot", "-out",
                folder.resolve("two"));
        assertThat(Files.readString(folder.resolve("two/closed_response.gp"))).contains("another system")
                .doesNotContain("title 'model'");
        assertThat(Files.readAllLines(folder.resolve("two/closed_response.csv")).get(1))
                .matches("1,,[\\d.]+,,[\\d.]+,[\\d.]+");
    }

    @Test
    void shouldAnswerThePagesQuestionInOneCall() throws Exception {
        Json answer = json("-clients", "1..60", "--brokers", "2", "--database-faster", "1.5");

        assertThat(answer.at("run", "clients").numberOr(0)).isEqualTo(20);
        assertThat(answer.at("asked", "brokers").numberOr(0)).isEqualTo(2);
        double value = answer.at("answer", "throughput", "value").numberOr(0);
        assertThat(answer.at("answer", "throughput", "low").numberOr(0)).isLessThan(value);
        assertThat(answer.at("answer", "throughput", "high").numberOr(0)).isGreaterThan(value);
        assertThat(answer.at("answer", "measured").text()).contains("false");
        assertThat(answer.at("as_it_was", "throughput", "value").numberOr(0)).isBetween(1.0, value);
        assertThat(answer.at("not_measured").elements()).extracting(each -> each.text().orElse(""))
                .containsExactly("2 brokers instead of 1", "database 1.5 times as fast");
        assertThat(answer.at("binds", "station").text()).contains("workers");
        assertThat(answer.at("next", "station").text()).contains("connections");
        assertThat(answer.at("curve").elements()).hasSize(60);
        assertThat(answer.at("curve_as_it_was").elements()).hasSize(60);
        assertThat(answer.at("stations").elements()).extracting(each -> each.at("name").text().orElse(""))
                .containsExactly("clients", "network", "workers", "connections");
        Json workers = answer.at("stations").elements().get(2);
        assertThat(workers.at("utilisation", "value").numberOr(0)).isBetween(0.01, 1.0);
        Json itself = json("-clients", "20");
        assertThat(itself.at("answer", "measured").text()).contains("true");
        assertSaysOfItself(itself);
        assertThat(itself.at("not_explained").isMissing()).isTrue();
        double measured = itself.at("run", "throughput").numberOr(0);
        assertThat(itself.at("answer", "throughput", "low").numberOr(0)).isLessThan(measured);
        assertThat(itself.at("answer", "throughput", "high").numberOr(0)).isGreaterThan(measured);
        assertThat(itself.at("processors_short").isMissing()).as("80 % busy").isTrue();
        assertThat(json("-clients", "60").at("processors_short").text().orElse("")).contains("80 % busy in the run");
    }

    @Test
    void shouldAnswerForArrivalsThatDoNotWait() throws Exception {
        double capacity = json("-clients", "10").at("capacity").numberOr(0);

        Json half = json("--rate", capacity / 2 + "/s");
        Json most = json("--rate", capacity * 0.98 + "/s");

        assertThat(half.at("answer", "rate").numberOr(0)).isCloseTo(capacity / 2, within(1.0));
        assertThat(most.at("answer", "response_ms", "value").numberOr(0))
                .isGreaterThan(2 * half.at("answer", "response_ms", "value").numberOr(0));
        assertThat(Invocation.of("model", "closed", "-d", run, "--rate", capacity * 1.01 + "/s").err())
                .contains("the queue would grow without end");
    }

    /** Batches of 1 to 32 that take 400 us + 30 us n, give or take a tenth. */
    @Test
    void shouldFitGroupCommitFromTheRunItself() throws Exception {
        Path batched = new SampleRun(4).seconds(20).clients(40).workers(2).batches(400, 30)
                .writeTo(folder.resolve("batched"));

        Invocation told = Invocation.of("model", "closed", "-d", batched, "-clients", "1..200", "-fmt", "json");
        Json answer = Json.read(new ByteArrayInputStream(told.out().getBytes(StandardCharsets.UTF_8)));

        assertThat(told.exitCode()).as(told.err()).isZero();
        assertThat(answer.at("batch", "fixed_us", "value").numberOr(0)).isCloseTo(400, within(8.0));
        assertThat(answer.at("batch", "each_us", "value").numberOr(0)).isCloseTo(30, within(0.6));
        assertThat(answer.at("batch", "fixed_us", "low").numberOr(0)).isBetween(380.0, 402.0);
        assertThat(answer.at("batch", "fixed_us", "high").numberOr(0)).isBetween(398.0, 420.0);
        assertThat(answer.at("capacity").numberOr(0)).isCloseTo(2 * 512 / (400e-6 + 512 * 30e-6), within(2_000.0));
        assertThat(answer.at("remarks").elements().toString()).contains("Group commit")
                .contains("Fit: a batch of n");
        assertThat(answer.at("batch", "told").text()).contains("true");
        assertSaysOfItself(answer);
    }

    /** The time of one more request is unknown if a batch takes no longer with 32 requests than with one. */
    @Test
    void shouldSayWhatBatchesDoNotTell() throws Exception {
        Path flat = new SampleRun(4).seconds(5).clients(20).workers(2).batches(2_000, -5)
                .writeTo(folder.resolve("flat"));

        Invocation told = Invocation.of("model", "closed", "-d", flat, "-clients", "40", "-fmt", "json");
        Json answer = Json.read(new ByteArrayInputStream(told.out().getBytes(StandardCharsets.UTF_8)));

        assertThat(answer.at("batch", "told").text()).contains("false");
        assertThat(answer.at("batch", "each_us", "low").numberOr(9)).isZero();
        assertThat(answer.at("batch_not_told").text().orElse("")).contains("one more request in a batch: it is 0 to")
                .contains("had 3 to 31 requests").contains("a run with fewer or more clients");
        assertThat(Invocation.of("model", "closed", "-d", flat, "-clients", "40", "--batch", "2ms,50us").err())
                .doesNotContain("does not determine");
        assertSaysOfItself(answer);
        assertThat(answer.at("not_explained").text().orElse("")).as("made-up waiting is not that of a queue")
                .contains("The model does not explain this run: from the times of the stations it predicts")
                .contains("It was fitted to the measured figures");
    }

    @Test
    void shouldRefuseWhatItCannotAnswer() {
        assertThat(Invocation.of("model", "closed", "-d", run).err()).contains("either -clients or --rate");
        assertThat(Invocation.of("model", "closed", "-d", run, "-clients", "9..1").err()).contains("ranges ascending");
        assertThat(Invocation.of("model", "closed", "-d", run, "-clients", "some").err()).contains("not 'some'");
        assertThat(Invocation.of("model", "closed", "-d", run, "-clients", "5", "--workers", "0").err())
                .contains("--workers must lie");
        assertThat(Invocation.of("model", "closed", "-d", run, "-clients", "5", "--batch", "1ms").err())
                .contains("--batch takes two times");
    }

    /**
     * Checks that the model reproduces the run's measurements for the run's own clients, whatever its stations took.
     */
    private static void assertSaysOfItself(Json answer) {
        assertThat(answer.at("calibration", "error_percent").numberOr(99)).isCloseTo(0, within(0.1));
        assertThat(answer.at("calibration", "response_ms", "error_percent").numberOr(99)).isCloseTo(0, within(0.1));
        assertThat(answer.at("calibration", "before_fit", "error_percent").isMissing()).isFalse();
    }

    private static Json json(String... more) throws Exception {
        Object[] arguments = Stream.concat(Stream.of("model", "closed", "-d", run, "-fmt", "json"), Arrays.stream(more))
                .toArray();
        Invocation result = Invocation.of(arguments);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return Json.read(new ByteArrayInputStream(result.out().getBytes(StandardCharsets.UTF_8)));
    }

    private static double capacity(String... more) {
        Object[] arguments = Stream.concat(Stream.of("model", "closed", "-d", run, "-clients", "250",
                "-fmt", "csv"), Arrays.stream(more)).toArray();
        Invocation result = Invocation.of(arguments);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return row(result, 1)[1];
    }

    private static double[] row(Invocation result, int line) {
        return Arrays.stream(result.lines().get(line).split(",")).limit(6).mapToDouble(Double::parseDouble).toArray();
    }
}
