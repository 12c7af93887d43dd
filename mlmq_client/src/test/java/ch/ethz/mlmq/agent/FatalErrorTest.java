package ch.ethz.mlmq.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that an error in a thread ends the process, with a message. */
class FatalErrorTest {
    @TempDir
    private Path folder;

    @Test
    void shouldEndTheProcessWhereAnAgentFailsWithAnError() throws Exception {
        try (JavaProcess process = start("agent")) {
            assertThat(process.awaitExit()).isEqualTo(3);
            assertThat(Files.readString(process.output())).contains("failing", "OutOfMemoryError");
        }
    }

    @Test
    void shouldEndTheProcessWhereAnyOtherThreadFails() throws Exception {
        try (JavaProcess process = start("thread")) {
            assertThat(process.awaitExit()).isEqualTo(3);
            assertThat(Files.readString(process.output())).contains("other", "IllegalStateException");
        }
    }

    private JavaProcess start(String what) throws Exception {
        return JavaProcess.start(Files.createFile(folder.resolve(what + ".out")), List.of("-Xmx32m"),
                Failing.class.getName(), List.of(what));
    }

    /** Runs in its own process, for ever if its error does not end it. */
    static final class Failing implements Agent {
        public static void main(String[] args) throws Exception {
            FatalError.endsTheProcess();
            if (args[0].equals("agent")) {
                AgentRunner.start(new Failing(), Duration.ofMillis(1));
            } else {
                new Thread(() -> {
                    throw new IllegalStateException("as the test wants");
                }, "other").start();
            }
            new CountDownLatch(1).await();
        }

        @Override
        public String roleName() {
            return "failing";
        }

        @Override
        public int doWork() {
            throw new OutOfMemoryError("as the test wants");
        }
    }
}
