package ch.ethz.mlmq.log_analyzer.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A part of a run with constant load.
 *
 * @param level of the load: a number of clients, or a rate
 */
public record RunStep(String level, TimeRange phase) {
    private static final Set<String> NO_LOAD = Set.of("", "0", "0/s");
    private static final long SHORTEST_MS = 5_000;
    private static final long MS_PER_SECOND = 1_000;

    /** @return the steps of the rate, by its phases or commands; none without these, and none while the rate changes */
    public static List<RunStep> rates(Run run) throws IOException {
        return phases(run).stream().filter(step -> step.phase().toMs() - step.phase().fromMs() >= SHORTEST_MS
                && !NO_LOAD.contains(step.level())).toList();
    }

    /** @return all phases of the rate, also short ones and those without load; none if the load has no phases */
    public static List<RunStep> phases(Run run) throws IOException {
        List<LoadPhase> planned = LoadPhase.of(run);
        if (!planned.isEmpty()) {
            return planned.stream().map(phase -> new RunStep(phase.name(), phase.time())).toList();
        }
        List<JvmSeries> clients = clients(run);
        return steps(ToldRates.of(run, clients.stream().map(each -> each.place().jvm()).toList(), start(clients)),
                end(clients), 1);
    }

    /** @return whether the load has phases by its plan, or the rate of some client JVM by its settings */
    public static boolean hasPhases(Run run) throws IOException {
        return isPlanned(run) || run.settings().values().stream()
                .map(jvm -> RatePlan.of(jvm.getOrDefault("client.rate", "")))
                .anyMatch(plan -> plan.filter(RatePlan::hasPhases).isPresent());
    }

    /** @return whether the phases have names, by the plan of the load */
    public static boolean isPlanned(Run run) throws IOException {
        return !LoadPhase.of(run).isEmpty();
    }

    /** @return the steps of the number of clients that were connected */
    public static List<RunStep> numbersOfClients(Run run) throws IOException {
        List<JvmSeries> clients = clients(run);
        TreeMap<Long, String> changes = new TreeMap<>();
        String before = "";
        for (long ms = start(clients); !clients.isEmpty() && ms <= end(clients); ms += MS_PER_SECOND) {
            long at = ms;
            String now = Long.toString(Math.round(clients.stream().mapToDouble(each -> each.at(at)).sum()));
            if (!now.equals(before)) {
                changes.put(ms, now);
            }
            before = now;
        }
        return clients.isEmpty() ? List.of() : steps(changes, end(clients), SHORTEST_MS).stream()
                .filter(step -> !NO_LOAD.contains(step.level())).toList();
    }

    /** @return each level until the next, except shorter ones, in which clients are joining */
    private static List<RunStep> steps(TreeMap<Long, String> changes, long endMs, long shortestMs) {
        List<RunStep> steps = new ArrayList<>();
        for (Map.Entry<Long, String> change : changes.entrySet()) {
            Long next = changes.higherKey(change.getKey());
            long to = next == null ? endMs : next;
            if (to - change.getKey() >= shortestMs) {
                steps.add(new RunStep(change.getValue(), new TimeRange(change.getKey(), to)));
            }
        }
        return steps;
    }

    private static List<JvmSeries> clients(Run run) throws IOException {
        return JvmSeries.gauges(run, "clients"::equals).stream()
                .filter(each -> each.place().role().equals("client") && each.points().size() > 1).toList();
    }

    private static long start(List<JvmSeries> clients) {
        return (long) clients.stream().mapToDouble(each -> each.points().get(0)[0]).max().orElse(0);
    }

    private static long end(List<JvmSeries> clients) {
        return (long) clients.stream().mapToDouble(each -> each.points().get(each.points().size() - 1)[0]).min()
                .orElse(0);
    }
}
