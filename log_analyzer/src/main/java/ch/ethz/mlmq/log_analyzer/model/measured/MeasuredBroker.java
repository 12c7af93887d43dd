package ch.ethz.mlmq.log_analyzer.model.measured;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.model.waiting.DiscreteLaw;
import ch.ethz.mlmq.log_analyzer.run.ClientSummary;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.scan.Grouping;
import ch.ethz.mlmq.log_analyzer.scan.Measurements;
import ch.ethz.mlmq.log_analyzer.scan.PerformanceLogs;
import ch.ethz.mlmq.log_analyzer.scan.TimeSelection;
import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A broker as a queue with workers, from the measurement interval of a run; several brokers are assumed to be alike.
 *
 * @param service time at a worker, {@code BProcReq}
 * @param rate    of requests at each broker [1/s]
 * @param workers of each broker
 * @param waiting for a worker [us], {@code BQueue}
 * @param remarks on properties of the run that violate assumptions of open arrivals and independent service
 */
public record MeasuredBroker(DiscreteLaw service, double rate, int workers, Distribution waiting,
        List<String> remarks) {
    private static final String PROCESS = "BProcReq";
    private static final String QUEUE = "BQueue";

    public static MeasuredBroker of(Run run, TimeSelection cut) throws IOException {
        // The readings are by role, so that each keeps only one distribution.
        Distribution service = durations(run, cut, PROCESS).steady();
        PerformanceLogs reading = PerformanceLogs.of(run.store());
        Measurements queue = reading.read(cut, OptionalLong.of(Integer.MAX_VALUE),
                new Grouping(List.of(QUEUE), List.of(Grouping.Key.ROLE)));
        Distribution waiting = queue.groups().stream().findFirst().map(Measurements.Group::steady)
                .orElse(Distribution.EMPTY);
        if (waiting.count() == 0) {
            throw new DataException("The measurement interval has no BQueue: give the performance logs of the "
                    + "brokers.");
        }
        Map<String, Map<String, String>> settings = run.settings();
        List<Map<String, String>> brokers = settings.entrySet().stream()
                .filter(jvm -> jvm.getKey().startsWith("broker_"))
                .map(Map.Entry::getValue).toList();
        List<Integer> workers = brokers.stream().map(each -> each.getOrDefault("broker.workers", ""))
                .filter(each -> each.matches("[1-9]\\d{0,5}")).map(Integer::valueOf).distinct().toList();
        if (workers.size() != 1) {
            throw new DataException(workers.isEmpty()
                    ? "The run has no broker.workers, or has 0 of them (I/O threads execute the requests)."
                    : "The brokers differ in broker.workers, but the model needs equal brokers.");
        }
        List<String> remarks = new ArrayList<>();
        if (run.summaries().stream().anyMatch(ClientSummary::isClosed)) {
            remarks.add("The run violates an assumption: its clients wait for responses, so they limit the queue. "
                    + "Use model closed.");
        }
        if (brokers.stream().anyMatch(each -> !each.getOrDefault("broker.batch.max", "").equals("1"))) {
            remarks.add("The run violates an assumption: under group commit BProcReq is how long a request was kept, "
                    + "not its cost (broker.batch.max is not known to be 1).");
        }
        double rate = waiting.count() * 1000.0 / queue.steadyMs() / Math.max(1, brokers.size());
        return new MeasuredBroker(DiscreteLaw.measured(service), rate, workers.get(0), waiting, remarks);
    }

    private static Measurements.Group durations(Run run, TimeSelection cut, String action) throws IOException {
        return PerformanceLogs.of(run.store()).read(cut, OptionalLong.of(Integer.MAX_VALUE),
                new Grouping(List.of(action), List.of(Grouping.Key.ROLE))).groups().stream()
                .filter(group -> group.steady().count() > 0).findFirst()
                .orElseThrow(() -> new DataException("The measurement interval has no " + action + "."));
    }
}
