package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ch.ethz.mlmq.log_analyzer.run.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests experiments on examples from books, with the books' numbers. */
class ExperimentTest {
    @TempDir
    private Path folder;

    /** R. Jain 1991, example 18.1 and on: memory and cache, three replications. */
    @Test
    void shouldReproduceJainsReplicatedTwoLevelDesign() throws Exception {
        Json result = analyze("2k", List.of("A -1 1", "B -1 1"), "[]",
                rows("-1,-1:15 18 12", "1,-1:45 48 51", "-1,1:25 28 19", "1,1:75 75 81"), "-confidence", "90");

        assertThat(result.at("mean").numberOr(0)).isEqualTo(41);
        assertEffect(result, "A", 21.5, 19.583, 23.417, 0.78882);
        assertEffect(result, "B", 9.5, 7.583, 11.417, 0.15401);
        assertEffect(result, "AB", 5, 3.083, 6.917, 0.04266);
        assertThat(result.at("error", "share").numberOr(0)).isCloseTo(0.01451, within(1e-4));
        assertThat(result.at("residuals").elements()).extracting(each -> each.at("residual").numberOr(99))
                .startsWith(0.0, 3.0, -3.0);
        assertThat(effect(result, "A").at("within_noise").text()).contains("false");
    }

    /**
     * D. C. Montgomery, Design and Analysis of Experiments, example 6.2: filtration rate, one replicate; his effects
     * are twice these.
     */
    @Test
    void shouldTellNoiseFromEffectsWithoutRepetitions() throws Exception {
        int[] rates = {45, 71, 48, 65, 68, 60, 80, 65, 43, 100, 45, 104, 75, 86, 70, 96};
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < rates.length; i++) {
            rows.append("r%d,%d,1,accepted,,%d,%d,%d,%d,%d\n".formatted(i, i + 1, sign(i, 0), sign(i, 1), sign(i, 2),
                    sign(i, 3),
                    rates[i]));
        }

        Json result = analyze("2k", List.of("A -1 1", "B -1 1", "C -1 1", "D -1 1"), "[]", rows.toString());

        double margin = 6.748 / 2;
        assertEffect(result, "A", 21.625 / 2, 21.625 / 2 - margin, 21.625 / 2 + margin, 1870.56 / 5730.94);
        assertEffect(result, "AC", -18.125 / 2, -18.125 / 2 - margin, -18.125 / 2 + margin, 1314.06 / 5730.94);
        assertThat(result.at("effects").elements().stream()
                .filter(each -> each.at("within_noise").text().orElse("").equals("false"))
                .map(each -> each.at("name").text().orElse(""))).containsExactly("A", "C", "D", "AC", "AD");
        assertThat(result.at("residuals").elements().get(0).at("predicted").numberOr(0))
                .as("of the five effects that count").isCloseTo(46.25, within(0.01));
        assertThat(result.at("remarks").elements().toString()).contains("Lenth");
    }

    @Test
    void shouldGiveNoIntervalOfRunsThatAllHaveTheSameValue() throws Exception {
        Json points = analyze("points", List.of("A -1 1"), "[]", rows("-1:45 45", "1:100 102")).at("points");

        assertThat(points.elements().get(0).at("figures", "throughput [1/s]", "mean").numberOr(0)).isEqualTo(45);
        assertThat(points.elements().get(0).at("figures", "throughput [1/s]", "low").isMissing()).isTrue();
        assertThat(points.elements().get(1).at("figures", "throughput [1/s]", "low").numberOr(0)).isCloseTo(88.29,
                within(0.01));
    }

    /** Montgomery, example 8.1: the half of it with D = ABC. */
    @Test
    void shouldReproduceAFractionAndListItsConfounding() throws Exception {
        String rows = rows("-1,-1,-1,-1:45", "1,-1,-1,1:100", "-1,1,-1,1:45", "1,1,-1,-1:65", "-1,-1,1,1:75",
                "1,-1,1,-1:60",
                "-1,1,1,-1:80", "1,1,1,1:96");
        List<String> factors = List.of("A -1 1", "B -1 1", "C -1 1", "D -1 1");

        Json result = analyze("2k-p", factors, "[\"d=abc\"]", rows);

        assertThat(result.at("confounding", "resolution").numberOr(0)).isEqualTo(4);
        assertThat(result.at("confounding", "relation").elements()).extracting(each -> each.text().orElse(""))
                .containsExactly("I", "ABCD");
        assertThat(effect(result, "A").at("effect").numberOr(0)).isEqualTo(19.0 / 2);
        assertThat(effect(result, "A").at("confounded").elements()).extracting(each -> each.text().orElse(""))
                .containsExactly("BCD");
        assertThat(effect(result, "D").at("effect").numberOr(0)).isEqualTo(16.5 / 2);
        assertThat(effect(result, "AC").at("effect").numberOr(0)).isEqualTo(-18.5 / 2);
        assertThat(effect(result, "BC").at("effect").numberOr(0)).as("and AD").isEqualTo(19.0 / 2);

        String other = rows("-1,-1,-1,1:43", "1,-1,-1,-1:71", "-1,1,-1,-1:48", "1,1,-1,1:104", "-1,-1,1,-1:68",
                "1,-1,1,1:86", "-1,1,1,1:70", "1,1,1,-1:65");
        Json half = analyze("2k-p", factors, "[\"d=-abc\"]", other);
        assertThat(half.at("confounding", "relation").elements().toString()).contains("-ABCD");
        assertThat(effect(half, "A").at("effect").numberOr(0)).as("Montgomery, example 8.1, the other half: A − BCD")
                .isCloseTo(24.25 / 2, within(1e-9));
        assertThat(effect(half, "A").at("confounded").elements()).extracting(each -> each.text().orElse(""))
                .containsExactly("-BCD");
        assertThat(effect(half, "D").at("effect").numberOr(0)).isCloseTo(12.75 / 2, within(1e-9));

        assertThat(refused("2k-p", factors, "[\"d=abc\"]", rows.replace("45\n",
                "45\nrx,99,1,accepted,,1,-1,-1,-1,3\n")))
                .contains("Run rx does not follow the generators");
        assertThat(refused("2k-p", factors, "[\"d=a\"]", rows)).contains("at least two factors");
        assertThat(refused("2k-p", factors, "[\"d=abe\"]", rows)).contains("'e' is not one of the factors A, B, C, D");
        assertThat(refused("2k-p", factors, "[\"d=abc\", \"c=abd\"]", rows))
                .contains("must not be defined by a generator");
        assertThat(refused("2k-p", factors, "[\"c=ab\", \"d=ab\"]", rows))
                .contains("two factors would have the same effect");
    }

    /** Jain, example 20.1: code size of three processors, five programs each. */
    @Test
    void shouldReproduceJainsOneFactorDesign() throws Exception {
        Json result = analyze("one-factor", List.of("processor R V Z"), "[]",
                rows("R:144 120 176 288 144", "V:101 144 211 288 72", "Z:130 180 141 374 302"), "-confidence", "90");

        Json processor = effect(result, "processor");
        assertThat(processor.at("f").numberOr(0)).isCloseTo(0.699, within(0.001));
        assertThat(processor.at("share").numberOr(0)).isCloseTo(0.104, within(0.001));
        assertThat(processor.at("within_noise").text()).contains("true");
        assertThat(result.at("error", "deviation").numberOr(0)).isCloseTo(88.7, within(0.05));
        assertThat(result.at("levels").elements()).extracting(each -> Math.rint(10 * each.at("effect")
                .numberOr(0)) / 10)
                .containsExactly(-13.3, -24.5, 37.7);
        Json first = result.at("levels").elements().get(0);
        assertThat(first.at("low").numberOr(0)).isCloseTo(-71.0, within(0.2));
        assertThat(first.at("high").numberOr(0)).isCloseTo(44.4, within(0.2));
    }

    @Test
    void shouldTellTheLevelsOfAChangeWhereTheHighOneIsListedFirst() throws Exception {
        Json result = analyze("2k", List.of("clients 30 15"), "[]", rows("30:300 301 302", "15:150 151 152"));

        assertThat(effect(result, "clients").at("effect").numberOr(0)).isEqualTo(75);
        assertThat(effect(result, "clients").at("levels").elements()).extracting(each -> each.numberOr(0))
                .containsExactly(15.0, 30.0);
    }

    /** Each factor is varied from the usual setting; the others stay at it. */
    @Test
    void shouldTakeSeveralFactorsOneAtATime() throws Exception {
        Json result = analyze("one-factor", List.of("a 1 2 3", "b 5 6"), "[]",
                rows("1,5:10 11 12", "2,5:20 21 22", "3,5:30 31 32", "1,6:14 15 16"));

        assertThat(effect(result, "a").at("df").numberOr(0)).isEqualTo(2);
        assertThat(effect(result, "b").at("within_noise").text()).contains("false");
        Json b = result.at("levels").elements().get(4);
        assertThat(b.at("effect").numberOr(0)).as("half of 4").isCloseTo(2, within(1e-9));
    }

    @Test
    void shouldSayNothingOfNoiseWhereRepetitionsAreEqual() throws Exception {
        for (String design : List.of("one-factor", "2k")) {
            Path table = Files.writeString(folder.resolve("equal.csv"), """
                    run,point,repetition,state,reason,workers,throughput [1/s]
                    1,1,1,accepted,,2,500
                    2,1,2,accepted,,2,500
                    3,2,1,accepted,,4,500.1
                    4,2,2,accepted,,4,500.1
                    """);
            Path file = Files.writeString(folder.resolve("equal.json"), """
                    {"design":"%s","response":"throughput","factors":[{"name":"workers","levels":["2","4"]}]}"""
                    .formatted(design));

            String text = Invocation.of("experiment", "--table", table, "--design", file).out();

            assertThat(text).as(design).contains("All repetitions of a point are equal").doesNotContain("beyond noise");
        }
    }

    /** Montgomery, table 3.1: etch rate over power; Tukey's T is 33.09 in his example 3.7. */
    @Test
    void shouldCompareAllPairsOfLevelsAtOnce() throws Exception {
        Json result = analyze("one-factor", List.of("power 160 180 200 220"), "[]", rows("160:575 542 530 539 570",
                "180:565 593 590 579 610", "200:600 651 610 637 629", "220:725 700 715 685 710"));

        assertThat(effect(result, "power").at("f").numberOr(0)).isCloseTo(66.80, within(0.01));
        assertThat(result.at("pairs").elements()).hasSize(6);
        Json pair = result.at("pairs").elements().get(0);
        assertThat(pair.at("difference").numberOr(0)).isCloseTo(36.2, within(1e-9));
        assertThat(pair.at("high").numberOr(0) - 36.2).isCloseTo(33.09, within(0.05));
        assertThat(pair.at("within_noise").text()).contains("false");
    }

    /** Montgomery, table 5.1: life of batteries by material and temperature, four of each. */
    @Test
    void shouldReproduceATwoFactorAnalysisOfVariance() throws Exception {
        Json result = analyze("grid", List.of("material 1 2 3", "temperature 15 70 125"), "[]", BATTERIES);

        assertThat(effect(result, "material").at("f").numberOr(0)).isCloseTo(7.91, within(0.005));
        assertThat(effect(result, "temperature").at("f").numberOr(0)).isCloseTo(28.97, within(0.005));
        assertThat(effect(result, "material x temperature").at("f").numberOr(0)).isCloseTo(3.56, within(0.005));
        assertThat(effect(result, "material x temperature").at("p").numberOr(0)).isCloseTo(0.0186, within(0.0005));
        assertThat(effect(result, "temperature").at("share").numberOr(0)).isCloseTo(39118.72 / 77646.97, within(1e-5));
        assertThat(result.at("interactions").elements()).hasSize(1);
        assertThat(result.at("best", "levels", "temperature").numberOr(0)).as("more is better").isEqualTo(15);
    }

    @Test
    void shouldLeaveOutTheInteractionWhereNothingWasRepeated() throws Exception {
        Json result = analyze("grid", List.of("a 1 2 3", "b 1 2"), "[]",
                rows("1,1:10", "2,1:21", "3,1:29", "1,2:15", "2,2:24", "3,2:36"));

        assertThat(result.at("effects").elements()).extracting(each -> each.at("name").text().orElse(""))
                .containsExactly("a", "b");
        assertThat(result.at("error", "df").numberOr(0)).isEqualTo(2);
        assertThat(result.at("remarks").elements().toString()).contains("Interactions are left out");
    }

    @Test
    void shouldCountAcceptedRunsAloneAndListTheOthers() throws Exception {
        Json result = analyze("one-factor", List.of("workers 4 8"), "[]", """
                r1,1,1,accepted,,4,10
                r2,1,2,accepted,,4,12
                r3,2,1,rejected,Errors: 3 %,8,2
                r4,2,1,accepted,,8,20
                r5,2,2,accepted,,8,24
                r6,2,3,failed,the broker died,8,
                """);

        Json second = result.at("points").elements().get(1);
        assertThat(second.at("figures", "throughput [1/s]", "mean").numberOr(0)).isEqualTo(22);
        assertThat(second.at("figures", "throughput [1/s]", "n").numberOr(0)).isEqualTo(2);
        assertThat(second.at("figures", "throughput [1/s]", "high").numberOr(0))
                .as("t with one degree of freedom: 12.706 x 2")
                .isCloseTo(47.412, within(0.001));
        assertThat(result.at("left_out").elements()).extracting(each -> each.at("reason").text().orElse(""))
                .containsExactly("Errors: 3 %", "the broker died");
    }

    @Test
    void shouldSayWhatIsMissingWhileItGrows() throws Exception {
        Json result = analyze("2k", List.of("a 1 2", "b 1 2"), "[]", """
                r1,1,1,accepted,,1,1,10
                r2,2,1,accepted,,2,1,12
                r3,3,1,accepted,,1,2,12
                r4,4,1,rejected,late,2,2,9
                """);

        assertThat(result.at("effects").isMissing()).isTrue();
        assertThat(result.at("remarks").elements().toString()).contains("No accepted run has a=2, b=2");
        assertThat(result.at("points").elements()).hasSize(4);
        assertThat(result.at("points").elements().get(3).at("runs").elements()).isEmpty();
    }

    @Test
    void shouldSayWhichRunsAreNotInTheEffects() throws Exception {
        List<String> factors = List.of("a 1 2", "b 1 2");
        String table = table(factors, """
                r1,1,1,accepted,,1,1,10,0
                r2,2,1,accepted,,2,1,12,0
                r3,3,1,accepted,,1,2,12,0
                r4,4,1,accepted,,2,2,15,0
                r5,4,2,accepted,,2,2,,7
                """).replace("throughput [1/s]", "p99 [ms],errors [%]");

        Json result = json(run(design("2k", factors, "[]"), table, "-response", "p99"));

        assertThat(result.at("effects").isMissing()).isFalse();
        assertThat(result.at("remarks").elements().toString()).contains("Effects are without run r5: its requests "
                + "failed so often that there is no p99 [ms], and what is left is too good.");
    }

    /** D. C. Montgomery, Design and Analysis of Experiments, example 15.5: strength of fibres and their thickness. */
    @Test
    void shouldReproduceMontgomerysAnalysisOfCovarianceForTheSpeedOfMachines() throws Exception {
        List<String> factors = List.of("machine 1 2 3");
        String design = design("one-factor", factors, "[]");
        String rows = fibres("1", "36,20 41,25 39,24 42,25 49,32") + fibres("2", "40,22 48,28 39,22 45,30 44,28")
                + fibres("3", "35,21 37,23 42,26 34,21 32,15");
        String table = table(factors, rows).replace("throughput [1/s]", "throughput [1/s],fixed_work [us]");

        Json speed = json(run(design, table)).at("at_one_speed");
        String text = run(design, table, "-fmt", "text").out();

        assertThat(speed.at("power").numberOr(0)).isCloseTo(0.954, within(0.001));
        assertThat(10 * Math.log(speed.at("work [us]").numberOr(0))).isCloseTo(24.133, within(0.001));
        double[][] expected = {{40.38, 0.7231}, {41.42, 0.7439}, {38.80, 0.7871}};
        for (int i = 0; i < expected.length; i++) {
            Json point = speed.at("points").elements().get(i);
            assertThat(10 * Math.log(point.at("mean").numberOr(0))).isCloseTo(expected[i][0], within(0.01));
            assertThat(10 * Math.log(point.at("low").numberOr(0)))
                    .isCloseTo(expected[i][0] - 2.201 * expected[i][1], within(0.01));
        }
        assertThat(text).contains("throughput [1/s] at one speed of the machines").contains("power of 0.95 (");
    }

    @Test
    void shouldNotBlameTheMachineForWhatTheLoadDoes() throws Exception {
        List<String> factors = List.of("machine 1 2");
        String rows = fibres("1", "36,20 41,25 39,24 42,25 49,32") + fibres("2", "40,52 48,58 39,52 45,60 44,58");
        String table = table(factors, rows).replace("throughput [1/s]", "throughput [1/s],fixed_work [us]");

        Json result = json(run(design("one-factor", factors, "[]"), table));

        assertThat(result.at("at_one_speed").isMissing()).isTrue();
        assertThat(result.at("remarks").elements().toString()).contains("The machines changed their speed");
    }

    @Test
    void shouldFitTheScalingLawAndMarkWhatIsLeftOut() throws Exception {
        Random random = new Random(3);
        StringBuilder rows = new StringBuilder();
        int point = 0;
        for (int n : new int[] {1, 2, 4, 8, 16, 32, 64}) {
            point++;
            for (int i = 0; i < 3; i++) {
                double rate = 1000.0 * n / (1 + 0.05 * (n - 1) + 0.0004 * n * (n - 1)) * (1
                        + 0.01 * random.nextGaussian());
                rows.append("r%d_%d,%d,%d,accepted,,%d,%.3f\n".formatted(n, i, point, i + 1, n, n == 64 ? rate / 3
                        : rate));
            }
        }

        Json result = analyze("one-factor", List.of("clients 1 2 4 8 16 32 64"), "[]", rows.toString(), "--leave-out",
                "64");

        Json law = result.at("scaling").elements().get(0);
        // 18 runs with errors of 1 %: by the weighted design's (X'X)^-1 and the delta method the standard errors are
        // 0.00144 of the contention and 2.73 of the peak. The bounds are 3.5 and 1.5 of them, for this seed.
        assertThat(law.at("contention", "value").numberOr(0)).isCloseTo(0.05, within(0.005));
        assertThat(law.at("peak", "value").numberOr(0)).isCloseTo(Math.sqrt(0.95 / 0.0004), within(4.0));
        // 95 of 100 seeds
        assertThat(law.at("contention", "low").numberOr(1)).isLessThan(0.05);
        assertThat(law.at("contention", "high").numberOr(0)).isGreaterThan(0.05);
        assertThat(law.at("left_out").elements()).hasSize(3);
    }

    @Test
    void shouldScaleOverNothingButWhatServesMore() throws Exception {
        String rows = rows("10:90,1 91,1", "100:80,2 82,2", "1000:60,3 61,3", "4000:30,5 31,5");
        String design = design("grid", List.of("level 10 100 1000 4000"), "[]");
        String table = table(List.of("level"), rows).replace("throughput [1/s]", "throughput [1/s],mean [ms]");

        Json bySize = json(run(at(design, "clients.0.settings.message.size"), table));
        Json byClients = json(run(at(design, "clients.0.clients, clients.1.clients"), table));

        assertThat(bySize.at("scaling").isMissing()).isTrue();
        assertThat(byClients.at("scaling").elements()).hasSize(1);
        assertThat(bySize.at("knee").isMissing()).isTrue();
        assertThat(byClients.at("knee").elements()).hasSize(1);
    }

    /** Factors that are varied one at a time produce such lines. */
    @Test
    void shouldScaleOverNoLineOfOnePoint() throws Exception {
        Json result = analyze("one-factor", List.of("clients 1 2 4 8", "size 10 20"), "[]",
                rows("1,10:10 11", "2,10:19 20", "4,10:35 36", "8,10:50 51", "1,20:9 10"));

        assertThat(result.at("scaling").elements()).hasSize(1);
        assertThat(result.at("remarks").elements()).noneMatch(each -> each.text().orElse("").contains("Scaling law"));
    }

    private static String at(String design, String path) {
        return design.replace("\"name\": ", "\"path\": \"" + path + "\", \"name\": ");
    }

    @Test
    void shouldFindTheHighestRateThatHolds() throws Exception {
        String design = """
                {"design": "find", "factors": [{"name": "rate", "path": "clients.0.settings.rate", "levels": []}],
                 "until": ["p99 < 50 ms", "errors = 0", "queue steady"]}""";
        String table = """
                run,point,repetition,state,reason,rate,throughput [1/s],mean [ms],p99 [ms],errors [%],queue steady
                1,1,1,accepted,,1000/s,1000,2,9,0,1
                2,2,1,accepted,,8000/s,6100,400,900,0,0
                3,3,1,accepted,,4000/s,4000,3,20,0,1
                4,4,1,accepted,,6000/s,5990,30,80,0,0
                5,5,1,accepted,,5000/s,5000,5,40,0,1
                6,5,2,accepted,,5000/s,5000,5,51,0,1
                7,5,3,accepted,,5000/s,5000,5,44,0,1
                8,2,2,rejected,Errors: 4 %,8000/s,6000,400,990,4,0
                9,1,2,rejected,clocks,1000/s,1000,2,9,0,1
                """;

        Json result = json(run(design, table));

        assertThat(result.at("find", "holds").numberOr(0)).isEqualTo(5000);
        assertThat(result.at("find", "breaks").numberOr(0)).isEqualTo(6000);
        assertThat(result.at("find", "tries").elements()).as("a rejected run that breaks no condition is no try")
                .hasSize(8);
        assertThat(result.at("knee").elements().get(0).at("level").text()).contains("4000/s");
    }

    @Test
    void shouldRefuseWhatIsNoExperiment() throws Exception {
        assertThat(refused("2k", List.of("a 1 2"), "[]", "r1,1,1,done,,1,10\n")).contains("'done' is not a state");
        assertThat(refused("2k", List.of("a 1 2"), "[]", "r1,1,1,accepted,,1,much\n"))
                .contains("row 1: 'much' is no number");
        assertThat(refused("3k", List.of("a 1 2"), "[]", "r1,1,1,accepted,,1,1\n"))
                .contains("'3k' is none of one-factor, grid");
        assertThat(refused("2k", List.of("a 1 2"), "[]", "")).contains("The table has no runs");
        assertThat(Invocation.of("experiment").err()).contains("either -d");
        assertThat(Invocation.of("experiment", "-d", folder).err()).contains("There is no run in");
    }

    @Test
    void shouldAnalyseADesignThatItDoesNotKnowAsTheDesignAsks() throws Exception {
        List<String> factors = List.of("material 1 2 3", "temperature 15 70 125");
        String grid = design("grid", factors, "[]");
        String latin = grid.replace("\"grid\"", "\"latin-square\", \"analysis\": \"anova\"");

        assertThat(json(run(latin, table(factors, BATTERIES))).at("effects").value())
                .isEqualTo(json(run(grid, table(factors, BATTERIES))).at("effects").value()).isNotNull();
        assertThat(run(latin.replace("anova", "luck"), table(factors, BATTERIES)).err())
                .contains("analysis: 'luck' is none of anova, effects, search, none");
    }

    @Test
    void shouldNotClaimABestPointBeyondNoiseWithoutRepetitions() throws Exception {
        Path runs = Files.createDirectories(folder.resolve("single"));
        for (int point = 1; point <= 2; point++) {
            Path run = runs.resolve("p" + point);
            new SampleRun(point).seconds(12).clients(4).errors(0).writeTo(run);
            Files.writeString(run.resolve("experiment.json"), """
                    {"id": "7", "name": "Workers", "design": "one-factor", "response": "p99", "point": %d,
                     "repetition": 1, "levels": {"workers": %d},
                     "factors": [{"name": "workers", "path": "brokers.0.settings.workers", "levels": [4, 8]}]}
                    """.formatted(point, 4 * point));
        }

        Json best = json(Invocation.of("experiment", "-d", runs, "-fmt", "json")).at("best");

        assertThat(best.at("as_good").elements()).isEmpty();
        assertThat(best.at("untold").elements()).hasSize(1);
        assertThat(Invocation.of("experiment", "-d", runs).out())
                .contains("; without repetitions it cannot be told of point ");
    }

    @Test
    void shouldMakeItAllAgainFromTheRunsAlone() throws Exception {
        Path runs = Files.createDirectories(folder.resolve("runs"));
        int point = 0;
        for (int workers : new int[] {4, 8}) {
            point++;
            for (int repetition = 1; repetition <= 2; repetition++) {
                Path run = runs.resolve("w" + workers + "_" + repetition);
                new SampleRun(10 * workers + repetition).seconds(12).clients(4).workers(workers).slower(workers == 4 ? 2
                        : 1)
                        .errors(0).clientCpu(workers == 8 && repetition == 2 ? 0.9 : 0.4)
                        .fixedWork(500 * workers, 500 * workers).writeTo(run);
                Files.writeString(run.resolve("experiment.json"), """
                        {"id": "7", "name": "Workers", "design": "one-factor", "response": "throughput", "point": %d,
                         "repetition": %d, "levels": {"workers": %d},
                         "factors": [{"name": "workers", "path": "brokers.0.settings.workers", "levels": [4, 8]}]}
                        """.formatted(point, repetition, workers));
            }
        }

        Json result = json(Invocation.of("experiment", "-d", runs, "-fmt", "json"));

        assertThat(result.at("points").elements()).hasSize(2);
        assertThat(result.at("left_out").elements()).hasSize(1);
        assertThat(result.at("left_out").elements().get(0).at("reason").text().orElse("")).contains("Client machines");
        // no client waits for an error: all that is not counted is what each has under way at both ends of 12 s, at
        // most a round of 5 ms + 4 ms or so
        assertThat(result.at("law").elements().get(0).at("deviation [%]").numberOr(99)).isCloseTo(0, within(0.2));
        assertThat(result.at("best", "levels", "workers").numberOr(0)).isEqualTo(8);
        assertThat(result.at("remarks").elements().toString()).contains("The machines changed their speed: the fixed "
                + "piece of work took 2 ms of processor time in run w4_", " and 4 ms in run w8_1.");
        Path table = folder.resolve("runs.csv");
        assertThat(Invocation.of("experiment", "-d", runs, "-fmt", "runs", "-out", table).exitCode()).isZero();
        assertThat(Invocation.of("experiment", "--table", table, "--design", runs.resolve("w4_1/experiment.json"),
                "-fmt",
                "csv").lines()).isEqualTo(Invocation.of("experiment", "-d", runs, "-fmt", "csv").lines());
        String text = Invocation.of("experiment", "-d", runs, "-response", "p99").out();
        assertThat(text).contains("Best: point 2 (workers 8), p99 [ms]").contains("Runs that do not count");
    }

    @Test
    void shouldTellAQueueThatGrowsFromOneThatDoesNot() throws Exception {
        Path steady = new SampleRun(3).seconds(30).writeTo(folder.resolve("steady"));
        Path growing = new SampleRun(3).seconds(30).growing(2).writeTo(folder.resolve("growing"));

        String good = Invocation.of("check", "-d", steady, "-fmt", "csv").out();
        String bad = Invocation.of("check", "-d", growing, "-fmt", "csv").out();

        assertThat(good).contains("good,Queue steady");
        assertThat(bad).contains("warning,Queue steady,\"the queue grows: requests in the brokers: ");
    }

    @Test
    void shouldTakeTheStepsOfOneRunAsLevels() throws Exception {
        Path run = folder.resolve("stepped");
        LogLines log = LogLines.inMicroseconds();
        StringBuilder gauges = new StringBuilder("ms,clients,under_way,waiting\n");
        Random random = new Random(5);
        for (int second = 0; second < 60; second++) {
            int clients = 10 * (1 + second / 20);
            gauges.append(second * 1000).append(',').append(clients).append(",0,0\n");
            for (int i = 0; i < clients; i++) {
                log.add(1000L * clients + random.nextInt(500), second * 1000L + i * 1000L / clients, "CSndReq#OK#send");
            }
            if (clients == 30) {
                log.add(900_000, second * 1000L + 950, "CSndReq#TIMEOUT#send");
            }
        }
        log.writeTo(run.resolve("performance_client_0.log"));
        Files.writeString(run.resolve("gauges_client_0.csv"), gauges);

        Json result = json(Invocation.of("experiment", "-d", run, "-steps", "-fmt", "json"));

        assertThat(result.at("points").elements()).extracting(each -> each.at("levels", "clients").numberOr(0))
                .containsExactly(10.0, 20.0, 30.0);
        Json last = result.at("points").elements().get(2);
        assertThat(last.at("figures", "throughput [1/s]", "mean").numberOr(0)).isCloseTo(30, within(1.0));
        // 30 ms and an even 0 to 0.5 ms, of 5 s: four standard errors, 0.5 / sqrt(12) / sqrt(150) each
        assertThat(last.at("figures", "mean [ms]", "mean").numberOr(0)).isCloseTo(30.25, within(4 * 0.0118));
        assertThat(last.at("figures", "mean [ms]", "n").numberOr(0)).isEqualTo(5);
        assertThat(last.at("figures", "p95 [ms]", "mean").numberOr(0)).isBetween(30.4, 30.5);
        assertThat(last.at("figures", "p99 [ms]").isMissing()).as("one of 31 failed").isTrue();
        Path plots = folder.resolve("plots");
        assertThat(Invocation.of("-d", run, "-fmt", "gnuplot", "-kind", "steps", "-out", plots).lines())
                .containsExactly(plots.resolve("steps.gp").toString());
        Invocation.of("experiment", "-d", run, "-steps", "-fmt", "gnuplot", "-out", plots);
        assertThat(Files.readString(plots.resolve("steps.csv")))
                .isEqualTo(Files.readString(plots.resolve("over_clients.csv")));
        assertThat(Invocation.of("experiment", "-d", new SampleRun(3).seconds(5).writeTo(folder.resolve("one")),
                "-steps").err())
                .contains("has no steps");
    }

    @Test
    void shouldTakeTheTriesOfARunOverTheirOwnSeconds() throws Exception {
        Path run = new SampleRun(4).seconds(40).errors(0.2).growing(2).writeTo(folder.resolve("searched"));
        long start = 1_700_000_000_000L;
        Files.writeString(run.resolve("experiment.json"), """
                {"id": "7", "name": "Rate", "design": "find", "until": ["late < 1 %%", "queue steady"],
                 "factors": [{"name": "rate", "path": "clients.0.settings.rate", "levels": [100, 200]}],
                 "tries": [{"point": 1, "repetition": 1, "levels": {"rate": 100}, "from_ms": %d, "to_ms": %d,
                            "late": 0},
                           {"point": 2, "repetition": 1, "levels": {"rate": 200}, "from_ms": %d, "to_ms": %d,
                            "late": 3.5}]}
                """.formatted(start + 6_000, start + 10_000, start + 12_000, start + 32_000));

        List<String> rows = Invocation.of("experiment", "-d", run, "-fmt", "runs").lines();
        Json result = json(Invocation.of("experiment", "-d", run, "-fmt", "json"));

        assertThat(rows.get(1)).contains(" try 1,1,1,accepted,,100,");
        assertThat(rows.get(2)).contains(" try 2,2,1,accepted,,200,");
        assertThat(result.at("points").elements()).extracting(each ->
                each.at("figures", "late [%]", "mean").numberOr(9)).containsExactly(0.0, 3.5);
        assertThat(result.at("find", "tries").elements()).hasSize(2);
        assertThat(Invocation.of("check", "-d", run, "-fmt", "csv").out())
                .contains("note,Errors,").contains("each tried rate is checked on its own");
    }

    @Test
    void shouldJudgeLogsByWhicheverFigureAConditionNames() throws Exception {
        Path run = new SampleRun(4).seconds(20).errors(0).writeTo(folder.resolve("judged"));
        String design = """
                {"id": "7", "name": "Rate", "design": "find", "until": ["%s"], "point": 1, "repetition": 1,
                 "state": "accepted", "factors": [{"name": "rate", "path": "clients.0.settings.rate", "levels": [100]}],
                 "levels": {"rate": 100}}
                """;
        for (String kept : List.of("max < 1 s", "p99.9 < 1 s", "median < 1 s")) {
            Files.writeString(run.resolve("experiment.json"), design.formatted(kept));
            Json found = json(Invocation.of("experiment", "-d", run, "-fmt", "json"));
            assertThat(found.at("find", "holds").numberOr(0)).as(kept).isEqualTo(100);
        }
        Files.writeString(run.resolve("experiment.json"), design.formatted("max < 1 us"));
        assertThat(json(Invocation.of("experiment", "-d", run, "-fmt", "json")).at("find", "breaks").numberOr(0))
                .isEqualTo(100);
        Files.writeString(run.resolve("experiment.json"), design.formatted("speed < 1 us"));
        assertThat(Invocation.of("experiment", "-d", run, "-fmt", "json").err())
                .contains("until: 'speed < 1 us' has a figure that is not known, speed: figures are throughput, sent");
    }

    @Test
    void shouldGiveNoMeanOfAPercentileThatLiesAmongFailedRequestsInOneRun() throws Exception {
        Json result = json(run(design("points", List.of("a 1 2"), "[]"), """
                run,point,repetition,state,reason,a,throughput [1/s],p99 [ms],errors [%]
                r1,1,1,accepted,,1,100,10,0
                r2,1,2,accepted,,1,100,12,0
                r3,1,3,accepted,,1,100,,5
                r4,2,1,accepted,,2,100,20,0
                r5,2,2,accepted,,2,100,22,0
                """));

        List<Json> points = result.at("points").elements();
        assertThat(points.get(0).at("figures", "p99 [ms]", "mean").isMissing()).isTrue();
        assertThat(points.get(0).at("figures", "throughput [1/s]", "n").numberOr(0)).isEqualTo(3);
        assertThat(points.get(1).at("figures", "p99 [ms]", "mean").numberOr(0)).isEqualTo(21);
    }

    @Test
    void shouldGiveNoMeanOfTimesOfMessagesThatOneRunDoesNotTell() throws Exception {
        Json result = json(run(design("points", List.of("a 1 2"), "[]"), """
                run,point,repetition,state,reason,a,throughput [1/s],e2e_p99 [ms],errors [%]
                r1,1,1,accepted,,1,100,10,0
                r2,1,2,accepted,,1,100,,0
                r3,2,1,accepted,,2,100,20,0
                r4,2,2,accepted,,2,100,22,0
                """));

        List<Json> points = result.at("points").elements();
        assertThat(points.get(0).at("figures", "e2e_p99 [ms]", "mean").isMissing()).isTrue();
        assertThat(points.get(1).at("figures", "e2e_p99 [ms]", "mean").numberOr(0)).isEqualTo(21);
    }

    @Test
    void shouldTakeTimesOfMessagesAsAResponse() throws Exception {
        Path runs = Files.createDirectories(folder.resolve("runs"));
        for (int point = 1; point <= 2; point++) {
            Path run = new SampleRun(point).seconds(12).clients(4).errors(0).writeTo(runs.resolve("run" + point));
            for (int client = 0; client < 2; client++) {
                Path files = run.resolve("logs/m1/client_" + client);
                Path log = files.resolve("performance_client_" + client + ".log");
                Files.writeString(log, Files.readString(log).replaceAll("(?m)^\\d+;(\\d+);CSndReq#OK#.*$",
                        "$0\n" + 7_000 * point + ";$1;CE2E#dequeueMessage;C[5]"));
                Path summary = files.resolve("summary_client_" + client + ".json");
                Files.writeString(summary, Files.readString(summary).replace("\"bottleneck\"",
                        "\"e2e\":{\"count\":9},\"bottleneck\""));
            }
            Files.writeString(run.resolve("experiment.json"), """
                    {"id": "7", "name": "Workers", "design": "one-factor", "response": "e2e_p99", "point": %d,
                     "repetition": 1, "levels": {"workers": %d},
                     "factors": [{"name": "workers", "path": "brokers.0.settings.workers", "levels": [4, 8]}]}
                    """.formatted(point, 4 * point));
        }

        Json result = json(Invocation.of("experiment", "-d", runs, "-fmt", "json"));

        assertThat(result.at("points").elements()).extracting(point ->
                point.at("figures", "e2e_p99 [ms]", "mean").numberOr(0)).containsExactly(7.0, 14.0);
        assertThat(result.at("best", "levels", "workers").numberOr(0)).isEqualTo(4);
    }

    @Test
    void shouldNotCountWhatNeverStartedAtTheEndInEachTry() throws Exception {
        Path run = new SampleRun(4).seconds(40).errors(0).writeTo(folder.resolve("searched"));
        long start = 1_700_000_000_000L;
        Files.writeString(run.resolve("experiment.json"), """
                {"id": "7", "name": "Rate", "design": "find", "until": ["errors = 0"],
                 "factors": [{"name": "rate", "path": "clients.0.settings.rate", "levels": [100, 200]}],
                 "tries": [{"point": 1, "repetition": 1, "levels": {"rate": 100}, "from_ms": %d, "to_ms": %d}]}
                """.formatted(start + 6_000, start + 10_000));
        try (Stream<Path> files = Files.walk(run)) {
            for (Path summary : files.filter(file -> file.toString().contains("summary_client_")).toList()) {
                Files.writeString(summary, Files.readString(summary).replace("{\"TIMEOUT\"",
                        "{\"NOT_STARTED\":500,\"TIMEOUT\""));
            }
        }

        Json result = json(Invocation.of("experiment", "-d", run, "-fmt", "json"));

        assertThat(result.at("points").elements()).extracting(each ->
                each.at("figures", "errors [%]", "mean").numberOr(9)).containsExactly(0.0);
    }

    @Test
    void shouldTellFromATableWhetherWhatWaitsGrows() throws Exception {
        StringBuilder table = new StringBuilder("in the clients,in the brokers\n");
        for (int second = 0; second < 20; second++) {
            table.append(5 * second).append(',').append(second % 3).append('\n');
        }
        Path csv = Files.writeString(folder.resolve("queues.csv"), table);

        assertThat(Invocation.of("steady", "-d", csv, "-fmt", "csv").lines().get(1)).startsWith("in the clients,5,")
                .endsWith(",0");
        Files.writeString(csv, "in the brokers\n1\nmany\n");
        assertThat(Invocation.of("steady", "-d", csv).err()).contains("line 3: in the brokers is not a number");
    }

    @Test
    void shouldDrawAndReportWhatItFound() throws Exception {
        List<String> factors = List.of("material 1 2 3", "temperature 15 70 125");
        String design = design("grid", factors, "[]");
        Path plots = folder.resolve("plots");

        Invocation drawn = run(design, table(factors, BATTERIES), "-fmt", "gnuplot", "-out", plots.toString());
        Invocation page = run(design, table(factors, BATTERIES), "-fmt", "html");

        assertThat(drawn.lines()).extracting(line -> Path.of(line).getFileName().toString()).containsExactly(
                "over_material.gp", "over_temperature.gp", "interaction_material_temperature.gp", "residuals.gp",
                "residual_quantiles.gp");
        assertThat(Files.readAllLines(plots.resolve("over_temperature.csv")).get(1)).startsWith("15,15,134.75,");
        assertThat(page.exitCode()).as(page.err()).isZero();
        assertThat(page.out()).contains("<svg").contains("material x temperature").contains("beyond noise")
                .doesNotContain("E+");
    }

    @Test
    void shouldWrapATitleThatDoesNotFit() throws Exception {
        List<String> factors = List.of("material 1 2 3", "temperature 15 70 125");
        String design = design("grid", factors, "[]").replaceFirst("\\{", "{\"name\": \"The life of batteries that are "
                + "made of three materials, at three temperatures\", ");
        Path plots = folder.resolve("plots");

        run(design, table(factors, BATTERIES), "-fmt", "gnuplot", "-out", plots.toString());

        assertThat(Files.readString(plots.resolve("over_material.gp")))
                .contains("set title 'throughput over material · The life of batteries that are made of' . \"\\n\" . "
                        + "'three materials, at three temperatures'\n");
    }

    @Test
    void shouldDrawALineOverNumbersAndNoneOverNames() throws Exception {
        Path plots = folder.resolve("plots");
        List<String> names = List.of("system mlmq table");
        List<String> numbers = List.of("clients 8 16");
        run(design("one-factor", names, "[]"), table(names, rows("mlmq:9 8", "table:3 4")), "-fmt", "gnuplot", "-out",
                plots.toString());
        run(design("one-factor", numbers, "[]"), table(numbers, rows("8:9 8", "16:3 4")), "-fmt", "gnuplot", "-out",
                plots.toString());

        assertThat(Files.readString(plots.resolve("over_system.gp"))).contains("with points", "with yerrorbars")
                .doesNotContain("with linespoints");
        assertThat(Files.readString(plots.resolve("over_clients.gp"))).contains("with linespoints", "with yerrorbars");
    }

    @Test
    void shouldDrawNoIntervalWhereAPointHasOneRun() throws Exception {
        List<String> numbers = List.of("clients 8 16 32");
        Path single = folder.resolve("single");
        run(design("one-factor", numbers, "[]"), table(numbers, rows("8:9", "16:3")), "-fmt", "gnuplot", "-out",
                single.toString());
        Path mixed = folder.resolve("mixed");
        run(design("one-factor", numbers, "[]"), table(numbers, rows("8:9 8", "16:3")), "-fmt", "gnuplot", "-out",
                mixed.toString());

        assertThat(Files.readString(single.resolve("over_clients.gp"))).contains("with linespoints")
                .doesNotContain("yerror").doesNotContain("95 % intervals");
        assertThat(Files.readAllLines(single.resolve("over_clients.csv"))).contains("8,8,9,,", "16,16,3,,");
        assertThat(Files.readString(mixed.resolve("over_clients.gp"))).contains("with yerrorbars", "95 % intervals");
        assertThat(Files.readAllLines(mixed.resolve("over_clients.csv"))).contains("16,16,3,,");
    }

    private static final String BATTERIES = rows("1,15:130 155 74 180", "1,70:34 40 80 75", "1,125:20 70 82 58",
            "2,15:150 188 159 126", "2,70:136 122 106 115", "2,125:25 70 58 45", "3,15:138 110 168 160",
            "3,70:174 120 150 139", "3,125:96 104 82 60");

    /** @param runs strength and thickness, whose logarithms are what is analysed */
    private static String fibres(String machine, String runs) {
        StringBuilder rows = new StringBuilder();
        int repetition = 0;
        for (String each : runs.split(" ")) {
            String[] numbers = each.split(",");
            repetition++;
            rows.append("m%s_%d,%1$s,%2$d,accepted,,%1$s,%s,%s\n".formatted(machine, repetition,
                    Math.exp(Double.parseDouble(numbers[0]) / 10), Math.exp(Double.parseDouble(numbers[1]) / 10)));
        }
        return rows.toString();
    }

    /** @param points such as {@code 1,15:130 155}: levels, then the figure of each repetition */
    private static String rows(String... points) {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < points.length; i++) {
            String[] parts = points[i].split(":");
            int repetition = 0;
            for (String figure : parts[1].split(" ")) {
                repetition++;
                rows.append("p%d_%d,%d,%d,accepted,,%s,%s\n".formatted(i + 1, repetition, i + 1, repetition, parts[0],
                        figure));
            }
        }
        return rows.toString();
    }

    private Json analyze(String kind, List<String> factors, String generators, String rows,
            String... more) throws IOException {
        return json(run(design(kind, factors, generators), table(factors, rows), more));
    }

    private String refused(String kind, List<String> factors, String generators, String rows) throws IOException {
        Invocation result = run(design(kind, factors, generators), table(factors, rows));
        if (result.exitCode() == 0) {
            return json(result).at("remarks").elements().toString();
        }
        assertThat(result.exitCode()).isEqualTo(2);
        return result.err();
    }

    private Invocation run(String design, String table, String... more) throws IOException {
        List<Object> arguments = new ArrayList<>(List.of("experiment", "--table",
                Files.writeString(folder.resolve("runs.csv"), table), "--design",
                Files.writeString(folder.resolve("design.json"), design)));
        arguments.addAll(List.of(more));
        if (!arguments.contains("-fmt")) {
            arguments.addAll(List.of("-fmt", "json"));
        }
        return Invocation.of(arguments.toArray());
    }

    private static String table(List<String> factors, String rows) {
        return "run,point,repetition,state,reason,"
                + factors.stream().map(factor -> factor.split(" ")[0]).collect(Collectors.joining(","))
                        + ",throughput [1/s]\n"
                + rows;
    }

    /** @param factors such as {@code workers 4 8} */
    private static String design(String kind, List<String> factors, String generators) {
        String written = factors.stream().map(factor -> factor.split(" ")).map(words -> "{\"name\": \"" + words[0]
                + "\", \"levels\": [" + List.of(words).stream().skip(1).map(level -> "\"" + level + "\"")
                .collect(Collectors.joining(",")) + "]}").collect(Collectors.joining(","));
        return ("{\"design\": \"%s\", \"generators\": %s, \"response\": \"throughput\", "
                + "\"factors\": [%s]}").formatted(kind, generators, written);
    }

    private static Json json(Invocation result) throws IOException {
        assertThat(result.exitCode()).as(result.err()).isZero();
        return Json.read(new ByteArrayInputStream(result.out().getBytes(StandardCharsets.UTF_8)));
    }

    private static Json effect(Json result, String name) {
        return result.at("effects").elements().stream().filter(each -> each.at("name").text().orElse("").equals(name))
                .findFirst().orElseThrow();
    }

    private static void assertEffect(Json result, String name, double value, double low, double high, double share) {
        Json effect = effect(result, name);
        assertThat(effect.at("effect").numberOr(0)).as(name).isCloseTo(value, within(1e-3));
        assertThat(effect.at("low").numberOr(0)).as(name + " low").isCloseTo(low, within(2e-3));
        assertThat(effect.at("high").numberOr(0)).as(name + " high").isCloseTo(high, within(2e-3));
        assertThat(effect.at("share").numberOr(0)).as(name + " share").isCloseTo(share, within(1e-3));
    }

    private static int sign(int cell, int factor) {
        return (cell >> factor & 1) == 1 ? 1 : -1;
    }
}
