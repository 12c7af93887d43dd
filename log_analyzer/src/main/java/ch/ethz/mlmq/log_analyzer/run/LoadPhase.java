package ch.ethz.mlmq.log_analyzer.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A phase of the load by its plan, as it was.
 *
 * @param time in which all client JVMs were in it
 */
public record LoadPhase(String name, TimeRange time) {
    private static final int MOST = 1_000;

    /** @return whether the summary of a client JVM tells phases, even ones that no other client was in */
    public static boolean areTold(Run run) throws IOException {
        return run.summaries().stream().anyMatch(ClientSummary::hasPhases);
    }

    /** @return the phases in their order, from the summaries of the client JVMs; none if the load had no such plan */
    public static List<LoadPhase> of(Run run) throws IOException {
        List<LoadPhase> common = new ArrayList<>();
        for (ClientSummary summary : run.summaries()) {
            List<LoadPhase> own = summary.phases().stream().limit(MOST).toList();
            for (int i = 0; i < own.size(); i++) {
                if (i == common.size()) {
                    common.add(own.get(i));
                } else {
                    common.set(i, common.get(i).and(own.get(i)));
                }
            }
        }
        return common.stream().filter(phase -> phase.time.fromMs() < phase.time.toMs()).toList();
    }

    private LoadPhase and(LoadPhase other) {
        return new LoadPhase(name, new TimeRange(Math.max(time.fromMs(), other.time.fromMs()),
                Math.min(time.toMs(), other.time.toMs())));
    }
}
