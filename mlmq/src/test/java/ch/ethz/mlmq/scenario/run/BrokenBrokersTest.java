package ch.ethz.mlmq.scenario.run;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.scenario.pacing.Phase;
import ch.ethz.mlmq.scenario.recording.Counts;
import ch.ethz.mlmq.scenario.recording.RunSummary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a load survives brokers that die, refuse or are silent. */
@Timeout(120)
class BrokenBrokersTest {
    @TempDir
    Path folder;

    @Test
    void shouldGoOnWithTheOtherBrokerWhereOneIsKilled() throws Exception {
        try (MlmqProcess first = broker("first"); MlmqProcess second = broker("second")) {
            CompletableFuture<RunSummary> load = Loads.start("Echo", first.address() + "," + second.address(),
                    folder.resolve("logs"), "clients", "4", "rate", "400/s", "duration", "5s");
            MlmqProcess.until("it measures", () -> logged() > 10_000);

            first.kill();

            RunSummary summary = load.get();
            Counts counts = summary.recording().counts(Phase.MEASURING);
            assertThat(counts.ok() + counts.errorSum()).as("every request of the plan is accounted for")
                    .isEqualTo(2_000);
            assertThat(counts.ok()).isGreaterThan(1_800);
            assertThat(counts.errors().keySet()).isSubsetOf("CONNECTION_LOST", "NOT_CONNECTED");
        }
    }

    @Test
    void shouldGoOnWhereItsOnlyBrokerComesBack() throws Exception {
        MlmqProcess broker = broker("before");
        String address = broker.address();
        CompletableFuture<RunSummary> load = Loads.start("PublicQueueProducer", address, folder.resolve("logs"),
                "clients", "2",
                "rate", "200/s", "duration", "60s", "requests", "2000", "timeout", "60s");
        MlmqProcess.until("it measures", () -> logged() > 10_000);
        broker.kill();
        long before = logged();

        try (MlmqProcess again = broker("after", Integer.parseInt(address.substring(address.indexOf(':') + 1)))) {
            RunSummary summary = load.get();

            Counts counts = summary.recording().counts(Phase.MEASURING);
            assertThat(counts.started()).isEqualTo(2_000);
            assertThat(counts.ok()).as("those of the time with no broker were late, not lost; %s", counts.errors())
                    .isPositive();
            assertThat(counts.late()).isPositive();
            assertThat(logged()).isGreaterThan(before);
            assertThat(again.err()).doesNotContain("SEVERE");
        }
    }

    @Test
    void shouldGoOnWithTheClientsThatFitWhereTheBrokerIsFull() throws Exception {
        try (MlmqProcess broker = broker("small", 0, "--set", "broker.maxclients=3")) {
            RunSummary summary = Loads.start("PublicQueueProducer", broker.address(), folder.resolve("logs"), "clients",
                    "5",
                    "rate", "100/s", "duration", "1s").get();

            assertThat(summary.who().clients()).isEqualTo(3);
            assertThat(summary.recording().counts(Phase.MEASURING).errors()).containsOnlyKeys("BROKER_FULL");
            assertThat(summary.recording().counts(Phase.MEASURING).errors()).containsEntry("BROKER_FULL", 2L);
            assertThat(summary.recording().counts(Phase.MEASURING).ok()).isEqualTo(100);
        }
    }

    @Test
    void shouldFailWhatIsNotAnsweredInTimeAndCountItOnce() throws Exception {
        try (MlmqProcess broker = broker("silent")) {
            CompletableFuture<RunSummary> load = Loads.start("Echo", broker.address(), folder.resolve("logs"),
                    "clients", "2", "rate", "100/s", "duration", "4s", "timeout", "200ms");
            MlmqProcess.until("it measures", () -> logged() > 3_000);
            broker.signal("STOP");
            long stopped = System.nanoTime();
            MlmqProcess.until("1 s is over", () -> System.nanoTime() - stopped > 1_000_000_000L);
            broker.signal("CONT");

            Counts counts = load.get().recording().counts(Phase.MEASURING);
            assertThat(counts.errors()).containsKey("TIMEOUT");
            assertThat(counts.ok() + counts.errorSum()).isEqualTo(400);
            assertThat(Files.readString(folder.resolve("logs/performance_client_0.log")))
                    .contains(";CSndReq#TIMEOUT#echo;");
        }
    }

    @Test
    void shouldNotLookLikeALoadWithoutErrorsWhereTheBrokerIsSilentSinceTheWarmup() throws Exception {
        try (MlmqProcess broker = broker("hanging");
                MlmqProcess load = MlmqProcess.start(folder.resolve("load"), "load", "--broker", broker.address(),
                        "--scenario", "Echo", "--clients", "3", "--warmup", "4s", "--duration", "2s", "--timeout",
                        "8s", "--log", folder.resolve("logs").toString())) {
            MlmqProcess.until("it warms up", () -> logged() > 10_000);
            broker.signal("STOP");

            assertThat(load.exitCode()).isZero();

            assertThat(load.out()).contains("rate      0.0/s", "No request was started while measuring.",
                    "Of the requests of the warm-up, 3 had no response when measuring ended and 0 failed while "
                    + "measuring; the longest waited 8.0 s.").doesNotContain("none");
            assertThat(Files.readString(folder.resolve("logs/summary_client_0.json"))).contains("\"overdue\":"
                    + "{\"unanswered\":3,\"failed\":0,\"longest_s\":8", "\"errors\":{\"TIMEOUT\":3}");
        }
    }

    @Test
    void shouldFailAClosedLoadWhoseOnlyBrokerIsKilledForGood() throws Exception {
        try (MlmqProcess broker = broker("killed");
                MlmqProcess load = MlmqProcess.start(folder.resolve("load"), "load", "--broker", broker.address(),
                        "--scenario", "Echo", "--clients", "2", "--warmup", "0s", "--duration", "5s", "--think-time",
                        "10ms", "--log", folder.resolve("logs").toString())) {
            MlmqProcess.until("it measures", () -> logged() > 3_000);
            broker.kill();

            assertThat(load.exitCode()).isEqualTo(1);

            assertThat(load.out()).contains("No client had a connection when measuring ended.");
            assertThat(Files.readString(folder.resolve("logs/summary_client_0.json"))).contains("\"connected\":0,");
        }
    }

    private MlmqProcess broker(String name) throws Exception {
        return broker(name, 0);
    }

    private MlmqProcess broker(String name, int port, String... settings) throws Exception {
        List<String> command = new ArrayList<>(List.of("--port", String.valueOf(port), "--storage", "memory"));
        command.addAll(List.of(settings));
        return MlmqProcess.broker(folder.resolve(name), command.toArray(String[]::new));
    }

    private long logged() throws Exception {
        Path log = folder.resolve("logs/performance_client_0.log");
        return Files.exists(log) ? Files.size(log) : 0;
    }
}
