package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ch.ethz.mlmq.log_analyzer.analysis.Factorial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FactorialTest {
    private static final Path EXAMPLES = Path.of("..", "examples");
    private static final double PRINTED_TO = 0.01;

    @TempDir
    private Path folder;

    @Test
    void shouldReproduceTheStudysEffectsOnTime() {
        Map<String, Double> printed = Map.ofEntries(Map.entry("I", 10.24), Map.entry("c", 3.43), Map.entry("b", -0.07),
                Map.entry("w", 0.11), Map.entry("d", 0.56), Map.entry("cb", 0.19), Map.entry("cw", 0.03),
                Map.entry("cd", -0.08), Map.entry("bw", 0.07), Map.entry("bd", 0.52), Map.entry("wd", 0.03),
                Map.entry("bwd", -0.15), Map.entry("cwd", 0.16), Map.entry("cbd", 0.13), Map.entry("cbw", -0.05),
                Map.entry("cbwd", -0.10));

        Map<String, Double> effects = column("factorial-study1-time.csv", 1);

        assertThat(effects.keySet()).isEqualTo(printed.keySet());
        printed.forEach((effect, value) -> {
            assertThat(effects.get(effect)).as(effect).isCloseTo(value, within(PRINTED_TO));
            assertThat(truncated(effects.get(effect))).as("the study cut off after two decimals: " + effect)
                    .isEqualTo(value);
        });
    }

    @Test
    void shouldReproduceTheStudysEffectsOnRequests() {
        Map<String, Double> effects = column("factorial-study1-requests.csv", 1);

        assertThat(Math.floor(effects.get("I"))).isEqualTo(2117045);
        assertThat(Math.floor(effects.get("c"))).isEqualTo(227093);
        assertThat(Math.rint(effects.get("b"))).isEqualTo(-108796);
        assertThat(Math.floor(effects.get("w"))).isEqualTo(57036);
        assertThat(Math.floor(effects.get("d"))).isEqualTo(237);
    }

    @Test
    void shouldShareOutAllVariation() {
        double sum = column("factorial-study1-time.csv", 2).values().stream().filter(share -> !share.isNaN())
                .mapToDouble(Double::doubleValue).sum();

        assertThat(sum).isCloseTo(100, within(0.01));
    }

    /** Jain, The Art of Computer Systems Performance Analysis, example 18.1: memory and cache, three replications. */
    @Test
    void shouldReproduceJainsReplicatedExample() throws Exception {
        Path table = Files.writeString(folder.resolve("jain.csv"),
                "A,B,y1,y2,y3\n-1,-1,15,18,12\n1,-1,45,48,51\n-1,1,25,28,19\n1,1,75,75,81\n");

        List<String> lines = Invocation.of("factorial", "--table", table, "-fmt", "csv", "-confidence", "90").lines();

        assertThat(lines).containsExactly("effect,value,share,low,high", "I,41,,39.0832218,42.9167782",
                "A,21.5,78.882,19.5832218,23.4167782", "B,9.5,15.401,7.58322176,11.4167782",
                "AB,5,4.266,3.08322176,6.91677824", "ERROR,,1.451,,");
    }

    @Test
    void shouldFitARelationThatGivesEveryObservationBack() {
        List<Factorial.Factor> factors = List.of(new Factorial.Factor("clients", 15, 30),
                new Factorial.Factor("workers", 4, 8));
        double[][] cells = {{7}, {11}, {6}, {19}};

        List<Factorial.Term> relation = new Factorial(factors, cells).relation();

        assertThat(relation).extracting(Factorial.Term::name).containsExactly("I", "clients", "workers",
                "clients x workers");
        for (int cell = 0; cell < cells.length; cell++) {
            double clients = (cell & 1) == 0 ? 15 : 30;
            double workers = (cell & 2) == 0 ? 4 : 8;
            double[] products = {1, clients, workers, clients * workers};
            double fitted = 0;
            for (int i = 0; i < products.length; i++) {
                fitted += relation.get(i).coefficient() * products[i];
            }
            assertThat(fitted).isCloseTo(cells[cell][0], within(1e-9));
        }
    }

    @Test
    void shouldTakeTheDesignFromRuns() throws Exception {
        List<Object> arguments = new ArrayList<>(List.of("factorial", "-fmt", "csv", "-metric", "mean"));
        for (int workers : new int[] {4, 8}) {
            for (int clients : new int[] {2, 4}) {
                arguments.add(new SampleRun(workers * clients).seconds(4).clients(clients).workers(workers)
                        .slower(workers == 4 ? 2 : 1).writeTo(folder.resolve("w" + workers + "c" + clients)));
            }
        }

        Invocation result = Invocation.of(arguments.toArray());

        assertThat(result.err()).isEmpty();
        assertThat(result.lines()).hasSize(5);
        double workersShare = Double.parseDouble(line(result, "workers").split(",")[2]);
        assertThat(workersShare).isGreaterThan(90);
        assertThat(Double.parseDouble(line(result, "workers").split(",")[1])).isNegative();
        Collections.reverse(arguments.subList(5, 9));
        assertThat(Invocation.of(arguments.toArray()).lines()).as("in whatever order runs are given")
                .isEqualTo(result.lines());
    }

    @Test
    void shouldSayWhatIsMissing() throws Exception {
        Path gap = Files.writeString(folder.resolve("gap.csv"), "a,b,y\n1,1,3\n1,2,4\n2,1,5\n");
        Path three = Files.writeString(folder.resolve("three.csv"), "a,y\n1,1\n2,2\n3,3\n");
        Path word = Files.writeString(folder.resolve("word.csv"), "a,y\n1,1\n2,much\n");

        assertThat(Invocation.of("factorial", "--table", gap).err())
                .startsWith("The combination a=2 b=2 has no observation");
        assertThat(Invocation.of("factorial", "--table", three).err()).startsWith("Factor a has 3 levels (1, 2, 3)");
        assertThat(Invocation.of("factorial", "--table", word).err()).contains("row 2: 'much' is not a number.");
        assertThat(Invocation.of("factorial").exitCode()).isEqualTo(2);
        Path run = new SampleRun(1).seconds(10).writeTo(folder.resolve("run"));
        assertThat(Invocation.of("factorial", run, "-metric", "e2e_p99").err())
                .startsWith("run has no e2e_p99: leave it out");
    }

    private static String line(Invocation result, String effect) {
        return result.lines().stream().filter(line -> line.startsWith(effect + ",")).findFirst().orElseThrow();
    }

    private static Map<String, Double> column(String table, int column) {
        Map<String, Double> values = new HashMap<>();
        Invocation.of("factorial", "--table", EXAMPLES.resolve(table), "-fmt", "csv").lines().stream().skip(1)
                .map(line -> line.split(",", -1)).forEach(cells -> values.put(cells[0],
                        cells[column].isEmpty() ? Double.NaN : Double.parseDouble(cells[column])));
        return values;
    }

    private static double truncated(double value) {
        double hundredths = Math.abs(value) * 100 + 1e-9;
        return Math.copySign(Math.floor(hundredths) / 100, value);
    }
}
