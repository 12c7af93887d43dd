package ch.ethz.mlmq.log_analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.log_analyzer.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that steps of the rate agree with the load's own parser of the same commands. */
class ToldRatesTest {
    @TempDir
    private Path folder;

    @Test
    void shouldReadEverySpellingOfARateAsTheLoadDoes() throws Exception {
        for (String line : Files.readAllLines(Path.of("..", "mlmq", "src", "test", "resources", "rates.csv"))) {
            String[] cells = line.split(";");
            if (line.endsWith(";refused")) {
                assertThat(RatePlan.of(cells[0])).as(line).isEmpty();
            } else if (!line.startsWith("#")) {
                assertThat(RatePlan.of(cells[0])).as(line).isEqualTo(Optional.of(plan(cells)));
            }
        }
        assertThat(RatePlan.ofCommand("400")).isEqualTo(RatePlan.of("400/s"));
    }

    private static RatePlan plan(String... cells) {
        List<RatePlan.Part> parts = new ArrayList<>();
        if (cells[1].equals("phases")) {
            for (int i = 2; i < cells.length; i += 2) {
                double rate = Double.parseDouble(cells[i]);
                parts.add(new RatePlan.Part(rate, rate, i + 1 == cells.length ? 0
                        : Double.parseDouble(cells[i + 1]) * 1000));
            }
            return new RatePlan(parts);
        }
        double[] numbers = Stream.of(cells).skip(1).mapToDouble(Double::parseDouble).toArray();
        if (numbers[2] > 0) {
            parts.add(new RatePlan.Part(numbers[0], numbers[1], numbers[2] * 1000));
        }
        parts.add(new RatePlan.Part(numbers[1], numbers[1], 0));
        return new RatePlan(parts);
    }

    @Test
    void shouldKnowPhasesOfTheSettings() throws Exception {
        assertThat(steps("100/s for 20s, 0/s for 10s, 50/s"))
                .containsExactly("0-20 100/s", "30-60 50/s");
        assertThat(steps("100/s for 20s, 800/s for 10s, 100/s", "15 rate 300/s to all: 2 of 2"))
                .containsExactly("0-15 100/s", "15-60 300/s");
    }

    @Test
    void shouldKnowARateInEachSpelling() throws Exception {
        assertThat(steps("", "20 rate 400 to all: 2 of 2 JVMs answered", "30 rate 12000/min to all: 2 of 2",
                "40 rate 200/s to all: 2 of 2", "50 rate 50/s"))
                .containsExactly("0-20 100/s", "20-30 400/s", "30-50 200/s", "50-60 50/s");
    }

    @Test
    void shouldLeaveOutARamp() throws Exception {
        assertThat(steps("100/s to 200/s over 10 s", "20 rate 200/s to 400/s over 20s to all: 2 of 2"))
                .containsExactly("10-20 200/s", "40-60 400/s");
        assertThat(steps("100/s", "20 rate 200/s to 400/s over 20s to all: 2 of 2", "30 rate 300/s to all: 2 of 2"))
                .containsExactly("0-20 100/s", "30-60 300/s");
    }

    @Test
    void shouldLeaveOutAPause() throws Exception {
        assertThat(steps("100/s", "10 pause to all: 2 of 2", "20 resume to all: 2 of 2",
                "40 rate 300/s to all: 2 of 2"))
                .containsExactly("0-10 100/s", "20-40 100/s", "40-60 300/s");
    }

    @Test
    void shouldHeedWhomARateIsTold() throws Exception {
        assertThat(steps("100/s", "20 client_1 rate 300/s to client_1: 1 of 1 JVM answered",
                "40 rate 300/s to clients.0: 1 of 1 JVM answered"))
                .containsExactly("0-20 100/s", "20-40 1 x 100/s, 1 x 300/s", "40-60 300/s");
        assertThat(steps("100/s", "20 rate 300/s to client_0: 1 of 2 JVMs answered"))
                .containsExactly("0-20 100/s", "20-60 1 x 100/s, 1 x 300/s");
    }

    /** Finds the steps of two client JVMs, each a group, over 60 s. @param events second, perhaps JVM, and message */
    private List<String> steps(String rate, String... events) throws IOException {
        Path run = folder.resolve("run" + events.length + rate.length());
        StringBuilder told = new StringBuilder("time,ms,phase,name,machine,jvm,message\n");
        for (String event : events) {
            String[] words = event.split(" ", 2);
            boolean ofOne = words[1].startsWith("client_");
            told.append(",").append(LogLines.START + Integer.parseInt(words[0]) * 1000L).append(",running,command,,")
                    .append(ofOne ? words[1].substring(0, 8) : "").append(",\"")
                    .append(ofOne ? words[1].substring(9) : words[1]).append("\"\n");
        }
        Files.createDirectories(run);
        Files.writeString(run.resolve("events.csv"), told);
        String settings = "\"settings\":{\"client.rate\":\"" + (rate.isEmpty() ? "6000/min" : rate) + "\"}}";
        Files.writeString(run.resolve("environment.json"), ("{\"definition\":{\"clients\":[{},{}]},"
                + "\"machines\":[{\"jvms\":[{\"name\":\"client_0\",%s,"
                + "{\"name\":\"client_1\",%1$s]}]}").formatted(settings));
        for (int jvm = 0; jvm < 2; jvm++) {
            new LogLines().line("MLMQ performance log Unit[us] Started[" + LogLines.START + "]")
                    .add(1, 1, "CSndReq#OK#a")
                    .writeTo(run.resolve("client_" + jvm + "/performance_client_" + jvm + ".log"));
            Files.writeString(run.resolve("client_" + jvm + "/gauges_client_" + jvm + ".csv"),
                    "ms,clients\n0,5\n60000,5\n");
        }
        try (Run opened = Run.open(run, complaint -> { })) {
            return RunStep.rates(opened).stream().map(step -> (step.phase().fromMs() - LogLines.START) / 1000 + "-"
                    + (step.phase().toMs() - LogLines.START) / 1000 + " " + step.level()).toList();
        }
    }
}
