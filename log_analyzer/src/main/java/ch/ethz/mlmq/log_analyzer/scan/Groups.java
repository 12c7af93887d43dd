package ch.ethz.mlmq.log_analyzer.scan;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.source.PerformanceFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Numbers the groups in order of appearance; shared by all threads. Logs with different sampling have different
 * numbers, so that a record need not store its weight.
 */
final class Groups {
    static final int UNWANTED = -1;
    /** Limit of groups: more are not actions of ours, and make no readable table. */
    static final int MOST = 10_000;
    private static final String SERVICE = ":service";

    private final Grouping grouping;
    private final Map<Numbered, Integer> numbers = new HashMap<>();
    private final List<Numbered> numbered = new ArrayList<>();

    /**
     * A group with equal weights.
     *
     * @param weight number of requests that each record stands for
     */
    record Numbered(List<String> labels, int weight) {
    }

    Groups(Grouping grouping) {
        this.grouping = grouping;
    }

    /** @return the number of the group this action in this log belongs to, or {@link #UNWANTED} */
    int numberOf(PerformanceFile log, String action) {
        return numberOf(grouping.labelsOf(log.place(), action), log.weight());
    }

    /** @return the number of the group of this action's service times: the same, its first label marked */
    int numberOfService(PerformanceFile log, String action) {
        return numberOf(grouping.labelsOf(log.place(), action).map(Groups::marked), log.weight());
    }

    /** @return true if an action belongs to the same group in all logs with the same sampling, whoever wrote them */
    boolean areOfAnyLog() {
        return grouping.isByActionAlone();
    }

    /** @return all by number */
    synchronized List<Numbered> numbered() {
        return List.copyOf(numbered);
    }

    private synchronized int numberOf(Optional<List<String>> wanted, int weight) {
        if (wanted.isEmpty()) {
            return UNWANTED;
        }
        return numbers.computeIfAbsent(new Numbered(wanted.get(), weight), group -> {
            if (numbered.size() == MOST) {
                throw new DataException("These logs have more than " + MOST + " different actions.");
            }
            numbered.add(group);
            return numbered.size() - 1;
        });
    }

    private static List<String> marked(List<String> labels) {
        List<String> marked = new ArrayList<>(labels);
        marked.set(0, labels.get(0) + SERVICE);
        return List.copyOf(marked);
    }
}
