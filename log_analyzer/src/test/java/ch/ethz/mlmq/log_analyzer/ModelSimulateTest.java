package ch.ethz.mlmq.log_analyzer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelSimulateTest {
    @TempDir
    private Path folder;

    @Test
    void shouldSimulateARunWithMoreClients() throws Exception {
        Path run = new SampleRun(9).seconds(20).writeTo(folder.resolve("run"));
        Object[] asked = {"model", "simulate", "-d", run, "-clients", "50", "--requests", "50000", "--replications",
                "4", "-fmt", "csv", "--cv", "1", "--io-threads", "0"};

        Invocation result = Invocation.of(asked);

        double predicted = Double.parseDouble(Invocation.of("model", "closed", "-d", run, "-clients", "50", "-fmt",
                "csv")
                .lines().get(1).split(",")[1]);
        double[] throughput = ModelFitTest.figures(result).get("throughput");
        assertThat(throughput[0]).isCloseTo(predicted, within(0.02 * predicted));
        assertThat(throughput[1]).isLessThan(throughput[0]);
        assertThat(Invocation.of(asked).out()).as("the same seed").isEqualTo(result.out());
        assertThat(result.err()).contains("Processors are no station").contains("80 % busy in the run");
        assertThat(Invocation.of("model", "simulate", "-d", run, "-clients", "10", "--requests", "5000").out())
                .as("the run itself").doesNotContain("Processors are no station");

        Invocation failOver = Invocation.of("model", "simulate", "-d", run, "-clients", "50", "--requests", "50000",
                "--replications", "2", "--io-threads", "2", "--databases", "2", "--database-servers", "8", "--pause",
                "1s", "-fmt", "csv");
        assertThat(failOver.err()).contains("times of the database are as measured").contains("of 2 I/O threads");
        assertThat(ModelFitTest.figures(failOver).get("longest_response_s")[0]).isBetween(1.0, 1.5);
        assertThat(ModelFitTest.figures(failOver).get("io_threads_busy_percent")[0]).isBetween(1.0, 100.0);
    }

    @Test
    void shouldTakeWhatARequestCostsAnIoThreadFromItsBusyTime() throws Exception {
        Path run = new SampleRun(9).seconds(20).writeTo(folder.resolve("run"));

        Invocation result = Invocation.of("model", "simulate", "-d", run, "--io-threads", "2", "-fmt", "csv");

        double perSecond = ModelFitTest.figures(result).get("throughput")[0];
        assertThat(result.err()).contains("a request takes 60 us of 2 I/O threads");
        assertThat(ModelFitTest.figures(result).get("io_threads_busy_percent")[0]).as("60 us each, two threads")
                .isCloseTo(perSecond * 60e-6 / 2 * 100, within(1.0));
    }

    /** A few long batches delay few clients; gamma times of the same variation would delay many. */
    @Test
    void shouldSpreadBatchesAsTheyWereMeasured() throws Exception {
        Path run = new SampleRun(9).seconds(20).workers(2).batches(400, 10).writeTo(folder.resolve("run"));
        Path log = run.resolve("logs/m2/broker_0/performance_broker_0.log");
        List<String> lines = Files.readAllLines(log);
        for (int i = 0, batches = 0; i < lines.size(); i++) {
            if (lines.get(i).contains(";BProcReq") && batches++ % 100 == 0) {
                String[] columns = lines.get(i).split(";", 2);
                lines.set(i, Integer.parseInt(columns[0]) * 15 + ";" + columns[1]);
            }
        }
        Files.write(log, lines);
        Object[] asked = {"model", "simulate", "-d", run, "-clients", "64", "--io-threads", "0", "-fmt", "csv"};

        Invocation measured = Invocation.of(asked);
        Invocation gamma = Invocation.of(Stream.concat(Arrays.stream(asked), Stream.of("--cv", "1.4")).toArray());

        assertThat(measured.err()).contains("a batch's time varies about a + b n as measured, with cv ");
        assertThat(ModelFitTest.figures(measured).get("throughput")[0])
                .isGreaterThan(1.02 * ModelFitTest.figures(gamma).get("throughput")[0]);
    }

    @Test
    void shouldSayWhatItNeedsToSimulateIoThreads() throws Exception {
        Path run = new SampleRun(9).seconds(20).writeTo(folder.resolve("run"));
        try (Stream<Path> files = Files.walk(run)) {
            for (Path file : files.filter(each -> each.endsWith("stats_broker_0.csv")).toList()) {
                Files.delete(file);
            }
        }

        assertThat(Invocation.of("model", "simulate", "-d", run, "--io-threads", "2").err())
                .contains("--io-threads needs BRcvReq").contains("stats_<broker>.csv");
        assertThat(Invocation.of("model", "simulate", "-d", run, "--requests", "5000").out())
                .contains("no request waits for an I/O thread");
    }

    @Test
    void shouldSimulateWithoutARun() {
        Invocation result = Invocation.of("model", "simulate", "--service", "80us", "--rate", "9000/s", "--requests",
                "100000", "-fmt", "csv");
        assertThat(ModelFitTest.figures(result).get("waiting_us")[0]).as("M/M/1")
                .isCloseTo(80 * 0.72 / 0.28, within(12.0));
        assertThat(ModelFitTest.figures(result).get("workers_busy_percent")[0]).isCloseTo(72, within(1.0));
    }

    @Test
    void shouldLetManyClientsSettle() {
        Object[] asked = {"model", "simulate", "--batch", "450us,35us", "--workers", "2", "--think", "50ms", "-clients",
            "20000", "--brokers", "20", "--replications", "2", "-fmt", "csv"};
        Invocation settled = Invocation.of(asked);
        Invocation begun = Invocation.of(Stream.concat(Arrays.stream(asked), Stream.of("--requests", "40000"))
                .toArray());

        assertThat(ModelFitTest.figures(settled).get("throughput")[0]).as("no more than the clients ask")
                .isBetween(200_000.0, 400_000.0);
        assertThat(settled.err()).contains("2 replications of 400000 requests").doesNotContain("the beginning");
        assertThat(begun.err()).contains("Each client made fewer than 20 requests").contains("--requests 400000");
    }

    @Test
    void shouldRefuseWhatItCannotSimulate() {
        assertThat(Invocation.of("model", "simulate").err()).contains("takes -d, or --service");
        assertThat(Invocation.of("model", "simulate", "--service", "1ms", "--rate", "1100/s").err())
                .contains("Utilisation is 1.1");
        assertThat(Invocation.of("model", "simulate", "--service", "1ms", "--rate", "1/s", "-clients", "3").err())
                .contains("either -clients");
        assertThat(Invocation.of("model", "simulate", "--service", "1ms", "--rate", "1/s", "--requests", "5").err())
                .contains("--requests must lie");
    }
}
