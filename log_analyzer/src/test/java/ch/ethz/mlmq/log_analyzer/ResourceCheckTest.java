package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResourceCheckTest {
    private static final String NORMAL = "Machines in their normal";
    private static final String MEMORY = "Memory not the limit";
    private static final String NETWORK = "Network not the limit";
    private static final String SEVEN = "\"normals\":{\"processor\":{\"median\":2400,\"low\":2300,\"high\":2500,"
            + "\"count\":7},\"flush\":{\"median\":1200,\"low\":900,\"high\":1600,\"count\":7},\"network\":"
            + "{\"median\":1.1e8,\"low\":1e8,\"high\":1.2e8,\"count\":6}}";

    @TempDir
    private Path folder;
    private Path run;

    @BeforeEach
    void make() throws Exception {
        run = new SampleRun(1).seconds(12).clients(3).errors(0).writeTo(folder.resolve("run"));
    }

    @Test
    void shouldSayNothingOfCalibrationsOfAnEarlierRun() {
        assertThat(check().out()).doesNotContain(NORMAL, NETWORK);
        assertThat(line(MEMORY)).isEqualTo("good,Memory not the limit,\"at most 25 % in use, on m1\",");
    }

    @Test
    void shouldAcceptMachinesInTheirNormal() throws Exception {
        calibrate("\"departed\":[],\"gaps\":[]," + SEVEN, "\"departed\":[],\"gaps\":[]," + SEVEN);

        assertThat(line(NORMAL)).isEqualTo("good,Machines in their normal,all machines are in their normal,");
    }

    @Test
    void shouldRejectAMachineThatHasLeftItsNormal() throws Exception {
        calibrate("\"flush\":5100,\"network\":4e7,\"departed\":[\"flush\",\"network\"],\"gaps\":[]," + SEVEN,
                "\"departed\":[],\"gaps\":[\"no java\"]," + SEVEN);

        assertThat(line(NORMAL)).isEqualTo("rejected,Machines in their normal,\"a flush of the disk took 5.1 ms on m1, "
                + "normal is 1.2 ms (0.9 to 1.6 ms in 7 calibrations); the network carried 40 MB/s on m1, normal is "
                + "110 MB/s (100 to 120 MB/s in 6 calibrations)\",");
        assertThat(check().exitCode()).isEqualTo(3);
    }

    @Test
    void shouldSayWhichMachinesHaveNoNormalYet() throws Exception {
        calibrate("\"departed\":[],\"gaps\":[],\"normals\":{\"processor\":{\"median\":2400,\"count\":4}}",
                "\"departed\":[],\"gaps\":[],\"normals\":{}");

        assertThat(line(NORMAL)).isEqualTo("note,Machines in their normal,\"there are too few calibrations before for "
                + "a normal: m1 has 4 of 5, m2 has 0 of 5\",");
    }

    @Test
    void shouldTellWhatCouldNotBeCalibrated() throws Exception {
        calibrate("\"departed\":[],\"gaps\":[\"no java\"]," + SEVEN, "\"departed\":[],\"gaps\":[]," + SEVEN);

        assertThat(line(NORMAL)).isEqualTo(
                "unknown,Machines in their normal,not everything was calibrated: m1: no java,");
        assertThat(line(NETWORK)).isEqualTo("unknown,Network not the limit,the network was not tested,");
        assertThat(check().exitCode()).isZero();
    }

    @Test
    void shouldCompareTheNetworkWithItsTest() throws Exception {
        calibrate("\"network\":1e8", "\"network\":2e8");
        useNetwork("m1", 20_000_000, 1_000_000);
        useNetwork("m2", 1_000_000, 20_000_000);

        assertThat(line(NETWORK)).isEqualTo(
                "good,Network not the limit,most used: m1 20 % (20 of 100 MB/s),0.2");

        useNetwork("m2", 1_000_000, 170_000_000);

        assertThat(line(NETWORK)).isEqualTo("rejected,Network not the limit,used: m2 85 % (170 of 200 MB/s),0.85");
    }

    @Test
    void shouldTellTheHighestSharesOfMemoryAndNetworkWithTheirIntervals() throws Exception {
        assertThat(figure("memory")).startsWith("memory,%,25,25,25,");
        assertThat(figure("network")).startsWith("network,%,,,,");

        calibrate("\"network\":1e8", "\"network\":2e8");
        useNetwork("m1", 20_000_000, 1_000_000);
        useNetwork("m2", 1_000_000, 50_000_000);

        assertThat(figure("network")).startsWith("network,%,25,25,25,");
    }

    /** A slow machine writes a line in two seconds, which tells both. */
    @Test
    void shouldMeasureTheNetworkWhereNoSecondHasALineOfEachMachine() throws Exception {
        calibrate("\"network\":1e8", "\"network\":2e8");
        useNetwork("m1", 40_000_000, 1_000_000);
        useNetwork("m2", 1_000_000, 20_000_000);
        String processors = figure("cpu");
        keepEverySecondLine("m1", 0);
        keepEverySecondLine("m2", 1);

        assertThat(figure("network")).startsWith("network,%,20,20,20,");
        assertThat(figure("cpu")).isEqualTo(processors).contains(",%,");
        assertThat(line(NETWORK)).isEqualTo(
                "good,Network not the limit,most used: m1 20 % (20 of 100 MB/s),0.2");
    }

    @Test
    void shouldTellATestedNetworkThatWasNotMeasuredInTheLoad() throws Exception {
        calibrate("\"network\":1e8", "\"network\":2e8");
        for (String machine : List.of("m1", "m2")) {
            Path file = run.resolve("logs/" + machine + "/machine.csv");
            Files.write(file, Files.readAllLines(file).subList(0, 2));
        }

        assertThat(line(NETWORK)).isEqualTo(
                "unknown,Network not the limit,the network was not measured while the load ran,");
    }

    @Test
    void shouldNameMachinesWhoseNetworkWasNotTested() throws Exception {
        calibrate("\"network\":1e8", "\"gaps\":[\"no\"]");
        useNetwork("m1", 20_000_000, 1_000_000);

        assertThat(line(NETWORK)).isEqualTo("unknown,Network not the limit,most used: m1 20 % (20 of 100 MB/s); not "
                + "tested or not measured: m2,0.2");
    }

    @Test
    void shouldWarnOfLittleMemoryAndRejectWithoutAny() throws Exception {
        Path machine = run.resolve("logs/m2/machine.csv");
        String measured = Files.readString(machine);

        Files.writeString(machine, measured.replaceAll(",1000000,4000000,", ",3800000,4000000,"));
        assertThat(line(MEMORY)).isEqualTo("warning,Memory not the limit,\"at most 95 % in use, on m2\",");

        Files.writeString(machine, measured.replaceAll(",1000000,4000000,", ",3960000,4000000,"));
        assertThat(line(MEMORY)).isEqualTo("rejected,Memory not the limit,\"at most 99 % in use, on m2\",");
    }

    private void calibrate(String first, String second) throws IOException {
        Path environment = run.resolve("environment.json");
        Files.writeString(environment, Files.readString(environment)
                .replace("\"clock_offset_ms\":0.2,", "\"clock_offset_ms\":0.2,\"calibration\":{" + first + "},")
                .replace("\"clock_offset_ms\":-0.4,", "\"clock_offset_ms\":-0.4,\"calibration\":{" + second + "},"));
    }

    private void useNetwork(String machine, long received, long sent) throws IOException {
        Path file = run.resolve("logs/" + machine + "/machine.csv");
        List<String> lines = Files.readAllLines(file).stream().map(line -> line.replaceAll(
                "4000000,\\d+,\\d+,", "4000000," + received + "," + sent + ",")).toList();
        Files.write(file, lines);
    }

    private void keepEverySecondLine(String machine, int first) throws IOException {
        Path file = run.resolve("logs/" + machine + "/machine.csv");
        List<String> lines = Files.readAllLines(file);
        Files.write(file, IntStream.range(0, lines.size()).filter(i -> i == 0 || i % 2 == first).mapToObj(lines::get)
                .toList());
    }

    private String figure(String name) {
        return Invocation.of("figures", run, "-metric", name, "-fmt", "csv").lines().stream()
                .filter(line -> line.startsWith(name)).findFirst().orElseThrow();
    }

    private Invocation check() {
        return Invocation.of("check", "-d", run, "-fmt", "csv");
    }

    private String line(String check) {
        return check().lines().stream().filter(line -> line.contains("," + check)).findFirst().orElseThrow();
    }
}
