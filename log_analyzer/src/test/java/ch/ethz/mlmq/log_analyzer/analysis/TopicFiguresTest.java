package ch.ethz.mlmq.log_analyzer.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.log_analyzer.Invocation;
import ch.ethz.mlmq.log_analyzer.SampleRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopicFiguresTest {
    @TempDir
    private Path folder;

    /** 99 subscriptions in 18 s and one in 0.2 s: not ten a second. */
    @Test
    void shouldTellCopiesLossAndTimesOfAllSubscribers() throws Exception {
        Path run = run("\"published\":50,\"sent\":200,\"unanswered_sends\":0", subscriber(100, "20", "5.5",
                "[[1000,98],[9000,1]]", "[[10,1]]"), subscriber(72, "4", "4.5", "[[2000,1]]", "[[30,2],[50,1]]"));

        List<String> figures = figures(run);

        assertThat(figures).contains("copies,copies,3.44,,,,", "lost,%,2,,,,", "subscribe_rate,1/s,5.556,,,,",
                "subscribe_p50,us,1000,,,,", "subscribe_p99,us,2000,,,,", "first_p50,us,30,,,,",
                "first_p99,us,50,,,,", "first_max,us,50,,,,", "first_count,,4,,,,");
        assertThat(Invocation.of("compare", run, run, "-metric", "copies", "--fail-if", "lost > 1 %").err())
                .contains("lost is 2 %");
    }

    @Test
    void shouldLeaveAGapWhereNothingWasMeasured() throws Exception {
        assertThat(figures(new SampleRun(1).seconds(20).writeTo(folder.resolve("other"))))
                .noneMatch(line -> line.matches("(copies|lost|subscribe|first).*"));
        assertThat(figures(run("\"published\":50,\"sent\":200", subscriber(100, "null", "null", "[]", "[]"),
                subscriber(72, "4", "null", "[]", "[]")))).as("a system that does not tell what is left")
                .contains("copies,copies,3.44,,,,").noneMatch(line -> line.matches("(lost|subscribe|first).*"));
    }

    @Test
    void shouldTellNoLossThatRequestsWithoutAResponseMayExplain() throws Exception {
        String published = "\"published\":50,\"sent\":200,\"unanswered_sends\":3";
        assertThat(figures(run(published, subscriber(100, "0", "1", "[]", "[]"),
                subscriber(98, "0", "1", "[]", "[]").replace("dequeues\":0", "dequeues\":2"))))
                .noneMatch(line -> line.startsWith("lost"));
        assertThat(figures(run(published, subscriber(100, "0", "1", "[]", "[]"),
                subscriber(102, "0", "1", "[]", "[]")))).noneMatch(line -> line.startsWith("lost"));
        assertThat(figures(run(published, subscriber(100, "50", "1", "[]", "[]"),
                subscriber(50, "0", "1", "[]", "[]")))).as("unconfirmed copies may stand for lost ones")
                .noneMatch(line -> line.startsWith("lost"));
        assertThat(figures(run(published, subscriber(100, "0", "1", "[]", "[]"),
                subscriber(90, "0", "1", "[]", "[]")))).as("at least").contains("lost,%,5,,,,");
    }

    private static String subscriber(int received, String left, String rate, String times, String firsts) {
        return "\"received\":%d,\"unanswered_dequeues\":0,".formatted(received)
                + "\"subscribed\":{\"left\":%s,\"rate\":%s,\"times\":%s},".formatted(left, rate, times)
                + "\"first_message\":{\"times\":%s}".formatted(firsts);
    }

    private Path run(String publisher, String... subscribers) throws IOException {
        Path run = new SampleRun(1).seconds(20).writeTo(Files.createTempDirectory(folder, "run"));
        Path second = run.resolve("logs/m1/client_2");
        Files.createDirectory(second);
        try (Stream<Path> files = Files.list(run.resolve("logs/m1/client_1"))) {
            for (Path file : files.toList()) {
                Files.copy(file, second.resolve(file.getFileName().toString().replace("client_1", "client_2")));
            }
        }
        change(run, 0, "\"Publisher\"," + publisher);
        for (int i = 0; i < subscribers.length; i++) {
            change(run, i + 1, "\"Subscriber\"," + subscribers[i]);
        }
        return run;
    }

    private static void change(Path run, int client, String becomes) throws IOException {
        Path file = run.resolve("logs/m1/client_%d/summary_client_%d.json".formatted(client, client));
        Files.writeString(file, Files.readString(file).replace("\"OneWayClient\"", becomes));
    }

    private static List<String> figures(Path run) {
        return new ArrayList<>(Invocation.of("figures", run, "-fmt", "csv").lines()).stream()
                .map(line -> line.replaceFirst("(,[^,]*){3},[^,]*$", ",,,,").replace(",,,,,", ",,,,")).toList();
    }
}
