package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that damaged or malicious files cause a finding, and do not stop the analysis. */
class HostileInputTest {
    @TempDir
    private Path folder;

    @Test
    void shouldLeaveOutALineWithANumberThatIsNone() throws Exception {
        Path run = new SampleRun(1).seconds(12).clients(3).writeTo(folder.resolve("run"));
        Path gauges = run.resolve("logs/m2/broker_0/gauges_broker_0.csv");
        String sound = Invocation.of("check", "-d", run, "-fmt", "csv").out();

        Files.writeString(gauges, Files.readString(gauges)
                .replaceFirst("\n9000,.*\n", "$09000,NaN,NaN,1,0,0,1,1\n"));

        assertThat(withoutQueue(Invocation.of("check", "-d", run, "-fmt", "csv").out())).isEqualTo(withoutQueue(sound));
        Path table = Files.writeString(folder.resolve("queue.csv"), "queue\n1\nNaN\n3\n");
        assertThat(Invocation.of("steady", "-d", table).err()).contains("line 3: queue is not a number");
    }

    @Test
    void shouldReadAFolderWhoseJvmHasANumberThatIsNone() throws Exception {
        LogLines.inMicroseconds().add(5, 1, "CSndReq#OK#send")
                .writeTo(folder.resolve("run/client_99999999999/performance_client_99999999999.log"));

        assertThat(Invocation.of("-d", folder, "-fmt", "csv", "-group-by", "jvm").lines())
                .anyMatch(line -> line.startsWith("steady,"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"duration_s\":1e9", "\"duration_s\":2500000", "\"duration_s\":-1e300",
        "\"started_ms\":4e17", "\"started_ms\":9e18", "\"started_ms\":-9e18"})
    void shouldNotBelieveASummaryWhoseTimeCannotBe(String time) throws Exception {
        Path run = new SampleRun(1).seconds(12).clients(3).writeTo(folder.resolve("run"));
        String word = time.substring(0, time.indexOf(':'));
        try (Stream<Path> files = Files.walk(run)) {
            for (Path file : files.filter(path -> path.toString().contains("/summary_client")).toList()) {
                Files.writeString(file, Files.readString(file).replaceFirst(word + ":[^,}]*", time));
            }
        }

        for (String command : List.of("figures", "check", "compare")) {
            Invocation result = command.equals("compare") ? Invocation.of(command, run, run, "-fmt", "csv")
                    : Invocation.of(command, "-d", run, "-fmt", "csv");
            assertThat(result.exitCode()).as("%s %s %s", command, time, result.err()).isBetween(0, 3);
            assertThat(result.err()).doesNotContain("Exception");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {",", ",a.zip", "name=", "a.zip,"})
    void shouldRefuseAnArgumentThatNamesNoRun(String argument) {
        assertThat(Invocation.of("compare", argument, "b.zip").err())
                .contains("'" + argument + "' does not name a run");
    }

    @Test
    void shouldLeaveOutALineOfAMachineWithATornQuote() throws Exception {
        Path run = new SampleRun(1).seconds(12).clients(3).writeTo(folder.resolve("run"));
        Path machine = run.resolve("logs/m1/machine.csv");
        String sound = Invocation.of("check", "-d", run, "-fmt", "csv").out();

        Files.writeString(machine, Files.readString(machine).replaceFirst("\n17000000030", "\n\"17000000030"));

        assertThat(Invocation.of("check", "-d", run, "-fmt", "csv").out()).isEqualTo(sound);
    }

    @Test
    void shouldAddUpTheOtherIntervalsWhereOneIsDamaged() throws Exception {
        Path run = new SampleRun(1).seconds(12).clients(3).writeTo(folder.resolve("run"));
        Path histograms = run.resolve("logs/m1/client_0/client_0.hlog");
        List<String> lines = new ArrayList<>(Files.readAllLines(histograms));
        long all = recorded(Invocation.of("-d", run, "-fmt", "hgrm").out());

        String damaged = lines.get(12).replaceFirst("HIST.....", "HIST*****");
        assertThat(damaged).isNotEqualTo(lines.get(12));
        lines.set(12, damaged);
        Files.write(histograms, lines);

        Invocation read = Invocation.of("-d", run, "-fmt", "hgrm");
        assertThat(recorded(read.out())).isBetween(all * 95 / 100, all - 1);
        assertThat(read.err()).contains("client_0.hlog").contains("1 of its intervals are damaged");
    }

    @Test
    void shouldReadWhatIsLeftOfACompressedSeriesAndSaySo() throws Exception {
        Path run = new SampleRun(1).seconds(12).clients(3).writeTo(folder.resolve("run"));
        Path gauges = run.resolve("logs/m2/broker_0/gauges_broker_0.csv");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(Files.readAllBytes(gauges));
        }
        Files.delete(gauges);
        Files.write(run.resolve("logs/m2/broker_0/gauges_broker_0.csv.gz"),
                Arrays.copyOf(bytes.toByteArray(), bytes.size() - 12));

        Invocation check = Invocation.of("check", "-d", run, "-fmt", "csv");
        assertThat(check.lines()).anyMatch(line -> line.startsWith("warning,Files readable")
                && line.contains("gauges_broker_0.csv.gz: it is cut off"))
                .anyMatch(line -> line.contains("Queue steady"));
        assertThat(check.err()).contains("gauges_broker_0.csv.gz");
    }

    @Test
    void shouldJudgeARunWhoseJsonIsNone() throws Exception {
        for (String text : List.of("{\"tries\":[", "no", "[".repeat(200_000), "")) {
            Path run = new SampleRun(1).seconds(12).clients(3).writeTo(folder.resolve("run" + text.length()));
            Files.writeString(run.resolve("experiment.json"), text);

            Invocation check = Invocation.of("check", "-d", run, "-fmt", "csv");
            assertThat(check.exitCode()).as(check.err()).isIn(0, 3);
            if (!text.isEmpty()) {
                assertThat(check.lines()).anyMatch(line -> line.startsWith("warning,Files readable")
                        && line.contains("experiment.json"));
            }
            Invocation experiment = Invocation.of("experiment", "-d", run);
            assertThat(experiment.exitCode()).isEqualTo(2);
            assertThat(experiment.err()).doesNotContain("\tat ").contains("no readable experiment.json");
        }
    }

    @Test
    void shouldModelNoMoreClientsThanThereCanBe() throws Exception {
        Path run = new SampleRun(1).seconds(12).clients(3).writeTo(folder.resolve("run"));
        Path summary = run.resolve("logs/m1/client_0/summary_client_0.json");
        Files.writeString(summary, Files.readString(summary).replace("\"clients\":3,", "\"clients\":1234567890,"));

        Invocation refused = Invocation.of("model", "closed", "-d", run, "-clients", "2");
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).startsWith("The summaries have 1234567893 clients");
    }

    @Test
    void shouldTellNoMoreEventsThanARunHas() throws Exception {
        Path run = new SampleRun(1).seconds(12).clients(3).writeTo(folder.resolve("run"));
        Files.writeString(run.resolve("events.csv"), ",1700000001000,running,command,,,status\n".repeat(10_001),
                StandardOpenOption.APPEND);

        assertThat(Invocation.of("check", "-d", run).err()).contains("events.csv").contains("more than 10000 events");
    }

    @Test
    void shouldTellTheEventsBeforeATornQuote() throws Exception {
        Path run = new SampleRun(1).seconds(12).clients(3).event(8, "died", "broker_0", "gone")
                .writeTo(folder.resolve("run"));
        Files.writeString(run.resolve("events.csv"), ",12x,running,died,,broker_0,x\n,1,running,died,,broker_0,\"x\n",
                StandardOpenOption.APPEND);

        Invocation check = Invocation.of("check", "-d", run, "-fmt", "csv");
        assertThat(check.exitCode()).isEqualTo(3);
        assertThat(check.lines()).anyMatch(line -> line.startsWith("rejected,") && line.contains("broker_0"))
                .anyMatch(line -> line.startsWith("warning,Files readable") && line.contains("events.csv"));
    }

    /** @return the last number of HdrHistogram's percentile table */
    private static long recorded(String table) {
        return table.lines().filter(line -> line.contains("Total count")).map(line ->
                line.replaceAll(".*Total count *= *(\\d+).*", "$1")).mapToLong(Long::parseLong).findFirst().orElse(0);
    }

    @Test
    void shouldNotTakeAServiceTimeThatWasCutOff() throws Exception {
        Path log = folder.resolve("performance_client_0.log");
        Files.writeString(log, LogLines.HEADER + "\n5000;" + LogLines.START + ";CSndReq#OK#send;C[1] S[4800]\n5000;"
                + LogLines.START + ";CSndReq#OK#send;C[1] S[48");

        assertThat(Invocation.of("-d", log, "-fmt", "csv", "-type", "CSndReq").lines())
                .anyMatch(line -> line.startsWith("steady,CSndReq#OK#send:service,1,"))
                .anyMatch(line -> line.startsWith("steady,CSndReq#OK#send,2,"));
    }

    /** Removes the queue's finding, whose trend has one value less. */
    private static List<String> withoutQueue(String checks) {
        return checks.lines().filter(line -> !line.contains(",Queue steady,")).toList();
    }
}
