package ch.ethz.mlmq.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.Client;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** SIGTERM and Ctrl-C end a JVM properly, and it has its say until then. */
@Timeout(120)
class ToldToEndTest {
    private static final Pattern REQUESTS = Pattern.compile("\"requests\":(\\d+)");

    @TempDir
    Path folder;

    @Test
    void shouldShowTheFiguresOfALoadAndSayThatTheBrokerHasStopped() throws Exception {
        try (MlmqProcess broker = MlmqProcess.broker(folder.resolve("broker"), "--port", "0", "--storage", "memory");
                MlmqProcess load = MlmqProcess.start(folder.resolve("load"), "load", "--broker", broker.address(),
                        "--scenario", "Echo", "--rate", "50/s", "--duration", "1h", "--warmup", "0");
                Client client = Client.connect(broker.address())) {
            AtomicInteger asked = new AtomicInteger();
            // This client's own questions are requests, too.
            MlmqProcess.until("it measures", () -> requests(client.brokerStatus()) - asked.incrementAndGet() > 100);

            load.signal("TERM");
            load.exitCode();
            broker.signal("TERM");
            broker.exitCode();

            assertThat(load.out()).startsWith("Echo, 16 clients").contains("errors    none");
            assertThat(broker.err()).contains("broker is stopping").contains("broker has stopped");
        }
    }

    private static long requests(String status) {
        Matcher found = REQUESTS.matcher(status);
        assertThat(found.find()).as(status).isTrue();
        return Long.parseLong(found.group(1));
    }
}
