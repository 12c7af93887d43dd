package ch.ethz.mlmq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.agent.JavaProcess;
import ch.ethz.mlmq.campaign.FreePort;
import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits of a broker with a thousand clients: at most 40 threads, and a heap of 64 MB. */
class ThousandClientsTest {
    private static final int THREADS = 40;

    @TempDir
    private Path folder;

    @Test
    void shouldBeServedByFewThreadsAndLittleMemory() throws Exception {
        int port = FreePort.find();
        try (TestDatabase database = new TestDatabase(); JavaProcess broker = start(database, port)) {
            broker.awaitOutput("\"state\":\"ready\"");

            assertThat(ThousandClients.run(port)).isEqualTo(10_000);

            assertThat(threads(broker.handle().pid())).isLessThanOrEqualTo(THREADS);
            broker.terminate();
        }
    }

    private JavaProcess start(TestDatabase database, int port) throws Exception {
        return JavaProcess.start(Files.createFile(folder.resolve("broker.out")), List.of("-Xmx64m",
                "-XX:+UseSerialGC", "-XX:CICompilerCount=2"), "ch.ethz.mlmq.cli.Main", List.of("broker", "--progress",
                "--port", Integer.toString(port), "--set", "broker.db.url=" + database.address().url(),
                "--set", "broker.db.user=" + database.address().user(),
                "--set", "broker.db.password=" + database.address().password()));
    }

    private static long threads(long pid) throws Exception {
        try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            return tasks.count();
        }
    }
}
