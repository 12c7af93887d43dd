package ch.ethz.mlmq.log_analyzer.model.measured;

import ch.ethz.mlmq.log_analyzer.model.network.BrokerCatalogue;
import ch.ethz.mlmq.log_analyzer.run.BrokerLoad;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.scan.Grouping;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.scan.PerformanceLogs;
import ch.ethz.mlmq.log_analyzer.scan.TimeSelection;
import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Distributions of a run's times, for a simulation of it.
 *
 * @param database   {@code BDb}; empty if there is none
 * @param receive    {@code BRcvReq}
 * @param send       thread's time to send one response [s]: its busy time for each request minus {@code BRcvReq}.
 * {@code BSndResp} is not such a time: a thread takes all waiting responses, and the last of them waits for the others.
 * NaN if there are no statistics
 * @param atIo       mean time of a request at I/O threads, including waiting [s]; a simulation of the threads produces
 * it itself
 * @param ioThreads  of each broker; empty if the run does not contain one number
 */
public record RunTimes(Distribution database, Distribution receive, double send, double atIo,
        OptionalInt ioThreads) {
    private static final double US_PER_SECOND = 1e6;
    /** The setting of a broker's I/O threads. */
    private static final String THREADS = "broker.io.threads";

    public static RunTimes of(Run run, TimeSelection cut) throws IOException {
        PerformanceLogs reading = PerformanceLogs.of(run.store());
        OptionalLong one = OptionalLong.of(Integer.MAX_VALUE);
        Distribution database = reading.read(cut, one, new Grouping(List.of("BDb#"), List.of(Grouping.Key.TIER)))
                .groups().stream().findFirst().map(Measurements.Group::steady).orElse(Distribution.EMPTY);
        Measurements others = reading.read(cut, one, Grouping.byAction("BRcvReq", "BRespQueue", "BSndResp"));
        List<String> threads = run.settings().entrySet().stream().filter(jvm -> jvm.getKey().startsWith("broker_"))
                .map(Map.Entry::getValue).map(each -> each.getOrDefault(THREADS, BrokerCatalogue.defaultOf(THREADS)))
                        .distinct().toList();
        OptionalInt ioThreads = threads.size() == 1 && threads.get(0).matches("[1-9]\\d{0,4}")
                ? OptionalInt.of(Integer.parseInt(threads.get(0))) : OptionalInt.empty();
        Distribution receive = named(others, "BRcvReq");
        double send = busy(BrokerLoad.of(run, others.steadyFromMs(), others.steadyToMs())) - mean(receive);
        return new RunTimes(database, receive, Math.max(0, send),
                mean(receive) + mean(named(others, "BRespQueue")) + mean(named(others, "BSndResp")), ioThreads);
    }

    /** @return true if I/O threads can be simulated */
    public boolean tellIo() {
        return receive.count() > 0 && !Double.isNaN(send);
    }

    /** @return busy time of I/O threads for each request [s], NaN if it is unknown */
    private static double busy(List<BrokerLoad> loads) {
        double requests = loads.stream().mapToDouble(BrokerLoad::requests).sum();
        double busy = loads.stream().mapToDouble(BrokerLoad::busyIo).sum();
        return requests > 0 && busy > 0 ? busy / requests : Double.NaN;
    }

    private static double mean(Distribution times) {
        return times.count() == 0 ? 0 : times.mean() / US_PER_SECOND;
    }

    private static Distribution named(Measurements measured, String action) {
        return measured.groups().stream().filter(group -> group.name().equals(action)).findFirst()
                .map(Measurements.Group::steady).orElse(Distribution.EMPTY);
    }
}
