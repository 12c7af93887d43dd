package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleBiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests service times over regressors, with the parameters of the 2010 study. */
class ModelFitTest {
    private static final Path EXAMPLES = Path.of("..", "examples");
    private static final int[] COPIES = {1, 2, 5, 10, 20, 40};
    private static final int[] FURTHER = {5, 10, 20, 40, 80, 160};

    @TempDir
    private Path folder;

    @Test
    void shouldFindTheParametersOfTheStudy() {
        Map<String, double[]> fit = figures(Invocation.of("model", "fit", "--table",
                EXAMPLES.resolve("study5-activemq.csv"),
                "--form", "1,filters,copies", "-fmt", "csv"));

        assertThat(fit.get("1")[0]).isCloseTo(4.88e-5, within(4.88e-8));
        assertThat(fit.get("filters")[0]).isCloseTo(1.62e-7, within(1.62e-10));
        assertThat(fit.get("copies")[0]).isCloseTo(1.54e-5, within(1.54e-8));
        assertThat(fit.get("residual_percent")[0]).isLessThan(0.001);
    }

    @Test
    void shouldHaveTheTrueParameterInItsIntervalAboutAsOftenAsItSays() throws Exception {
        int held = 0;
        for (int seed = 0; seed < 40; seed++) {
            Map<String, double[]> fit = figures(Invocation.of("model", "fit", "-resamples", "100", "-fmt", "csv",
                    "--table",
                    grid(seed, (n, r) -> 8.0182e-5 + n * 5.3332e-7 + r * 1.7319e-5)));
            held += fit.get("copies")[1] <= 1.7319e-5 && 1.7319e-5 <= fit.get("copies")[2] ? 1 : 0;
        }
        assertThat(held).as("of 40 intervals of 95 %").isBetween(33, 40);
    }

    @Test
    void shouldPreferTheFormThatTheDataHave() throws Exception {
        Path table = grid(7, (n, r) -> 7.03e-4 + Math.pow(n, 1.5) * 1.02e-5);

        Invocation result = Invocation.of("model", "fit", "--table", table, "--form", "1,filters,copies", "--form",
                "1,filters^1.5,copies", "-fmt", "csv");

        List<Double> residual = values(result, "residual_percent");
        List<Double> heldBack = values(result, "held_back_percent");
        assertThat(residual.get(0)).as("the study's 18 %").isBetween(10.0, 25.0);
        assertThat(residual.get(1)).as("the noise of 1 %").isBetween(0.7, 1.4);
        assertThat(heldBack.get(0)).isGreaterThan(10);
        assertThat(heldBack.get(1)).isLessThan(1.5);
        assertThat(result.err()).contains("1,filters^1.5,copies predicts held-back rows best");
    }

    @Test
    void shouldNotGoBelowZero() throws Exception {
        Path falling = Files.writeString(folder.resolve("falling.csv"), "x,time\n1,5\n2,4\n3,3.5\n4,3\n");

        Map<String, double[]> fit = figures(Invocation.of("model", "fit", "--table", falling, "-fmt", "csv"));

        assertThat(fit.get("x")[0]).isZero();
        assertThat(fit.get("1")[0]).isCloseTo(weightedMean(5, 4, 3.5, 3), within(1e-8));
    }

    @Test
    void shouldFitTheUniversalScalabilityLaw() throws Exception {
        StringBuilder text = new StringBuilder("clients,throughput\n");
        Random random = new Random(3);
        for (int n : new int[] {1, 2, 4, 8, 12, 16, 24, 32, 48, 64}) {
            double rate = 995.65 * n / (1 + 0.026 * (n - 1) + 2.1e-4 * n * (n - 1)) * (1
                    + 0.005 * random.nextGaussian());
            text.append(String.format(Locale.ROOT, "%d,%.6f%n", n, rate));
        }
        Path table = Files.writeString(folder.resolve("usl.csv"), text);

        Map<String, double[]> law = figures(Invocation.of("model", "fit", "--usl", "clients", "--table", table, "-fmt",
                "csv"));

        assertThat(law.get("contention")[0]).isCloseTo(0.026, within(0.002));
        assertThat(law.get("coherency")[1]).isLessThan(2.1e-4);
        assertThat(law.get("coherency")[2]).isGreaterThan(2.1e-4);
        double peak = Math.sqrt((1 - 0.026) / 2.1e-4);
        assertThat(law.get("peak")[0]).isCloseTo(peak, within(3.0));
        assertThat(law.get("peak")[1]).isLessThan(peak);
        assertThat(law.get("peak")[2]).isGreaterThan(peak);
    }

    @Test
    void shouldTakeItsTableFromRuns() throws Exception {
        List<Object> arguments = new ArrayList<>(List.of("model", "fit", "--usl", "clients", "--factor",
                "clients=clients.0.clients", "-fmt", "json"));
        for (int clients : new int[] {1, 2, 4, 8}) {
            arguments.add(new SampleRun(clients).seconds(4).clients(clients).writeTo(folder.resolve("c" + clients)));
        }

        Invocation result = Invocation.of(arguments.toArray());

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).contains("\"figure\":\"contention\"");
    }

    @Test
    void shouldFitTheThroughputOfTheNamedActions() throws Exception {
        List<Object> arguments = new ArrayList<>(List.of("model", "fit", "--form", "1,copies", "--factor",
                "copies=clients.0.clients", "--type", "CSndReq#OK#publish", "-fmt", "csv"));
        for (int copies : new int[] {1, 2, 4, 8}) {
            Path run = folder.resolve("copies" + copies);
            LogLines log = LogLines.inMicroseconds();
            for (int i = 0; i < 20_000 / copies; i++) {
                log.add(100, i * copies / 2, "CSndReq#OK#publish");
                log.add(100, i * copies / 2, "CSndReq#OK#acknowledge");
            }
            log.writeTo(run.resolve("client_0/performance_client_0.log"));
            Files.writeString(run.resolve("environment.json"),
                    "{\"definition\":{\"clients\":[{\"clients\":" + copies + "}]}}");
            arguments.add(run);
        }

        Invocation result = Invocation.of(arguments.toArray());

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).containsPattern("\"1,copies\",copies,0.000(5000|499[89])\\d*,");
    }

    @Test
    void shouldDrawWhatIsLeftOver() throws Exception {
        Invocation result = Invocation.of("model", "fit", "--table", EXAMPLES.resolve("study5-activemq.csv"), "-fmt",
                "gnuplot", "-out", folder);

        assertThat(result.out()).contains("fit_residuals.gp");
        assertThat(Files.readString(folder.resolve("fit_residuals.csv"))).startsWith("fitted,\"1,filters,copies\"\n");
    }

    @Test
    void shouldDrawMeasuredAndFittedThroughputWithALineForEachNumberOfCopies() throws Exception {
        Path table = grid(7, (n, r) -> 4.88e-5 + n * 1.62e-7 + r * 1.54e-5);
        Invocation result = Invocation.of("model", "fit", "--table", table, "-fmt", "gnuplot", "-out", folder);

        assertThat(result.out()).contains("fit_curves.gp");
        List<String> data = Files.readAllLines(folder.resolve("fit_curves.csv"));
        assertThat(data.get(0)).startsWith("filters,\"measured copies 1\",\"fitted copies 1\"".replace("\"", ""))
                .endsWith("fitted copies 40");
        assertThat(data.get(1)).as("a measured point").matches("6,1\\d{4}\\.\\d+,,,,,,,,,,,");
        assertThat(data.get(1 + 6)).as("a fitted one").matches("6,,1\\d{4}\\.\\d+,,,,,,,,,,");
        assertThat(Double.parseDouble(data.get(7).split(",")[2])).isCloseTo(1 / (4.88e-5 + 6 * 1.62e-7 + 1.54e-5),
                within(400.0));

        Invocation.of("model", "fit", "--table", table, "--over", "copies", "--form", "1,filters^1.5,copies", "--form",
                "1,filters,copies", "-fmt", "gnuplot", "-out", folder);
        assertThat(Files.readString(folder.resolve("fit_curves_2.csv"))).startsWith("copies,measured filters 6,");
        assertThat(Files.readString(folder.resolve("fit_curves_2.gp"))).contains("(12 of 30 lines)");
        assertThat(Invocation.of("model", "fit", "--table", table, "--over", "y", "-fmt", "gnuplot").err())
                .contains("--over y is no column of the form 1,filters,copies. It has: filters, copies.");
    }

    @Test
    void shouldRefuseWhatCannotCarryTheModel() throws Exception {
        assertThat(refusal("x,z,time\n1,1,2\n2,3,3\n3,2,4\n", "1,x,z"))
                .contains("3 rows are too few for the 3 terms of 1,x,z");
        assertThat(refusal("x,time\n2,2\n2,3\n2,4\n2,5\n", "1,x")).contains("x is 2.0 in all rows");
        assertThat(refusal("x,z,time\n1,3,2\n2,5,3\n3,7,4\n4,9,4\n5,11,6\n", "1,x,z"))
                .contains("z depends linearly on the terms before it").contains("collinear");
        assertThat(refusal("x,time\n1,2\n2,-3\n3,4\n", "1,x")).contains("Row 2: time is -3.0. It must be more than 0.");
        assertThat(refusal("x,time\n1,2\n2,many\n3,4\n", "1,x")).contains("Row 2 has no number in column time");
        assertThat(refusal("x,time\n1,2\n2,2\n3,4\n", "1,y")).contains("There is no column y. There are: x, time.");
        assertThat(refusal("x,time\n1,2\n2,2\n3,4\n", "1,x^^2")).contains("is not a term: write one such as");
        assertThat(Invocation.of("model", "fit").err()).startsWith("model fit takes either --table or RUN.");
        assertThat(Invocation.of("model", "fit", "--table", "t.csv", "run.zip").err())
                .startsWith("model fit takes either --table or RUN.");
        assertThat(Invocation.of("model", "fit", "--table", "t.csv", "--usl", "x", "--form", "1").err())
                .startsWith("model fit takes either --usl or --form and --time.");
        assertThat(Invocation.of("model", "fit", "--table", "t.csv", "--usl", "x", "--usl", "y").err())
                .startsWith("model fit takes each option once.");
        assertThat(Invocation.of("model", "fit", "a.zip", "--factor", "x=y", "b.zip").err()).contains("a.zip");
        assertThat(Invocation.of("model").exitCode()).isEqualTo(2);
    }

    private String refusal(String table, String form) throws Exception {
        Path file = Files.writeString(folder.resolve("table.csv"), table);
        Invocation result = Invocation.of("model", "fit", "--table", file, "--form", form);
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        return result.err();
    }

    /** The study's grid of copies and further filters, with 1 % noise. */
    private Path grid(int seed, ToDoubleBiFunction<Integer, Integer> time) throws Exception {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder("filters,copies,time\n");
        for (int copies : COPIES) {
            for (int further : FURTHER) {
                int filters = copies + further;
                text.append(filters).append(',').append(copies).append(',')
                        .append(time.applyAsDouble(filters, copies) * (1 + 0.01 * random.nextGaussian())).append('\n');
            }
        }
        return Files.writeString(folder.resolve("grid.csv"), text);
    }

    /** The constant that relative weights find: Σ 1/y over Σ 1/y². */
    private static double weightedMean(double... times) {
        double sum = 0;
        double squares = 0;
        for (double time : times) {
            sum += 1 / time;
            squares += 1 / (time * time);
        }
        return sum / squares;
    }

    /** @return value, low, high of each figure; of the last form where there are several */
    static Map<String, double[]> figures(Invocation result) {
        assertThat(result.exitCode()).as(result.err()).isZero();
        Map<String, double[]> figures = new HashMap<>();
        for (String line : result.lines().subList(1, result.lines().size())) {
            String[] cells = line.replaceFirst("^\"[^\"]*\",", "").split(",", -1);
            double[] numbers = new double[3];
            for (int i = 0; i < 3; i++) {
                numbers[i] = cells[i + 1].isEmpty() ? Double.NaN : Double.parseDouble(cells[i + 1]);
            }
            figures.put(cells[0], numbers);
        }
        return figures;
    }

    private static List<Double> values(Invocation result, String figure) {
        return result.lines().stream().filter(line -> line.contains("," + figure + ","))
                .map(line -> Double.parseDouble(line.split("," + figure + ",")[1].split(",")[0])).toList();
    }
}
