package ch.ethz.mlmq.log_analyzer.model;

import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.scan.Cut;
import ch.ethz.mlmq.log_analyzer.scan.Grouping;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.scan.Reading;
import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * How a run's times were distributed, for a simulation of it.
 *
 * @param database   {@code BDb}; empty where there is none
 * @param receive    {@code BRcvReq}
 * @param send       {@code BSndResp}
 * @param answers    mean time in the response queue [s]: a simulation of I/O threads makes that itself
 * @param ioThreads  of each broker; empty where the run does not tell one number
 */
public record RunTimes(Distribution database, Distribution receive, Distribution send, double answers,
        OptionalInt ioThreads) {
    private static final double US_PER_SECOND = 1e6;
    /** Of a broker whose settings do not say it. */
    private static final String DEFAULT_THREADS = "1";

    public static RunTimes of(Run run, Cut cut) throws IOException {
        Reading reading = Reading.of(run.store());
        OptionalLong one = OptionalLong.of(Integer.MAX_VALUE);
        Distribution database = reading.read(cut, one, new Grouping(List.of("BDb#"), List.of(Grouping.Key.TIER)))
                .groups().stream().findFirst().map(Measurements.Group::steady).orElse(Distribution.EMPTY);
        Measurements others = reading.read(cut, one, Grouping.byAction("BRcvReq", "BRespQueue", "BSndResp"));
        List<String> threads = run.settings().entrySet().stream().filter(jvm -> jvm.getKey().startsWith("broker_"))
                .map(Map.Entry::getValue).map(each -> each.getOrDefault("broker.io.threads", DEFAULT_THREADS))
                        .distinct().toList();
        OptionalInt ioThreads = threads.size() == 1 && threads.get(0).matches("[1-9]\\d{0,4}")
                ? OptionalInt.of(Integer.parseInt(threads.get(0))) : OptionalInt.empty();
        Distribution answers = named(others, "BRespQueue");
        return new RunTimes(database, named(others, "BRcvReq"), named(others, "BSndResp"),
                answers.count() == 0 ? 0 : answers.mean() / US_PER_SECOND, ioThreads);
    }

    /** @return whether I/O threads can be simulated */
    public boolean tellIo() {
        return receive.count() > 0 && send.count() > 0;
    }

    /** @return mean time at I/O threads, their queue for answers included [s] */
    public double io() {
        return (receive.mean() + send.mean()) / US_PER_SECOND + answers;
    }

    private static Distribution named(Measurements measured, String action) {
        return measured.groups().stream().filter(group -> group.name().equals(action)).findFirst()
                .map(Measurements.Group::steady).orElse(Distribution.EMPTY);
    }
}
