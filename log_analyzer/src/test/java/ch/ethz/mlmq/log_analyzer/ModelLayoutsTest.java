package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two publishers and two subscribers, each in a JVM of 2 clients; two brokers. A run of 20 s measures 200/s. */
class ModelLayoutsTest {
    @TempDir
    private Path folder;

    @Test
    void shouldJudgeBrokersByTheirProcessorTimeForEachMessage() throws Exception {
        Invocation result = Invocation.of("model", "layouts", run("publisher", 60, 12, 100), run("subscriber", 80, 6,
                100), "-fmt", "csv");

        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.lines().get(0)).isEqualTo("brokers,publishers,subscribers,copies,rate,broker_filters,"
                + "broker_copies,time,measured,computed,percent");
        // 2 brokers busy for 60 ms a second receive 200 messages: 0.6 ms each; 80 ms and 400: 0.4 ms.
        assertThat(result.lines().get(1)).isEqualTo("at publishers,2,2,4,200,6,4,0.0006,3000,,");
        assertThat(result.lines().get(2)).isEqualTo("at subscribers,2,2,4,200,3,2,0.0004,2250,,");
        assertThat(result.err()).contains("With 2 subscribers of 3 filters, brokers at the publishers reach the higher "
                + "rate with more than 1.5 publishers as measured.");
    }

    /** A broker tests a message only against the filters of its topic. */
    @Test
    void shouldCountTheFiltersOfOneTopic() throws Exception {
        Path run = run("publisher", 60, 12, 100);
        settings(run, "\"client.topics\":\"3\",");

        assertThat(Invocation.of("model", "layouts", run, "-fmt", "csv").lines().get(1))
                .isEqualTo("at publishers,2,2,4,200,2,4,0.0006,3000,,");
    }

    @Test
    void shouldPutTheFormulaBesideWhatWasMeasured() throws Exception {
        Invocation result = Invocation.of("model", "layouts", run("publisher", 60, 12, 100), run("subscriber", 80, 6,
                100), "--receive", "100us", "--filter", "10us", "--send", "90us", "-fmt", "csv");

        assertThat(result.lines().get(1)).as("2 x 0.9 / (100 + 6 x 10 + 4 x 90) us").endsWith(",3000,3461.538,15.385");
        assertThat(result.lines().get(2)).as("0.9 / (100 + 3 x 10 + 2 x 90) us").endsWith(",2250,2903.226,29.032");
        assertThat(result.err()).contains("1.5 publishers as measured, 1.677 as computed");
    }

    @Test
    void shouldRefuseRunsWithoutALayoutOrWithoutProcessorTimes() throws Exception {
        Path none = new SampleRun(1).seconds(20).writeTo(folder.resolve("none"));
        assertThat(Invocation.of("model", "layouts", none).err()).contains("has no client.topic.layout");
        assertThat(Invocation.of("model", "layouts", run("publisher", 60, 12, 0)).err())
                .contains("measured no message of a topic");
        Path run = run("publisher", 60, 12, 100);
        Files.delete(run.resolve("logs/m2/broker_1/gauges_broker_1.csv"));
        assertThat(Invocation.of("model", "layouts", run).err())
                .contains("has the processor time of 1 brokers, not of 2");
        assertThat(Invocation.of("model", "layouts").err()).contains("takes either RUN, or --publishers");
        assertThat(Invocation.of("model", "layouts", run, "--publishers", "1", "--subscribers", "2").err())
                .contains("takes either RUN, or --publishers");
    }

    /** @param busy processor time of each broker [ms/s] */
    private Path run(String layout, int busy, int registrations, int published) throws IOException {
        Path run = new SampleRun(1).seconds(20).clients(2).writeTo(Files.createTempDirectory(folder, layout));
        Path broker = run.resolve("logs/m2/broker_0");
        Path second = Files.createDirectory(run.resolve("logs/m2/broker_1"));
        try (Stream<Path> files = Files.list(broker)) {
            for (Path file : files.toList()) {
                Files.copy(file, second.resolve(file.getFileName().toString().replace("broker_0", "broker_1")));
            }
        }
        StringBuilder gauges = new StringBuilder("ms,cpu_ms\n");
        for (int at = 0; at <= 27; at++) {
            gauges.append(at * 1_000).append(',').append(at * busy).append('\n');
        }
        Files.writeString(broker.resolve("gauges_broker_0.csv"), gauges);
        Files.writeString(second.resolve("gauges_broker_1.csv"), gauges);
        change(run, 0, "\"Publisher\",\"messages\":{\"published_rate\":%d,\"sent_rate\":%d}".formatted(2 * published,
                8 * published));
        change(run, 1, "\"Subscriber\",\"subscribed\":{\"count\":%d}".formatted(registrations));
        Path environment = run.resolve("environment.json");
        Files.writeString(environment, Files.readString(environment).replace("\"client.think.time\"",
                "\"client.topic.layout\":\"" + layout + "\",\"client.think.time\""));
        return run;
    }

    private static void settings(Path run, String more) throws IOException {
        Path environment = run.resolve("environment.json");
        Files.writeString(environment, Files.readString(environment).replace("\"client.think.time\"",
                more + "\"client.think.time\""));
    }

    private static void change(Path run, int client, String becomes) throws IOException {
        Path file = run.resolve("logs/m1/client_%d/summary_client_%d.json".formatted(client, client));
        Files.writeString(file, Files.readString(file).replace("\"OneWayClient\"", becomes));
    }
}
