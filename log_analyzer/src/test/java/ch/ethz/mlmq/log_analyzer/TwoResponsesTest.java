package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ch.ethz.mlmq.log_analyzer.run.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the table of signs, and the response that stands beside the asked one. */
class TwoResponsesTest {
    /** R. Jain 1991, example 17.1, memory and cache; mean is 2 + 3 A. */
    private static final String ROWS = """
            r1,1,1,accepted,,4,1,15,99
            r2,2,1,accepted,,16,1,45,105
            r3,3,1,accepted,,4,2,25,99
            r4,4,1,accepted,,16,2,75,105
            """;

    @TempDir
    private Path folder;

    @Test
    void shouldTellTheSignsOfEachPoint() throws Exception {
        Json signs = analyze("throughput", ROWS).at("signs");

        assertThat(signs.at("terms").elements().stream().map(each -> each.text().orElse("")))
                .containsExactly("memory", "cache", "memory x cache");
        assertThat(signs.at("points").elements().stream().map(each -> each.at("signs").elements().stream()
                .map(sign -> (int) sign.numberOr(0)).toList()))
                .containsExactly(List.of(-1, -1, 1), List.of(1, -1, -1), List.of(-1, 1, -1), List.of(1, 1, 1));
    }

    @Test
    void shouldTellTheSignsOfAFraction() throws Exception {
        Files.writeString(folder.resolve("design.json"), """
                {"design": "2k-p", "generators": ["c=ab"], "response": "throughput", "factors": [
                {"name": "a", "levels": ["1", "2"]}, {"name": "b", "levels": ["1", "2"]},
                {"name": "c", "levels": ["1", "2"]}]}""");
        Files.writeString(folder.resolve("runs.csv"), "run,point,repetition,state,reason,a,b,c,throughput [1/s]\n"
                + "1,1,1,accepted,,1,1,2,3\n2,2,1,accepted,,2,1,1,4\n"
                + "3,3,1,accepted,,1,2,1,5\n4,4,1,accepted,,2,2,2,9\n");

        Json signs = json("throughput").at("signs");

        assertThat(signs.at("terms").elements().stream().map(each -> each.text().orElse("")))
                .containsExactlyInAnyOrder("a", "b", "c");
        assertThat(signs.at("points").elements().get(0).at("signs").elements().stream()
                .mapToInt(sign -> (int) sign.numberOr(0)).sum()).isEqualTo(-1);
    }

    /** Of three runs of a point, one did not recover: the other two are no mean of it. */
    @Test
    void shouldTellNoMeanTimeToRecoverIfARunDidNot() throws Exception {
        for (String figure : List.of("drain", "recovery")) {
            Files.writeString(folder.resolve("design.json"), """
                    {"design": "grid", "generators": [], "response": "throughput", "factors": [
                    {"name": "a", "levels": ["1", "2"]}]}""");
            Files.writeString(folder.resolve("runs.csv"), "run,point,repetition,state,reason,a,throughput [1/s],"
                    + figure + " [s]\n1,1,1,accepted,,1,9,3\n2,1,2,accepted,,1,9,\n3,1,3,accepted,,1,9,4\n"
                    + "4,2,1,accepted,,2,9,5\n5,2,2,accepted,,2,9,6\n6,2,3,accepted,,2,9,5\n");

            Json best = json(figure).at("best");

            assertThat(best.at("point").numberOr(0)).isEqualTo(2);
        }
    }

    /** The effect is the mean of the response times its signs, also with a negative generator. */
    @Test
    void shouldTellSignsWhoseMeanWithTheResponseIsTheEffect() throws Exception {
        for (List<String> generators : List.of(List.<String>of(), List.of("d=abc"), List.of("d=-abc"),
                List.of("c=-ab"), List.of("a=-cd"))) {
            Files.writeString(folder.resolve("design.json"), """
                    {"design": "%s", "generators": [%s], "response": "throughput", "factors": [
                    {"name": "a", "levels": ["1", "2"]}, {"name": "b", "levels": ["1", "2"]},
                    {"name": "c", "levels": ["2", "1"]}, {"name": "d", "levels": ["x'%%", "y, z"]}]}"""
                    .formatted(generators.isEmpty() ? "2k" : "2k-p", generators.stream()
                            .map(each -> '"' + each + '"').collect(Collectors.joining(","))));
            StringBuilder rows = new StringBuilder("run,point,repetition,state,reason,a,b,c,d,throughput [1/s]\n");
            Map<Integer, Double> responses = new HashMap<>();
            for (int i = 0; i < 16; i++) {
                int a = (i & 1) * 2 - 1;
                int b = (i >> 1 & 1) * 2 - 1;
                int c = (i >> 2 & 1) * 2 - 1;
                int d = (i >> 3 & 1) * 2 - 1;
                boolean in = switch (String.join(" ", generators)) {
                    case "d=abc" -> d == a * b * c;
                    case "d=-abc" -> d == -a * b * c;
                    case "c=-ab" -> c == -a * b;
                    case "a=-cd" -> a == -c * d;
                    default -> true;
                };
                if (in) {
                    responses.put(i + 1, (double) (i * i * i % 101));
                    String cs = generators.isEmpty() ? (c < 0 ? "1" : "2") : (c < 0 ? "2" : "1");
                    rows.append("%d,%d,1,accepted,,%d,%d,%s,%s,%d\n".formatted(i + 1, i + 1, a < 0 ? 1 : 2,
                            b < 0 ? 1 : 2, cs, d < 0 ? "x'%" : "\"y, z\"", i * i * i % 101));
                }
            }
            Files.writeString(folder.resolve("runs.csv"), rows);
            Json result = json("throughput");
            List<Json> effects = result.at("effects").elements();
            List<Json> points = result.at("signs", "points").elements();
            for (int term = 0; term < effects.size(); term++) {
                int at = term;
                double mean = points.stream().mapToDouble(point -> point.at("signs").elements().get(at).numberOr(0)
                        * responses.get((int) point.at("point").numberOr(0))).average().orElse(Double.NaN);
                assertThat(mean).as(generators + " " + effects.get(term).at("name").text()).isCloseTo(
                        effects.get(term).at("effect").numberOr(0), within(1e-6));
            }
        }
    }

    /** The signs of an interaction would stand at the factor of the same name. */
    @Test
    void shouldRefuseAFactorThatIsCalledLikeAnInteraction() throws Exception {
        for (List<String> names : List.of(List.of("a", "b", "ab"), List.of("a x bc", "a", "bc"))) {
            Files.writeString(folder.resolve("design.json"), """
                    {"design": "2k", "generators": [], "response": "throughput", "factors": [
                    {"name": "%s", "levels": ["1", "2"]}, {"name": "%s", "levels": ["1", "2"]},
                    {"name": "%s", "levels": ["1", "2"]}]}""".formatted(names.toArray()));
            StringBuilder rows = new StringBuilder("run,point,repetition,state,reason," + String.join(",", names)
                    + ",throughput [1/s]\n");
            for (int i = 0; i < 8; i++) {
                rows.append("%d,%d,1,accepted,,%d,%d,%d,%d\n".formatted(i, i, 1 + (i & 1), 1 + (i >> 1 & 1),
                        1 + (i >> 2 & 1), i * i));
            }
            Files.writeString(folder.resolve("runs.csv"), rows);

            Json result = json("throughput");

            assertThat(result.at("signs").isMissing()).isTrue();
            assertThat(result.at("remarks").elements().stream().map(each -> each.text().orElse("")))
                    .anyMatch(remark -> remark.contains("Give the factor another name"));
        }
    }

    @Test
    void shouldComputeEffectsOnThroughputBesideThoseOnATime() throws Exception {
        Json result = analyze("mean", ROWS);

        assertThat(result.at("response").text()).contains("mean [ms]");
        assertThat(result.at("other", "response").text()).contains("throughput [1/s]");
        assertThat(result.at("other", "mean").numberOr(0)).isCloseTo(40, within(1e-9));
        assertThat(result.at("other", "effects").elements().stream().map(each -> each.at("effect").numberOr(0)))
                .containsExactly(20.0, 10.0, 5.0);
        assertThat(analyze("throughput", ROWS).at("other", "effects").elements().get(0).at("effect").numberOr(0))
                .isCloseTo(3, within(1e-9));
    }

    @Test
    void shouldDrawOneResponseAgainstTheOther() throws Exception {
        write(ROWS);

        Invocation drawn = run("throughput", "gnuplot", folder.resolve("plots"));

        assertThat(drawn.exitCode()).as(drawn.err()).isZero();
        assertThat(Files.readString(folder.resolve("plots/mean_against_throughput.gp"))).contains(
                "mean against throughput", "lines along memory", "cache 1", "cache 2");
        assertThat(Files.readString(folder.resolve("plots/mean_against_throughput.csv"))).contains(
                "15,15,15,4,99,99,99,", "75,75,75,16,");
    }

    @Test
    void shouldDrawNothingAgainstAResponseThatFewerThanTwoPointsHave() throws Exception {
        write("r1,1,1,accepted,,4,1,15,99\nr2,2,1,accepted,,16,1,45,\n");

        Invocation drawn = run("throughput", "gnuplot", folder.resolve("plots"));

        assertThat(drawn.exitCode()).as(drawn.err()).isZero();
        assertThat(folder.resolve("plots/mean_against_throughput.gp")).doesNotExist();
    }

    private Json analyze(String response, String rows) throws IOException {
        write(rows);
        return json(response);
    }

    private void write(String rows) throws IOException {
        Files.writeString(folder.resolve("design.json"), """
                {"design": "2k", "generators": [], "response": "throughput", "factors": [
                {"name": "memory", "levels": ["4", "16"]}, {"name": "cache", "levels": ["1", "2"]}]}""");
        Files.writeString(folder.resolve("runs.csv"),
                "run,point,repetition,state,reason,memory,cache,throughput [1/s],mean [ms]\n" + rows);
    }

    private Json json(String response) throws IOException {
        Invocation result = run(response, "json", folder.resolve("out.json"));
        assertThat(result.exitCode()).as(result.err()).isZero();
        return Json.read(new ByteArrayInputStream(Files.readString(folder.resolve("out.json"))
                .getBytes(StandardCharsets.UTF_8)));
    }

    private Invocation run(String response, String format, Path out) throws IOException {
        return Invocation.of("experiment", "--table", folder.resolve("runs.csv"), "--design",
                folder.resolve("design.json"), "-response", response, "-fmt", format, "-out", out);
    }
}
