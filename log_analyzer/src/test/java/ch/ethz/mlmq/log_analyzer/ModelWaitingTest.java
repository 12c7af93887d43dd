package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
        assertThat(result.out()).contains("M/GI/1 inversion").contains("M/GI/1 exponential").contains("M/D/1 exact")
                .contains("M/M/1 exact");
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
    void shouldTakeServiceTimesWithTheirProbabilities() {
        Invocation result = Invocation.of("model", "waiting", "--service", "100us:0.9,2ms:0.1", "--utilisation", "0.5",
                "-fmt", "csv");

        assertThat(result.exitCode()).as(result.err()).isZero();
        double mean = 0.9 * 100 + 0.1 * 2000;
        double second = 0.9 * 100 * 100 + 0.1 * 2000 * 2000;
        assertThat(result.err()).contains("service 290 us");
        for (String row : List.of("M/GI/1 gamma", "M/GI/1 inversion")) {
            assertThat(cell(result, row, 2)).as(row).isCloseTo(second / mean / 2, within(0.001));
        }
    }

    @Test
    void shouldAddTheDiscreteQueueWithTheStudysParametersOrOthers() {
        Invocation result = Invocation.of("model", "waiting", "--service", "80us", "--cv", "0.4", "--utilisation",
                "0.7", "--discrete", "-fmt", "csv");

        assertThat(result.exitCode()).as(result.err()).isZero();
        double exact = cell(result, "M/GI/1 inversion", 5);
        assertThat(cell(result, "GI/GI/1 discrete", 5)).isCloseTo(exact, within(0.02 * exact));
        assertThat(result.err()).contains("until it converged").contains("Its distance from the inversion");
        assertThat(Invocation.of("model", "waiting", "--service", "80us", "--utilisation", "0.7", "--bound", "100us",
                "--units", "10", "-fmt", "csv").err()).contains("of the arrivals meets the bound");
    }

    @Test
    void shouldPrintMoments() {
        Invocation result = Invocation.of("model", "waiting", "--service", "100us", "--cv", "1", "--utilisation", "0.8",
                "--moments", "3", "-fmt", "csv");

        assertThat(result.lines()).hasSize(4);
        assertThat(result.lines().get(3).split(",")[1]).as("of M/M/1: ρ k! (b / (1 - ρ))^k")
                .satisfies(third -> assertThat(Double.parseDouble(third)).isCloseTo(0.8 * 6 * 1.25e8, within(1.0)));
    }

    @Test
    void shouldSweepUtilisationsForSeveralVariations() throws Exception {
        List<Object> sweep = List.of("model", "waiting", "--service", "80us", "--cv", "0,0.2,0.4", "--utilisation",
                "0.1..0.9", "-percentiles", "99,99.99");
        List<Object> arguments = new ArrayList<>(sweep);
        arguments.addAll(List.of("-fmt", "csv"));
        Invocation result = Invocation.of(arguments.toArray());

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.lines().get(0)).isEqualTo("cv,utilisation,rate,waits_percent,mean,p99,p99.99");
        assertThat(result.lines()).hasSize(1 + 3 * 101);
        assertThat(Invocation.of("model", "waiting", "--service", "80us", "--rate", "1000/s..9000/s", "-fmt", "csv")
                .lines()).as("a hundred steps").hasSize(102);
        String[] last = result.lines().get(303).split(",");
        assertThat(Double.parseDouble(last[4])).as("0.4, 0.9: b rho (1 + c²) / (2 (1 - rho))")
                .isCloseTo(80 * 0.9 * 1.16 / 0.2, within(0.001));

        arguments = new ArrayList<>(sweep);
        arguments.addAll(List.of("-fmt", "gnuplot", "-out", folder));
        assertThat(Invocation.of(arguments.toArray()).out()).contains("waiting_mean_over_utilisation.gp")
                .contains("waiting_p99.99_over_utilisation.gp");
        assertThat(Files.readString(folder.resolve("waiting_p99_over_utilisation.csv")))
                .startsWith("utilisation,cv 0,cv 0.2,cv 0.4\n");
    }

    @Test
    void shouldSweepTheRatesOfARun() throws Exception {
        Path run = new SampleRun(5).seconds(10).writeTo(folder.resolve("run"));

        Invocation result = Invocation.of("model", "waiting", "-d", run, "--utilisation", "0.05..0.95", "-fmt",
                "gnuplot", "-out", folder.resolve("plots"));

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(Files.readString(folder.resolve("plots/waiting_over_utilisation.csv")))
                .startsWith("utilisation,mean,p50,p90,p99,p99.9,p99.99,\"mean, measured\"\n0.05,");
        assertThat(result.err()).contains("M/GI/8 Allen–Cunneen");
    }

    @Test
    void shouldLeaveOutWaitingTimesOfSaturatedPoints() {
        Invocation result = Invocation.of("model", "waiting", "--service", "100us", "--rate", "5000/s,20000/s", "-fmt",
                "csv");

        assertThat(result.lines().get(1)).startsWith("1,5000,0.5,50,100,");
        assertThat(result.lines().get(2)).isEqualTo("1,20000,2,,,,,,,");
        assertThat(result.err()).contains("without end");
    }

    @Test
    void shouldRefuseWhatTheModelsDoNotHoldFor() {
        assertThat(Invocation.of("model", "waiting", "--service", "80us", "--rate", "13000/s").err())
                .contains("Utilisation is 1.04").contains("model closed");
        assertThat(Invocation.of("model", "waiting", "--service", "80 apples", "--rate", "1/s").err())
                .contains("--service: '80 apples'");
        assertThat(Invocation.of("model", "waiting", "--rate", "1/s").err())
                .contains("takes --service and --rate or --utilisation");
        assertThat(Invocation.of("model", "waiting", "--service", "1ms", "--rate", "1/s", "--arrival-cv", "2").err())
                .contains("--arrival-cv needs --discrete or --bound");
        assertThat(Invocation.of("model", "waiting", "--service", "1ms", "--rate", "0/s").err())
                .contains("--rate must be more than 0");
        assertThat(refusal("--service", "1ms:0.5,2ms:0.4", "--rate", "1/s")).contains("the sum 0.9. It must be 1");
        assertThat(refusal("--service", "1ms:0.5,2ms", "--rate", "1/s")).contains("'2ms' is not a time with its");
        assertThat(refusal("--service", "0us:1", "--rate", "1/s")).contains("All service times are zero");
        assertThat(refusal("--service", "1ms:1", "--cv", "1", "--rate", "1/s")).contains("--cv needs one --service");
        assertThat(refusal("--service", "1ms", "--utilisation", "0.5..1")).contains("--utilisation must lie between 0");
        assertThat(refusal("--service", "1ms", "--utilisation", "0.9..0.5")).contains("is no ascending range");
        assertThat(refusal("--service", "1ms", "--rate", "1/s", "--utilisation", "0.5")).contains("either");
        assertThat(refusal("--service", "1ms", "--rate", "1/s", "--eps-c", "1e-6")).contains("need --discrete");
        assertThat(refusal("--service", "1ms", "--rate", "1/s", "--discrete", "--eps-f", "2"))
                .contains("--eps-f must lie between 0 and 1");
        assertThat(refusal("--service", "1ms", "--rate", "1/s", "--discrete", "--units", "0"))
                .contains("--units must lie between 1 and 10000");
        assertThat(refusal("--service", "1ms", "--rate", "1/s", "--servers", "2", "--moments", "2"))
                .contains("--moments needs one server");
        assertThat(refusal("--service", "1ms", "--rate", "1/s,2/s", "--moments", "2")).contains("A sweep has one");
        assertThat(refusal("--service", "1ms", "--cv", "0..20", "--rate", "1..20")).contains("at most 12 lines");
        assertThat(refusal("--service", "1ms", "--rate", "1/s", "--moments", "80")).contains("--moments must lie");
    }

    private static String refusal(String... arguments) {
        List<Object> all = new ArrayList<>(List.of("model", "waiting"));
        all.addAll(List.of(arguments));
        Invocation result = Invocation.of(all.toArray());
        assertThat(result.exitCode()).as(String.join(" ", arguments)).isEqualTo(2);
        return result.err();
    }

    private static double cell(Invocation result, String model, int column) {
        return result.lines().stream().filter(line -> line.startsWith(model + ","))
                .map(line -> Double.parseDouble(line.split(",")[column])).findFirst().orElseThrow();
    }
}
