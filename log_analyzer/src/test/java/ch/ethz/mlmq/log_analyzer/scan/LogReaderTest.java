package ch.ethz.mlmq.log_analyzer.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.log_analyzer.LogLines;
import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.run.TimeRange;
import ch.ethz.mlmq.log_analyzer.source.LogStore;
import ch.ethz.mlmq.log_analyzer.source.PerformanceFiles;
import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogReaderTest {
    private static final Timeline SECONDS = Timeline.uncut(LogLines.START, 1_000);
    private static final long AMPLE = 1L << 30;

    @TempDir
    private Path folder;

    @Test
    void shouldFindTheSameInPlainGzippedAndZippedLogs() throws Exception {
        LogLines lines = manyLines(5_000);
        Measurements plain = read(lines.writeTo(folder.resolve("plain/performance_client_0.log")));
        Measurements gzipped = read(lines.gzipTo(folder.resolve("gz/performance_client_0.log.gz")));
        Measurements zipped = read(lines.zipTo(folder.resolve("run.zip"), "logs/m1/client_0/performance_client_0.log"));

        assertThat(summaries(plain)).hasSize(4);
        assertThat(summaries(gzipped)).isEqualTo(summaries(plain));
        assertThat(summaries(zipped)).isEqualTo(summaries(plain));
    }

    @Test
    void shouldCountEveryLineOnceWhereverSlicesAreCut() throws Exception {
        Path log = manyLines(2_000).writeTo(folder.resolve("performance_client_0.log"));
        Map<String, List<Integer>> expected = durationsByAction(log);

        for (long slice : new long[] {1, 7, 64, 1_000, 4_096, 1 << 20}) {
            Measurements measured = reader(log, AMPLE, slice).read();

            assertThat(measured.groups()).hasSameSizeAs(expected.keySet());
            measured.groups().forEach(group -> assertSame(group.steady(), expected.get(group.name())));
            assertThat(measured.files().get(0).lines()).isEqualTo(2_001);
        }
    }

    @Test
    void shouldStayExactWhenItHasToPack() throws Exception {
        LogLines lines = LogLines.inMicroseconds();
        Random random = new Random(2);
        for (int i = 0; i < 50_000; i++) {
            lines.add(random.nextInt(150), i / 20, "BQueue");
        }
        Path log = lines.writeTo(folder.resolve("performance_client_0.log"));

        Measurements tight = reader(log, 40_000, 1 << 20).read();

        assertThat(tight.exact()).isTrue();
        assertThat(summaries(tight)).isEqualTo(summaries(read(log)));
    }

    @Test
    void shouldSayThatItIsNoLongerExactWhereMemoryDoesNotSuffice() throws Exception {
        LogLines lines = LogLines.inMicroseconds();
        Random random = new Random(1);
        List<Integer> durations = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            durations.add(1_000_000 + random.nextInt(100_000_000));
            lines.add(durations.get(i), i / 100, "CSndReq#OK#send");
        }
        Path log = lines.writeTo(folder.resolve("performance_client_0.log"));

        Measurements coarse = reader(log, 20_000, 1 << 20).read();

        assertThat(coarse.exact()).isFalse();
        int exact = Distribution.of(durations.stream().mapToInt(Integer::intValue).toArray()).percentile(50);
        int median = coarse.groups().get(0).steady().percentile(50);
        assertThat(Math.abs(median - exact)).isLessThan(exact / 1_024);
        assertThat(coarse.groups().get(0).steady().count()).isEqualTo(50_000);
    }

    @Test
    void shouldReadTheOriginalStudysLinesAsMilliseconds() throws Exception {
        Path log = folder.resolve("performance.log");
        Files.writeString(log, "MLMQ performance log started on dryad01\n132;1383684920571;BTotReqResp;C[10]\n"
                + "7;1383684920580;BProcReq#SendMessageRequest:MessageResponse;C[10]\n");

        Measurements measured = read(log);

        assertThat(measured.groups()).extracting(Measurements.Group::name)
                .containsExactly("BProcReq#SendMessageRequest:MessageResponse", "BTotReqResp");
        assertThat(measured.groups().get(1).steady().max()).isEqualTo(132_000);
        assertThat(measured.files().get(0).malformed()).isZero();
    }

    @Test
    void shouldCountMalformedLinesAndShowTheFirst() throws Exception {
        Path log = LogLines.inMicroseconds().add(1, 1, "A#1").line("-5;" + LogLines.START + ";A#1;C[1]")
                .add(2, 2, "A#1")
                .line("garbage").line("12;34").line("").line("# a remark")
                .line("99999999999;" + LogLines.START + ";A#1;")
                .line(";;;").add(3, 3, "A#1").writeTo(folder.resolve("performance_client_0.log"));

        for (long slice : new long[] {16, 1 << 20}) {
            FileCount count = reader(log, AMPLE, slice).read().files().get(0);

            assertThat(count.malformed()).isEqualTo(5);
            assertThat(count.firstMalformedLine()).isEqualTo(3);
            assertThat(count.firstMalformed()).startsWith("-5;");
            assertThat(count.lines()).isEqualTo(11);
        }
    }

    @Test
    void shouldTakeATruncatedLastLineForNormal() throws Exception {
        Path log = folder.resolve("performance_client_0.log");
        Files.writeString(log, LogLines.inMicroseconds().add(5, 1, "BQueue").text() + "17;138368492057");

        Measurements measured = read(log);

        assertThat(measured.files().get(0).truncated()).isTrue();
        assertThat(measured.files().get(0).malformed()).isZero();
        assertThat(measured.groups().get(0).steady().count()).isEqualTo(1);
    }

    @Test
    void shouldTakeALastLineThatLacksOnlyItsNewline() throws Exception {
        Path log = folder.resolve("performance_client_0.log");
        Files.writeString(log, LogLines.inMicroseconds().add(5, 1, "BQueue").add(6, 2, "BQueue").text()
                .stripTrailing());

        assertThat(read(log).groups().get(0).steady().count()).isEqualTo(2);
    }

    @Test
    void shouldKeepServiceTimesApartFromResponseTimes() throws Exception {
        Path log = LogLines.inMicroseconds().line("900;" + LogLines.START + ";CSndReq#OK#send;C[10] S[300]")
                .line("500;" + LogLines.START + ";CSndReq#OK#send;C[10] S[500]")
                .writeTo(folder.resolve("performance_client_0.log"));

        List<Measurements.Group> groups = read(log).groups();

        assertThat(groups).extracting(Measurements.Group::name)
                .containsExactly("CSndReq#OK#send", "CSndReq#OK#send:service");
        assertThat(groups.get(0).steady().mean()).isEqualTo(700);
        assertThat(groups.get(1).steady().mean()).isEqualTo(400);
    }

    @Test
    void shouldTellActionsApartThatBeginAlike() throws Exception {
        String[] actions = {"B", "BQueue", "BQueue2", "CSndReq#OK#sendMess", "CSndReq#OK#sendMessage",
            "CSndReq#OK#sendMessageToClient", "BProcReq#lookupClientQueueByName:lookupClientQueueResponseWithALongName",
            "BProcReq#lookupClientQueueByName:lookupClientQueueResponseWithALongNamf", "x".repeat(300)};
        LogLines lines = LogLines.inMicroseconds();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < actions.length; i++) {
                lines.add(i + 1, round, actions[i]);
            }
        }

        Measurements measured = read(lines.writeTo(folder.resolve("performance_client_0.log")));

        assertThat(measured.groups()).hasSize(actions.length);
        for (int i = 0; i < actions.length; i++) {
            String action = actions[i];
            Distribution steady = measured.groups().stream().filter(group -> group.name().equals(action)).findFirst()
                    .orElseThrow().steady();
            assertThat(steady.count()).isEqualTo(3);
            assertThat(steady.mean()).isEqualTo(i + 1);
        }
    }

    @Test
    void shouldCountWhatTheWriterDropped() throws Exception {
        Path log = LogLines.inMicroseconds().add(5, 1, "BQueue").line("# dropped 17")
                .writeTo(folder.resolve("performance_client_0.log"));

        assertThat(read(log).files().get(0).dropped()).isEqualTo(17);
    }

    @Test
    void shouldSkipALineThatIsLongerThanAnyBuffer() throws Exception {
        Path log = LogLines.inMicroseconds().add(5, 1, "BQueue").line("z".repeat(700_000)).add(6, 2, "BQueue")
                .writeTo(folder.resolve("performance_client_0.log"));

        Measurements measured = read(log);

        assertThat(measured.groups().get(0).steady().count()).isEqualTo(2);
        assertThat(measured.files().get(0).malformed()).isEqualTo(1);
    }

    @Test
    void shouldPutLinesInTheirWindowsHoweverTheyAlternate() throws Exception {
        LogLines lines = LogLines.inMicroseconds();
        for (int i = 0; i < 1_000; i++) {
            lines.add(10 + i % 2, 500 + i % 2 * 1_000L, "BQueue");
        }

        List<Measurements.Window> windows = read(lines.writeTo(folder.resolve("performance_client_0.log")))
                .groups().get(0).windows();

        assertThat(windows).hasSize(2);
        assertThat(windows.get(0).summary().mean()).isEqualTo(10);
        assertThat(windows.get(1).summary().mean()).isEqualTo(11);
        assertThat(windows.get(1).summary().count()).isEqualTo(500);
    }

    @Test
    void shouldEndWithTheLastRecordWhereverItLies() throws Exception {
        Path log = LogLines.inMicroseconds().add(1, 10, "A#1").add(1, 1_399, "A#1").add(1, 1_301, "A#1")
                .writeTo(folder.resolve("performance_client_0.log"));

        Measurements measured = read(log);

        assertThat(measured.endMs()).isEqualTo(LogLines.START + 1_399);
        assertThat(measured.coveredMs(1)).isEqualTo(399);
    }

    @Test
    void shouldReadTimeStampsThatAgreeInNothing() throws Exception {
        Path log = LogLines.inMicroseconds().line("1;1383684920571;A#1;C[1]").line("2;0000000020571;A#1;C[1]")
                .line("3;1383684920572;A#1;C[1]").line("4;13836849x0572;A#1;C[1]").line("5;1383684920572;A#1;C[1]")
                .writeTo(folder.resolve("performance_client_0.log"));

        Measurements measured = read(log);

        assertThat(measured.groups().get(0).steady().count()).isEqualTo(4);
        assertThat(measured.files().get(0).firstMalformed()).startsWith("4;13836849x0572");
    }

    @Test
    void shouldCutAWindowAtTheEndOfTheWarmup() throws Exception {
        Path log = LogLines.inMicroseconds().add(1, 100, "A#1").add(3, 499, "A#1").add(5, 500, "A#1").add(9, 900, "A#1")
                .add(100, 950, "A#1").writeTo(folder.resolve("performance_client_0.log"));
        Timeline cut = new Timeline(LogLines.START, 1_000, TimeRange.ALWAYS,
                new TimeRange(LogLines.START + 500, LogLines.START + 950), false, TimeRange.ALWAYS);

        Measurements.Group group = reader(log, cut, AMPLE, 1 << 20).read().groups().get(0);

        assertThat(group.steady().count()).isEqualTo(2);
        assertThat(group.steady().mean()).isEqualTo(7);
        assertThat(group.windows().get(0).summary().count()).isEqualTo(5);
    }

    @Test
    void shouldRefuseMoreWindowsOfActionsThanMemorySufficesFor() throws Exception {
        LogLines lines = LogLines.inMicroseconds();
        for (int i = 0; i < 100; i++) {
            lines.add(1, i * 1_000L, "A#" + i % 2);
        }
        Path log = lines.writeTo(folder.resolve("performance_client_0.log"));

        assertThat(reader(log, SECONDS, AMPLE, 1 << 20, 100).read().groups()).hasSize(2);
        assertThatThrownBy(() -> reader(log, SECONDS, AMPLE, 1 << 20, 99).read()).isInstanceOf(DataException.class)
                .hasMessageContaining("Choose a longer -window");
    }

    private Measurements read(Path log) throws IOException {
        return reader(log, AMPLE, 1 << 20).read();
    }

    private LogReader reader(Path log, long budget, long slice) throws IOException {
        return reader(log, SECONDS, budget, slice);
    }

    private LogReader reader(Path log, Timeline timeline, long budget, long slice) throws IOException {
        return reader(log, timeline, budget, slice, AMPLE);
    }

    /** @param most windows of actions */
    private LogReader reader(Path log, Timeline timeline, long budget, long slice, long most) throws IOException {
        return new LogReader(PerformanceFiles.in(LogStore.open(log)), timeline, Grouping.byAction(),
                new double[] {50, 99}, new LogReader.Limits(2, budget, slice, AMPLE, most));
    }

    private static LogLines manyLines(int count) {
        Random random = new Random(3);
        LogLines lines = LogLines.inMicroseconds();
        String[] actions = {"CSndReq#OK#sendMessage", "CSndReq#TIMEOUT#sendMessage", "BQueue", "BDb#dequeueMessage"};
        for (int i = 0; i < count; i++) {
            lines.add((long) Math.exp(random.nextGaussian() * 2 + 7), i, actions[random.nextInt(actions.length)]);
        }
        return lines;
    }

    private static Map<String, List<Integer>> durationsByAction(Path log) throws IOException {
        Map<String, List<Integer>> durations = new HashMap<>();
        for (String line : Files.readAllLines(log)) {
            String[] parts = line.split(";");
            if (parts.length == 4) {
                durations.computeIfAbsent(parts[2], unseen -> new ArrayList<>()).add(Integer.parseInt(parts[0]));
            }
        }
        return durations;
    }

    private static void assertSame(Distribution found, List<Integer> expected) {
        Distribution wanted = Distribution.of(expected.stream().mapToInt(Integer::intValue).toArray());
        assertThat(found.count()).isEqualTo(wanted.count());
        assertThat(found.variance()).isEqualTo(wanted.variance());
        assertThat(found.percentiles(0, 10, 50, 90, 100)).isEqualTo(wanted.percentiles(0, 10, 50, 90, 100));
    }

    private static List<String> summaries(Measurements measured) {
        return measured.groups().stream().map(group -> group.name() + group.windows()).toList();
    }
}
