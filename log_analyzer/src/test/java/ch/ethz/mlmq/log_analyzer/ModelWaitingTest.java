package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelWaitingTest {
    @TempDir
    private Path folder;

    @Test
    void shouldPredictFromServiceTimeAndRate() {
        Invocation result = Invocation.of("model", "waiting", "--service", "80us", "--cv", "0.4", "--rate", "9000/s",
                "-fmt", "csv");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.lines().get(0)).isEqualTo("model,waits_percent,mean,p50,p90,p99,p99.9,p99.99");
        String[] gamma = result.lines().get(1).split(",");
        assertThat(gamma[0]).isEqualTo("M/GI/1 gamma");
        assertThat(Double.parseDouble(gamma[1])).isCloseTo(72, within(0.01));
        assertThat(Double.parseDouble(gamma[2])).as("b rho (1 + c²) / (2 (1 - rho))")
                .isCloseTo(80 * 0.72 * 1.16 / 0.56, within(0.01));
        assertThat(result.out()).contains("M/D/1 exact").contains("M/M/1 exact");
        assertThat(result.err()).contains("Utilisation 0.72").contains("Arrivals are Poisson");
    }

    @Test
    void shouldStandBesideWhatARunMeasured() throws Exception {
        Path run = new SampleRun(5).seconds(10).writeTo(folder.resolve("run"));

        Invocation result = Invocation.of("model", "waiting", "-d", run, "-fmt", "gnuplot", "-out",
                folder.resolve("plots"));

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.err()).contains("clients wait for responses").contains("group commit");
        assertThat(Files.readString(folder.resolve("plots/waiting.csv")))
                .startsWith("waiting_us,M/GI/8 Allen–Cunneen,M/M/8 exact,measured\n");
        assertThat(Invocation.of("model", "waiting", "-d", run, "-fmt", "csv").out()).contains("\nmeasured,,");
    }

    @Test
    void shouldRefuseWhatTheModelsDoNotHoldFor() {
        assertThat(Invocation.of("model", "waiting", "--service", "80us", "--rate", "13000/s").err())
                .contains("Utilisation is 1.04").contains("model closed");
        assertThat(Invocation.of("model", "waiting", "--service", "80 apples", "--rate", "1/s").err())
                .contains("--service: '80 apples'");
        assertThat(Invocation.of("model", "waiting", "--rate", "1/s").err()).contains("takes --service and --rate");
        assertThat(Invocation.of("model", "waiting", "--service", "1ms", "--rate", "1/s", "--arrival-cv", "2").err())
                .contains("--arrival-cv needs --bound");
        assertThat(Invocation.of("model", "waiting", "--service", "1ms", "--rate", "0/s").err())
                .contains("--rate must be more than 0");
    }
}
