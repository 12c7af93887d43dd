package ch.ethz.mlmq.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.Client;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** SIGTERM and Ctrl-C end a JVM properly, and it has its say until then. */
@Timeout(120)
class ToldToEndTest {
    @TempDir
    Path folder;

    @Test
    void shouldShowTheFiguresOfALoadAndSayThatTheBrokerHasStopped() throws Exception {
        try (MlmqProcess broker = MlmqProcess.broker(folder.resolve("broker"), "--port", "0", "--storage", "memory");
                MlmqProcess load = MlmqProcess.start(folder.resolve("load"), "load", "--broker", broker.address(),
                        "--scenario", "Echo", "--rate", "50/s", "--duration", "1h", "--warmup", "0");
                Client client = Client.connect(broker.address())) {
            MlmqProcess.until("it measures", () -> client.brokerStatus().matches(".*\"requests\":\\d{3,},.*"));

            load.signal("TERM");
            load.exitCode();
            broker.signal("TERM");
            broker.exitCode();

            assertThat(load.out()).startsWith("Echo, 16 clients").contains("errors    none");
            assertThat(broker.err()).contains("broker is stopping").contains("broker has stopped");
        }
    }
}
