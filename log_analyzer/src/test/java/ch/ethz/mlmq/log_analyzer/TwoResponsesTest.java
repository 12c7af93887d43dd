package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ch.ethz.mlmq.log_analyzer.run.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
