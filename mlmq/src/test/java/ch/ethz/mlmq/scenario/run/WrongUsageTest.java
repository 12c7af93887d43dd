package ch.ethz.mlmq.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checks that wrong usage gets one line that says what to do, before any load. */
@Timeout(120)
class WrongUsageTest {
    @TempDir
    Path folder;

    @Test
    void shouldSayInOneLineWhatIsWrongWithTheCommandLine() throws Exception {
        assertRefused(2, "unknown scenario Mixx; did you mean Mix?", "load", "--scenario", "Mixx");
        assertRefused(2, "client.rate=0/s: a rate must be over 0", "load", "--rate", "0/s");
        assertRefused(2, "--poisson needs --rate", "load", "--poisson");
        assertRefused(2, "did you mean client.queues?", "load", "--set", "client.quees=3");
    }

    @Test
    void shouldSayWhyTheLogsCannotBeWritten() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));

        assertRefused(1, file + ": is no folder", "load", "--log", file.toString());
    }

    @Test
    void shouldSayThatThereIsNoBroker() throws Exception {
        assertRefused(1, "no client could connect to the broker localhost:1: ", "load", "--broker", "localhost:1",
                "--scenario", "Echo", "--set", "client.connect.within=500ms");
    }

    @Test
    void shouldSayThatMessagesAreTooLongForTheBroker() throws Exception {
        try (MlmqProcess broker = MlmqProcess.broker(folder.resolve("broker"), "--port", "0", "--storage", "memory")) {
            assertRefused(2, "client.message.size: ", "load", "--broker", broker.address(), "--message-size", "2001");
        }
    }

    @Test
    void shouldSayThatThePartnerIsMissing() throws Exception {
        try (MlmqProcess broker = MlmqProcess.broker(folder.resolve("broker"), "--port", "0", "--storage", "memory")) {
            Path config = folder.resolve("client/config.properties");
            Files.createDirectories(config.getParent());
            Files.writeString(config, String.join("\n", "common.scenario.mytype=client",
                    "common.scenario.mapping.broker=Broker#" + broker.address(),
                    "common.scenario.mapping.client=PairedClient#127.0.0.1,127.0.0.1", "client.clients=1",
                    "client.connect.within=5s"));

            assertRefused(2, "PairedClient_0_0 has no partner: PairedClient_1_0 did not register within 5000 ms",
                    "scenario", "-config", config.toString());
        }
    }

    private void assertRefused(int exitCode, String line, String... arguments) throws Exception {
        try (MlmqProcess process = MlmqProcess.start(folder.resolve("run"), arguments)) {
            assertThat(process.exitCode()).as(process.err()).isEqualTo(exitCode);
            assertThat(process.err().lines().filter(text -> !text.contains(" INFO ") && !text.contains(" WARNING ")))
                    .as("one line").hasSize(1).allMatch(text -> text.contains(line));
            assertThat(process.out()).doesNotContain("rate  ");
        }
    }
}
