package ch.ethz.mlmq.steering;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandFileTest {
    @TempDir
    private Path folder;
    private final List<String> executed = new ArrayList<>();
    private Path file;
    private CommandFile watcher;

    @BeforeEach
    void watch() throws Exception {
        file = folder.resolve("command.txt");
        watcher = new CommandFile(file, Commands.common(() -> executed.add("shutdown"), () -> "all well", folder)
                .with("rate", arguments -> {
                    executed.add("rate " + arguments);
                    return "rate\nset";
                })
                .with("break", arguments -> {
                    throw new IllegalStateException("broken");
                }));
        watcher.onStart();
    }

    @Test
    void shouldExecuteACommandOnceAndTellTheOutcome() throws Exception {
        Files.writeString(file, "rate 100/s\n");

        assertThat(watcher.doWork()).isEqualTo(1);
        assertThat(watcher.doWork()).isZero();

        assertThat(executed).containsExactly("rate [100/s]");
        assertThat(results()).hasSize(1).allMatch(line -> line.matches("\\d+;rate 100/s;OK;rate set"));
    }

    @Test
    void shouldExecuteTheSameCommandAgainWhenItIsWrittenAgain() throws Exception {
        Files.writeString(file, "shutdown");
        watcher.doWork();
        Files.writeString(file, "shutdown");
        watcher.doWork();

        assertThat(executed).containsExactly("shutdown", "shutdown");
        assertThat(results()).hasSize(2);
    }

    @Test
    void shouldRefuseWhatItDoesNotKnow() throws Exception {
        Files.writeString(file, "selfdestruct");

        watcher.doWork();

        assertThat(results()).hasSize(1).allMatch(line -> line.matches("\\d+;selfdestruct;REFUSED;unknown command "
                + "selfdestruct; there are break, logmemory, logstacktrace, profile, rate, shutdown, status"));
    }

    @Test
    void shouldRefuseArgumentsThatWouldChangeNothing() throws Exception {
        Files.writeString(file, "shutdown 10s");

        watcher.doWork();

        assertThat(results().get(0)).endsWith(";shutdown 10s;REFUSED;shutdown takes no arguments");
        assertThat(executed).isEmpty();
    }

    @Test
    void shouldTellOfAFailureAndGoOn() throws Exception {
        Files.writeString(file, "break");
        watcher.doWork();
        Files.writeString(file, "status");
        watcher.doWork();

        assertThat(results().get(0)).contains(";break;FAILED;").contains("broken");
        assertThat(results().get(1)).endsWith(";status;OK;all well");
    }

    @Test
    void shouldRecordForAWhileAndCarryOutOthersMeanwhile() throws Exception {
        command("profile 1s");
        command("profile 2s");
        command("status");

        assertThat(results().get(0)).contains(";profile 2s;REFUSED;a recording is already running: wait");
        assertThat(results().get(1)).endsWith(";status;OK;all well");
        double sum = 0;
        while (results().size() < 3) {
            for (int i = 0; i < 1_000_000; i++) {
                sum += Math.sqrt(i);
            }
        }
        assertThat(sum).isPositive();
        Matcher answer = Pattern.compile("\\d+;profile 1s;OK;(profile_\\d+\\.jfr) has (\\d+) samples of 1 s")
                .matcher(results().get(2));
        assertThat(answer.matches()).as(results().get(2)).isTrue();
        assertThat(RecordingFile.readAllEvents(folder.resolve(answer.group(1))).stream()
                .filter(event -> event.getEventType().getName().equals("jdk.ExecutionSample"))).isNotEmpty()
                .hasSize(Integer.parseInt(answer.group(2)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"profile", "profile 61s", "profile 0s", "profile 1h", "profile 10s 10s",
            "profile 99999999999s"}) void shouldRefuseToRecordForNoLengthOrTooLong(String line) throws Exception {
        command(line);

        assertThat(results().get(0)).endsWith(";REFUSED;write profile 10s: from 1s to 60s");
    }

    @Test
    void shouldWaitForAnEmptyFileToBeWritten() throws Exception {
        Files.createFile(file);

        assertThat(watcher.doWork()).isZero();
        assertThat(file).exists();
    }

    private void command(String line) throws Exception {
        Files.writeString(file, line);
        watcher.doWork();
    }

    private List<String> results() throws Exception {
        return Files.readAllLines(folder.resolve("command.txt.result"));
    }
}
