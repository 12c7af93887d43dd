package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that output does not depend on the language: digits, points and letters are always the same bytes. */
class LanguageTest {
    private static final List<String> COMMANDS = List.of("-d RUN -fmt csv -window 1s -percentiles 2.5,99.9",
            "-d RUN -fmt json", "-d RUN", "-d RUN -fmt hgrm", "-d RUN -fmt gnuplot -out OUT", "check -d RUN",
            "check -d RUN -fmt csv", "check -d RUN -fmt json", "breakdown -d RUN", "breakdown -d RUN -fmt json",
            "compare RUN OTHER", "compare RUN OTHER -fmt csv -plot OUT --junit OUT/limits.xml --fail-if p99>+10%",
            "compare RUN OTHER -fmt json", "report -d RUN -out OUT/report.html", "factorial RUN OTHER -metric mean",
            "model closed -d RUN -clients 2,8", "model closed -d RUN -clients 4 -fmt json",
            "model waiting -d RUN -fmt csv -rate 100/s",
            "model waiting --service 1ms -rate 500/s -fmt gnuplot -out OUT",
            "model capacity --receive 48.8us --filter 1us -filters 10 -fmt json",
            "experiment -d RUN -d OTHER", "experiment -d RUN -d OTHER -fmt json",
            "experiment -d RUN -d OTHER -fmt csv", "experiment -d RUN -d OTHER -fmt runs",
            "experiment -d RUN -d OTHER -fmt html -out OUT/experiment.html",
            "experiment -d RUN -d OTHER -fmt gnuplot -out OUT", "steady -d TABLE -fmt json", "--help", "model --help");

    @TempDir
    private Path folder;

    private Locale before;

    @BeforeEach
    void writeRuns() throws IOException {
        before = Locale.getDefault();
        for (int i = 0; i < 2; i++) {
            Path run = new SampleRun(i + 1).seconds(4).clients(1 + i).workers(4 + 4 * i)
                    .writeTo(folder.resolve(i == 0 ? "run" : "other"));
            Files.writeString(run.resolve("experiment.json"), ("{\"id\":1,\"name\":\"e\",\"design\":\"grid\","
                    + "\"response\":\"p99\",\"factors\":[{\"name\":\"workers\",\"levels\":[4,8]}],\"point\":%d,"
                    + "\"repetition\":1,\"levels\":{\"workers\":%d}}").formatted(i + 1, 4 + 4 * i));
        }
        Files.writeString(folder.resolve("table.csv"), "queue\n" + Stream.iterate(1.5, x -> x + 0.25).limit(120)
                .map(x -> x + "\n").reduce("", String::concat));
    }

    @AfterEach
    void speakAsBefore() {
        Locale.setDefault(before);
    }

    @Test
    void shouldWriteTheSameBytesInEveryLanguage() throws IOException {
        SortedMap<String, String> english = outputs("en");
        assertThat(english.get("-d RUN -fmt csv -window 1s -percentiles 2.5,99.9")).contains("p99.9");
        assertThat(english).hasSizeGreaterThan(COMMANDS.size() + 20);
        for (String language : List.of("fa-u-nu-arabext", "de", "tr")) {
            SortedMap<String, String> other = outputs(language);
            assertThat(other.keySet()).as(language).isEqualTo(english.keySet());
            english.forEach((name, text) -> assertThat(other.get(name)).as(language + ": " + name).isEqualTo(text));
        }
    }

    /** @return what each command prints and writes, by command or file */
    private SortedMap<String, String> outputs(String language) throws IOException {
        SortedMap<String, String> outputs = new TreeMap<>();
        for (String command : COMMANDS) {
            Path out = Files.createDirectories(folder.resolve("out"));
            Locale.setDefault(Locale.forLanguageTag(language));
            Invocation ended = Invocation.of((Object[]) command.replace("RUN", folder.resolve("run").toString())
                    .replace("OTHER", folder.resolve("other").toString()).replace("OUT", out.toString())
                    .replace("TABLE", folder.resolve("table.csv").toString()).split(" "));
            assertThat(ended.exitCode()).as(command + ": " + ended.err()).isIn(0, 3);
            outputs.put(command, ended.out() + ended.err());
            try (Stream<Path> written = Files.walk(out)) {
                for (Path file : written.filter(Files::isRegularFile).toList()) {
                    outputs.put(command + " " + out.relativize(file),
                            Files.readString(file, StandardCharsets.ISO_8859_1));
                    Files.delete(file);
                }
            }
        }
        return outputs;
    }
}
