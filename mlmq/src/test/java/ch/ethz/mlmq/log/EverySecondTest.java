package ch.ethz.mlmq.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.log.EverySecond.Column;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EverySecondTest {
    @TempDir
    private Path folder;

    @Test
    void shouldWriteGaugesWithHeader() throws Exception {
        Path file = folder.resolve("logs/gauges.csv");
        EverySecond gauges = EverySecond.gauges(file, LogStart.now(),
                List.of(new Column("clients", () -> 3), new Column("shed", () -> 0)));

        assertThat(gauges.doWork()).isEqualTo(1);
        assertThat(gauges.doWork()).isZero();
        gauges.onClose();

        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(3);
        assertThat(lines.get(0)).isEqualTo("ms,clients,shed");
        assertThat(lines.get(1)).matches("\\d+,3,0");
    }

    @Test
    void shouldCountFromTheStartThatThePerformanceLogTellsAndNotFromItsOwn() throws Exception {
        Path file = folder.resolve("stats.csv");
        LogStart start = new LogStart(1383684920571L, System.nanoTime() - 5_000_000_000L);

        EverySecond.statistics(file, start, List.of()).onClose();

        assertThat(Long.parseLong(Files.readAllLines(file).get(0))).isGreaterThanOrEqualTo(5_000);
    }

    @Test
    void shouldWriteStatisticsWithoutHeader() throws Exception {
        Path file = folder.resolve("stats.csv");
        EverySecond statistics = EverySecond.statistics(file, LogStart.now(), List.of(new Column("sends", () -> 7)));

        statistics.onClose();

        assertThat(Files.readAllLines(file)).hasSize(1).allMatch(line -> line.matches("\\d+,7"));
    }
}
