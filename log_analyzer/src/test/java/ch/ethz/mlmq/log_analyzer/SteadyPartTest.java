package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests which records count in the measurement interval: requests due in it, over the planned time, with plausible
 * stamps.
 */
class SteadyPartTest {
    private static final String OK = "CSndReq#OK#sendMessage";
    private static final String TIMEOUT = "CSndReq#TIMEOUT#sendMessage";

    @TempDir
    private Path folder;

    @Test
    void shouldCountWhatAFreezeAtTheEndDelays() throws Exception {
        LogLines log = LogLines.inMicroseconds();
        for (int start = 0; start < 24_000; start++) {
            int end = start >= 18_000 && start < 21_000 ? 21_000 : start + 1;
            log.add((end - start) * 1_000L, end, OK);
        }
        write(log, 20);

        assertThat(steady("count")).isEqualTo(20_000);
        assertThat(steady("p99")).isCloseTo(2_800_000, within(10_000.0));
        assertThat(steady("throughput")).isEqualTo(1_000);
    }

    @Test
    void shouldAddUpTheHistogramsOfWhatWasToStartInTheSteadyPart() throws Exception {
        write(answersUntil(20_000), 20);
        try (OutputStream file = Files.newOutputStream(folder.resolve("client_0/client_0.hlog"))) {
            HistogramLogWriter log = new HistogramLogWriter(file);
            log.outputComment("MLMQ load client; warmup: and cooldown: of what was to start then");
            log.outputLogFormatVersion();
            log.outputStartTime(LogLines.START);
            log.setBaseTime(LogLines.START);
            interval(log, "warmup:sendMessage", 1, 7, 5_000);
            interval(log, "sendMessage", 18, 98, 1_000);
            interval(log, "sendMessage", 22, 2, 3_000_000);
            interval(log, "cooldown:sendMessage", 22, 50, 1_000);
        }

        Invocation table = Invocation.of("-d", folder, "-fmt", "hgrm");
        assertThat(table.out()).contains("Total count    =          100").contains("Max     =  3000319.000");
        assertThat(Invocation.of("-d", folder, "-fmt", "hgrm", "-from", "0s", "-to", "20s").out())
                .contains("Total count    =          105");
    }

    /** @param second in whose middle it lies */
    private static void interval(HistogramLogWriter log, String tag, int second, int count, long us) {
        Histogram times = new Histogram(3);
        times.recordValueWithCount(us, count);
        times.setTag(tag);
        times.setStartTimeStamp(LogLines.START + second * 1_000L - 500);
        times.setEndTimeStamp(LogLines.START + second * 1_000L + 500);
        log.outputIntervalHistogram(times);
    }

    @Test
    void shouldMeasureThroughputOverAllOfTheTimeWhateverIsAskedFor() throws Exception {
        LogLines log = LogLines.inMicroseconds();
        for (int end = 1; end <= 60_000; end++) {
            log.add(900, end, end <= 40_000 ? OK : TIMEOUT);
        }
        log.writeTo(folder.resolve("client_0/performance_client_0.log"));

        assertThat(steady("throughput", "-type", "CSndReq#OK#")).isCloseTo(666.7, within(0.1));
    }

    @Test
    void shouldSeeTheSilenceAtTheEndOfAPlannedPart() throws Exception {
        write(answersUntil(40_000), 60);

        assertThat(steady("throughput")).isCloseTo(666.7, within(0.1));
        assertThat(check("No gap in time")).startsWith("warning,").contains("20 s without any response");
    }

    @Test
    void shouldLeaveOutStampsThatCannotBeAndSaySo() throws Exception {
        LogLines log = LogLines.inMicroseconds();
        for (int end = 1; end <= 20_000; end++) {
            log.add(900, end, OK);
        }
        double right = throughputOf(log);
        for (long wrong : List.of(24 * 3_600_000L, 10 * LogLines.START, -LogLines.START + 5)) {
            LogLines bad = LogLines.inMicroseconds();
            for (int end = 1; end <= 20_000; end++) {
                bad.add(900, end == 12_000 ? wrong : end, OK);
            }

            assertThat(throughputOf(bad)).as("%d", wrong).isCloseTo(right, within(0.1));
            assertThat(Invocation.of("-d", folder, "-fmt", "csv").err()).contains("1 record is left out");
        }
    }

    @Test
    void shouldNotThrowARunAwayForWhatTheSystemUnderTestDid() throws Exception {
        LogLines log = LogLines.inMicroseconds();
        for (int start = 0; start < 20_000; start += 2) {
            int end = start >= 12_000 && start < 12_600 ? 12_600 : start + 1;
            log.add((end - start) * 1_000L, end, OK);
        }
        write(log, 20, "\"late\":235,\"late_by_client\":0");

        assertThat(check("Late starts")).startsWith("warning,").contains("235 requests", "of them 0 by the clients");
        assertThat(check("Steady state")).startsWith("warning,").contains("medians of parts change by");
        assertThat(steady("p99")).isGreaterThan(300_000);
    }

    @Test
    void shouldNotThrowARunAwayForTheSilenceOfTheSystemUnderTest() throws Exception {
        LogLines closed = LogLines.inMicroseconds();
        LogLines open = LogLines.inMicroseconds();
        for (int start = 0; start < 60_000; start += 2) {
            if (start < 20_000 || start >= 54_000) {
                closed.add(1_000, start + 1, OK);
            }
            boolean silent = start >= 26_000 && start < 54_000;
            open.add(silent ? (54_000 - start) * 1_000L : 1_000, silent ? 54_000 : start + 1, OK);
        }
        write(closed, 60);
        assertThat(check("Steady state")).startsWith("warning,").contains("no response for 34 s of 60 s",
                "the rest changes by 0 %");
        write(open, 60);
        assertThat(check("Steady state")).startsWith("warning,").contains("no response for 28 s of 60 s");
        write(answersUntil(40_000), 60);
        assertThat(check("Steady state")).startsWith("warning,").contains("no response for 20 s of 60 s");
    }

    @Test
    void shouldRejectARunThatDrifts() throws Exception {
        LogLines slower = LogLines.inMicroseconds();
        LogLines less = LogLines.inMicroseconds();
        for (int start = 0; start < 60_000; start += 400) {
            slower.add(start * 10, start, OK);
            if (start < 30_000 || start % 800 == 0) {
                less.add(1_000, start, OK);
            }
        }
        write(slower, 60);
        assertThat(check("Steady state")).startsWith("rejected,");
        write(less, 60);
        assertThat(check("Steady state")).startsWith("rejected,");
    }

    @Test
    void shouldRejectARunWhoseLoadTheClientsHeldUp() throws Exception {
        LogLines log = LogLines.inMicroseconds();
        for (int end = 1; end <= 20_000; end += 2) {
            log.add(900, end, OK);
        }
        write(log, 20, "\"late\":400,\"late_by_client\":300");

        assertThat(check("Late starts")).startsWith("rejected,").contains("of them 300 by the clients");
    }

    @Test
    void shouldCountALogOnceThatLiesThereTwice() throws Exception {
        LogLines log = answersUntil(20_000);
        write(log, 20);
        Path logs = folder.resolve("client_0");
        log.gzipTo(logs.resolve("performance_client_0.log.gz"));
        Files.createSymbolicLink(logs.resolve("performance_client_0.log.1"), logs.resolve("performance_client_0.log"));

        assertThat(steady("throughput")).isCloseTo(1_000, within(0.1));
        assertThat(Invocation.of("-d", folder, "-fmt", "csv").err()).contains("performance_client_0.log.gz is left out")
                .contains("performance_client_0.log.1 is left out");
        assertThat(check("Logs complete")).startsWith("warning,").contains("2 logs that are copies of others");
    }

    @Test
    void shouldSetEachLogBesideItsSummary() throws Exception {
        LogLines log = answersUntil(20_000);
        write(log, 20);
        assertThat(check("Logs and summaries agree")).startsWith("good,");

        Path summary = folder.resolve("client_0/summary_client_0.json");
        Files.writeString(summary, Files.readString(summary).replace("\"ok\":19999", "\"ok\":20100"));
        assertThat(check("Logs and summaries agree")).startsWith("rejected,")
                .contains("client_0: 19,999 by its log, 20,");
    }

    /** Times in whole milliseconds leave open on which side of an edge so many requests began. */
    @Test
    void shouldLeaveOpenOnWhichSideOfAnEdgeRequestsOfAnOverloadBegan() throws Exception {
        write(answersUntil(20_000), 20);
        Path summary = folder.resolve("client_0/summary_client_0.json");
        String told = Files.readString(summary).replace("\"ok\":19999", "\"ok\":20060");
        Files.writeString(summary, told);
        assertThat(check("Logs and summaries agree")).startsWith("rejected,");

        Files.writeString(summary, told.replaceFirst("\"planned_rate\":[a-z0-9.]+", "\"planned_rate\":20000"));
        assertThat(check("Logs and summaries agree")).startsWith("good,");
    }

    @Test
    void shouldKnowACopyInTheFolderOfAnotherMachine() throws Exception {
        LogLines log = new LogLines().line(LogLines.HEADER + " Started[" + LogLines.START + "]");
        log.add(900, 1, OK).add(900, 1_001, OK);
        log.writeTo(folder.resolve("m1/client_0/performance_client_0.log"));
        log.writeTo(folder.resolve("copy/client_0/performance_client_0.log"));

        assertThat(steady("count")).isEqualTo(2);
    }

    @Test
    void shouldGiveThePlannedPartItsLengthWhereNothingHappensAtItsBegin() throws Exception {
        LogLines log = LogLines.inMicroseconds();
        for (int end = 10_000; end < 20_000; end++) {
            log.add(0, end, OK);
        }
        write(log, 20);

        assertThat(steady("throughput")).isEqualTo(500);
        assertThat(check("No gap in time")).startsWith("warning,").contains("10 s without any response");
    }

    @Test
    void shouldTellTheBeginOfALogWhoseFirstLineIsDamaged() throws Exception {
        LogLines sound = answersUntil(20_000);
        double right = throughputOf(sound);
        for (String first : List.of("900;9" + LogLines.START + ";" + OK + ";C[10]", "9999999999;" + LogLines.START
                + ";" + OK + ";C[10]", "900;5;" + OK + ";C[10]")) {
            LogLines damaged = LogLines.inMicroseconds().line(first);
            sound.text().lines().skip(1).forEach(damaged::line);

            assertThat(throughputOf(damaged)).as(first).isEqualTo(right);
        }
    }

    @Test
    void shouldNotCountFromALineThatDoesNotCount() throws Exception {
        double right = throughputOf(answersUntil(1_000));
        Path cut = Files.createDirectories(folder.resolve("client_1")).resolve("performance_client_1.log");
        Files.writeString(cut, LogLines.HEADER + "\n900;" + (LogLines.START - 5_000) + ";CSndReq#OK#sen");

        assertThat(steady("throughput")).isEqualTo(right);
    }

    @Test
    void shouldCountARecordThatIsTooFarOnce() throws Exception {
        LogLines log = LogLines.inMicroseconds().add(900, 1, OK).add(900, 2, OK).add(900, 3, OK);
        log.line("900;" + 10 * LogLines.START + ";" + OK + ";C[10] S[800]")
                .writeTo(folder.resolve("client_0/performance_client_0.log"));

        assertThat(Invocation.of("-d", folder, "-fmt", "csv").err()).contains("1 record is left out");
    }

    @Test
    void shouldCountTheLastLineOfACompressedLogThatWasCutOff() throws Exception {
        LogLines log = LogLines.inMicroseconds();
        for (int end = 0; end < 200; end++) {
            log.line("900;%d;%s;C[%d]".formatted(LogLines.START + end, OK, end * 7919 * 104_729 % 1_000_003));
        }
        Path whole = log.gzipTo(folder.resolve("client_0/performance_client_0.log.gz"));
        byte[] bytes = Files.readAllBytes(whole);
        for (int length = bytes.length - 9; length > bytes.length / 2; length -= 11) {
            Files.write(whole, Arrays.copyOf(bytes, length));
            String read;
            try (InputStream in = new GZIPInputStream(Files.newInputStream(whole))) {
                read = readable(in);
            }
            long lines = read.lines().filter(line -> line.chars().filter(c -> c == ';').count() >= 3).count();

            assertThat(steady("count")).as("%d bytes", length).isEqualTo(lines);
        }
    }

    @Test
    void shouldKnowAnActionAtTheEndOfALineWithACarriageReturn() throws Exception {
        LogLines.inMicroseconds().line("900;%d;%s\r".formatted(LogLines.START, OK)).add(900, 1, OK)
                .line("900;%d;\r".formatted(LogLines.START)).writeTo(folder.resolve("performance_client_0.log"));

        assertThat(steady("count")).isEqualTo(2);
        assertThat(Invocation.of("-d", folder, "-fmt", "csv").err()).contains("1 malformed line");
    }

    @Test
    void shouldSeeTheSilenceBeforeTheEndOfWhatIsAskedFor() throws Exception {
        LogLines log = LogLines.inMicroseconds();
        for (int end = 1; end < 30_000; end++) {
            if (end < 10_000 || end >= 20_100) {
                log.add(0, end, OK);
            }
        }
        log.writeTo(folder.resolve("client_0/performance_client_0.log"));

        assertThat(steady("throughput", "-to", "20s")).isCloseTo(500, within(0.1));
    }

    /** Adds a response a millisecond. @param ms end, since the start */
    private static LogLines answersUntil(int ms) {
        LogLines log = LogLines.inMicroseconds();
        for (int end = 1; end < ms; end++) {
            log.add(900, end, OK);
        }
        return log;
    }

    private void write(LogLines log, int seconds) throws IOException {
        write(log, seconds, "\"late\":0,\"late_by_client\":0");
    }

    private void write(LogLines log, int seconds, String late) throws IOException {
        log.writeTo(folder.resolve("client_0/performance_client_0.log"));
        long lines = log.text().lines().count() - 1;
        Files.writeString(folder.resolve("client_0/summary_client_0.json"), ("{\"role\":\"client\",\"position\":0,"
                + "\"clients\":1,\"started_ms\":%d,\"duration_s\":%d,\"planned_rate\":1000,\"rate\":1000,\"ok\":%d,"
                + "\"errors\":{},%s,\"started\":%3$d,\"bottleneck\":null}").formatted(LogLines.START, seconds, lines,
                late));
    }

    private double throughputOf(LogLines log) throws IOException {
        log.writeTo(folder.resolve("client_0/performance_client_0.log"));
        return steady("throughput");
    }

    private double steady(String column, String... options) {
        String[] all = {"-d", folder.toString(), "-fmt", "csv", "-percentiles", "50,99", "-window", "1h"};
        List<String> lines = Invocation.of(Stream.of(all, options).flatMap(Arrays::stream)
                .toArray()).lines();
        int at = List.of(lines.get(0).split(",")).indexOf(column);
        return lines.stream().filter(line -> line.startsWith("steady," + OK)).map(line -> line.split(",")[at])
                .mapToDouble(Double::parseDouble).findFirst().orElseThrow();
    }

    /** @return what comes before the end that was cut off */
    private static String readable(InputStream in) throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        try {
            in.transferTo(read);
        } catch (EOFException e) {
            // what was cut off is not there
        }
        return read.toString(StandardCharsets.UTF_8);
    }

    private String check(String topic) {
        return Invocation.of("check", "-d", folder, "-fmt", "csv").lines().stream()
                .filter(line -> line.contains("," + topic)).findFirst().orElseThrow();
    }
}
