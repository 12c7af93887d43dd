package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests malicious logs, which must not crash the log analyzer. */
class HostileLogsTest {
    private static final int MOST_ACTIONS = 10_000;
    private static final long LONGER_THAN_ANY_TEXT = (1L << 31) + 1_000_000;

    @TempDir
    private Path folder;

    @Test
    void shouldRefuseMoreActionsThanATableCanHave() throws Exception {
        LogLines lines = LogLines.inMicroseconds();
        for (int i = 0; i <= MOST_ACTIONS; i++) {
            lines.add(100, i, "CSndReq#OK#action" + i);
        }
        Path log = lines.writeTo(folder.resolve("performance_client_0.log"));

        Invocation refused = Invocation.of("-d", log, "-fmt", "csv");
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("more than 10000 different actions");
        assertThat(Invocation.of("-d", log, "-fmt", "csv", "-group-by", "role").exitCode()).isZero();
    }

    @Test
    void shouldNotHoldALineWithoutEndInMemory() throws Exception {
        LogLines lines = LogLines.inMicroseconds();
        for (int i = 0; i < 100; i++) {
            lines.add(100, i * 10, "CSndReq#OK#send");
        }
        lines.writeTo(folder.resolve("client_0/performance_client_0.log"));
        Path endless = Files.createDirectories(folder.resolve("client_1")).resolve("performance_client_1.log");
        try (RandomAccessFile file = new RandomAccessFile(endless.toFile(), "rw")) {
            file.setLength(LONGER_THAN_ANY_TEXT);
        }

        Invocation read = Invocation.of("-d", folder, "-fmt", "csv");
        assertThat(read.exitCode()).isZero();
        assertThat(read.out()).contains("CSndReq#OK#send,100,");
        assertThat(read.err()).contains("client_1/performance_client_1.log");
    }

    @Test
    void shouldJudgeARunByItsOtherLinesWhereOneHasADamagedStamp() throws Exception {
        LogLines lines = LogLines.inMicroseconds();
        for (int i = 0; i < 30_000; i++) {
            lines.add(1000 + i * 7919 % 501, i, "CSndReq#OK#send");
        }
        Path sound = lines.writeTo(folder.resolve("sound/performance_client_0.log"));
        Path damaged = lines.line("700;9999999999999;CSndReq#OK#send;C[10]")
                .writeTo(folder.resolve("damaged/performance_client_0.log"));

        Invocation check = Invocation.of("check", "-d", damaged, "-fmt", "csv");
        assertThat(check.err()).isEmpty();
        assertThat(linesOf(check, "No gap in time", "Steady state")).hasSize(2)
                .isEqualTo(linesOf(Invocation.of("check", "-d", sound, "-fmt", "csv"), "No gap in time",
                        "Steady state"));
    }

    @Test
    void shouldCutTheSameCooldownWhereAPlainLogLacksItsLastNewline() throws Exception {
        LogLines lines = LogLines.inMicroseconds();
        for (int i = 0; i < 100; i++) {
            lines.add(0, i * 10, "CSndReq#OK#send");
        }
        String killed = lines.add(0, 5_000, "CSndReq#OK#send").text().stripTrailing();
        Path log = folder.resolve("killed/performance_client_0.log");
        Files.createDirectories(log.getParent());
        Files.writeString(log, killed);
        Path whole = lines.gzipTo(folder.resolve("whole/performance_client_0.log.gz"));

        Invocation read = Invocation.of("-d", log, "-fmt", "csv", "-window", "10s", "-cooldown", "4500ms");
        assertThat(read.out()).contains("steady,CSndReq#OK#send,51,")
                .isEqualTo(Invocation.of("-d", whole, "-fmt", "csv", "-window", "10s", "-cooldown", "4500ms").out());
    }

    private static List<String> linesOf(Invocation check, String... names) {
        return check.out().lines().filter(line -> Stream.of(names).anyMatch(line::contains)).toList();
    }

    @Test
    void shouldLeaveOutWhatIsNoLineOfASeriesOfAMachine() throws Exception {
        Path run = new SampleRun(1).seconds(3).clients(1).writeTo(folder.resolve("run"));
        try (RandomAccessFile file = new RandomAccessFile(run.resolve("logs/m1/machine.csv").toFile(), "rw")) {
            file.setLength(65 << 20);
        }

        assertThat(Invocation.of("check", "-d", run, "-fmt", "csv").lines())
                .anyMatch(line -> line.startsWith("good,Clients not the limit") || line.contains("Client machines"))
                .noneMatch(line -> line.contains("there are no measurements of client machines"));
    }
}
