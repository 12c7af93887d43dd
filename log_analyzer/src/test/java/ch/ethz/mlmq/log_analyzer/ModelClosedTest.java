package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
        run = new SampleRun(9).seconds(20).clients(10).workers(8).writeTo(folder.resolve("run"));
    }

    @Test
    void shouldPredictFromOneRun() {
        Invocation result = Invocation.of("model", "closed", "-d", run, "-clients", "1..200", "-fmt", "csv");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.lines()).hasSize(201);
        assertThat(result.err()).contains("Of the run itself (20 clients)").contains("The broker binds")
                .contains("Beyond: not measured")
                .contains("8 workers bind");
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
        assertThat(data.get(0)).isEqualTo("clients,model,model_beyond,measured");
        assertThat(data.get(1)).matches("1,[\\d.]+,,");
        assertThat(data.get(60)).matches("60,,[\\d.]+,");
        assertThat(data.get(61)).matches("20,,,[\\d.]+");

        Invocation.of("model", "closed", "-d", run, "-clients", "1..60", "--brokers", "2", "-fmt", "gnuplot", "-out",
                folder.resolve("two"));
        assertThat(Files.readString(folder.resolve("two/closed_response.gp"))).contains("another system")
                .doesNotContain("title 'model'");
        assertThat(Files.readAllLines(folder.resolve("two/closed_response.csv")).get(1)).matches("1,,[\\d.]+,");
    }

    @Test
    void shouldRefuseWhatItCannotAnswer() {
        assertThat(Invocation.of("model", "closed", "-d", run).err()).contains("-clients");
        assertThat(Invocation.of("model", "closed", "-d", run, "-clients", "9..1").err()).contains("ranges ascending");
        assertThat(Invocation.of("model", "closed", "-d", run, "-clients", "some").err()).contains("not 'some'");
        assertThat(Invocation.of("model", "closed", "-d", run, "-clients", "5", "--workers", "0").err())
                .contains("--workers must lie");
        assertThat(Invocation.of("model", "closed", "-d", run, "-clients", "5", "--batch", "1ms").err())
                .contains("--batch takes two times");
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
