package ch.ethz.mlmq.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.config.Role;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PerformanceLogTest {
    private static final LogHeader HEADER =
            new LogHeader("Broker", Role.BROKER, 1, 0, 1, new LogStart(1383684920571L, 0),
                    List.of("Port[8099]", "Workers[4]"));
    private static final Action QUEUE = Action.named("BQueue");

    @TempDir
    private Path folder;

    @Test
    void shouldWriteHeaderRecordsAndWhatWasDropped() throws Exception {
        Path file = folder.resolve("logs/performance_broker_1.log");
        PerformanceLog log = PerformanceLog.open(file, HEADER, 4);
        long now = System.nanoTime();
        long before = System.currentTimeMillis();

        log.record(QUEUE, now, now + 132_999, 10);
        log.record(QUEUE, now, now + 2_000_000, 10, 1_500_000);
        log.record(QUEUE, now, now + 3_000_000, 10, Recorder.inBatchOf(1));
        log.record(QUEUE, now, now + 4_000_000, 10, Recorder.inBatchOf(512));
        log.record(QUEUE, now, now, 10);
        log.onClose();

        List<String> lines = Files.readAllLines(file);
        assertThat(lines.get(0)).isEqualTo("MLMQ performance log Scenario[Broker] Role[broker] Position[1] Clients[0] "
                + "Unit[us] Sample[1/1] Started[1383684920571] Port[8099] Workers[4]");
        assertThat(lines.get(1)).matches("132;\\d+;BQueue;C\\[10]");
        assertThat(lines.get(2)).matches("2000;\\d+;BQueue;C\\[10] S\\[1500]");
        assertThat(lines.get(3)).matches("3000;\\d+;BQueue;C\\[10] N\\[1]");
        assertThat(lines.get(4)).matches("4000;\\d+;BQueue;C\\[10] N\\[512]");
        assertThat(lines.get(5)).isEqualTo("# dropped 1");
        assertThat(Long.parseLong(lines.get(1).split(";")[1])).isBetween(before - 1_000, before + 1_000);
    }

    @Test
    void shouldWriteMoreThanItsBufferHolds() throws Exception {
        Path file = folder.resolve("performance.log");
        PerformanceLog log = PerformanceLog.open(file, HEADER, 8_192);
        for (int i = 0; i < 8_192; i++) {
            log.record(QUEUE, 0, i * 1_000L, i);
        }
        log.onClose();

        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(8_194);
        assertThat(lines.get(8_192)).startsWith("8191;").endsWith(";BQueue;C[8191]");
    }
}
