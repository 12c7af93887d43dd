package ch.ethz.mlmq.log_analyzer.analysis;

import ch.ethz.mlmq.log_analyzer.run.ClientSummary;
import ch.ethz.mlmq.log_analyzer.run.Json;
import ch.ethz.mlmq.log_analyzer.run.Run;
import ch.ethz.mlmq.log_analyzer.statistics.Doubt;
import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How exactly the time from a send on one client's machine to the receipt on another is known. Clients stamp and
 * receive messages by the clock of the Testmaster: each corrects its own clock by the offset that was measured.
 *
 * @param errorUs how wrong such a time may be [us]; 0 where all clients have one clock
 * @param doubt   why nobody knows; else {@link Doubt#NONE}
 */
record Clocks(double errorUs, Doubt doubt) {
    static final Clocks ONE = new Clocks(0, Doubt.NONE);
    private static final Clocks NOT_COMPARED = new Clocks(Double.NaN, Doubt.CLOCKS_NOT_COMPARED);
    private static final double US_PER_MS = 1_000;

    /** @return the clocks of the machines of a run's clients */
    static Clocks of(Run run) throws IOException {
        List<Set<String>> machines = run.machinesByJvm().entrySet().stream()
                .filter(jvm -> jvm.getKey().startsWith("client")).map(Map.Entry::getValue).toList();
        if (machines.stream().flatMap(Set::stream)
                .anyMatch(one -> machines.stream().allMatch(theirs -> theirs.contains(one)))
                || receiveOnlyTheirOwn(run.summaries())) {
            return ONE;
        }
        Map<String, Json> known = new HashMap<>();
        for (Json machine : run.environment().at("machines").elements()) {
            for (Json jvm : machine.at("jvms").elements()) {
                known.put(jvm.at("name").text().orElse(""), machine);
            }
        }
        Map<String, Double> errors = new HashMap<>();
        for (ClientSummary summary : run.summaries()) {
            Json machine = known.getOrDefault(summary.place().jvm(), Json.MISSING);
            double error = errorOf(machine, summary.json().at("e2e", "clock_offset_ms").numberOr(Double.NaN));
            if (Double.isNaN(error)) {
                return NOT_COMPARED;
            }
            errors.merge(machine.at("name").text().orElse(""), error, Math::max);
        }
        return new Clocks(ofTheWorstPair(errors.values()) * US_PER_MS, Doubt.NONE);
    }

    private static boolean receiveOnlyTheirOwn(List<ClientSummary> clients) {
        return clients.stream().allMatch(client -> client.json().at("pairing").text().filter("own"::equals)
                .isPresent());
    }

    /**
     * @param used the offset by which a client corrected its clock [ms]
     * @return how wrong its corrected clock may be [ms]; NaN if it is unknown
     */
    private static double errorOf(Json machine, double used) {
        return machine.at("clock_error_ms").numberOr(Double.NaN)
                + Math.abs(machine.at("clock_offset_ms").numberOr(Double.NaN) - used);
    }

    /** The log of a receipt does not tell the sender's machine, so the two clocks that are known least count. */
    private static double ofTheWorstPair(Collection<Double> errors) {
        return errors.stream().sorted(Comparator.reverseOrder()).limit(2)
                .mapToDouble(Double::doubleValue).sum();
    }
}
