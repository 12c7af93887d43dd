package ch.ethz.mlmq.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandFileTest {
    @TempDir
    private Path folder;
    private final List<String> executed = new ArrayList<>();
    private Path file;
    private CommandFile watcher;

    @BeforeEach
    void watch() throws Exception {
        file = folder.resolve("command.txt");
        watcher = new CommandFile(file, Commands.common(() -> executed.add("shutdown"), () -> "all well")
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
                + "selfdestruct; there are break, logmemory, logstacktrace, rate, shutdown, status"));
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
    void shouldWaitForAnEmptyFileToBeWritten() throws Exception {
        Files.createFile(file);

        assertThat(watcher.doWork()).isZero();
        assertThat(file).exists();
    }

    private List<String> results() throws Exception {
        return Files.readAllLines(folder.resolve("command.txt.result"));
    }
}
