package ch.ethz.mlmq.log_analyzer.scan;

import ch.ethz.mlmq.log_analyzer.source.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Numbers the groups in the order they are met; shared by all threads. */
final class Groups {
    static final int UNWANTED = -1;
    private static final String SERVICE = ":service";

    private final Grouping grouping;
    private final Map<List<String>, Integer> numbers = new HashMap<>();
    private final List<List<String>> labels = new ArrayList<>();

    Groups(Grouping grouping) {
        this.grouping = grouping;
    }

    /** @return the number of the group this action of this JVM belongs to, or {@link #UNWANTED} */
    int numberOf(Place place, String action) {
        return numberOf(grouping.labelsOf(place, action));
    }

    /** @return the number of the group of this action's service times: the same, its first label marked */
    int numberOfService(Place place, String action) {
        return numberOf(grouping.labelsOf(place, action).map(Groups::marked));
    }

    synchronized List<List<String>> labels() {
        return List.copyOf(labels);
    }

    private synchronized int numberOf(Optional<List<String>> wanted) {
        if (wanted.isEmpty()) {
            return UNWANTED;
        }
        return numbers.computeIfAbsent(wanted.get(), group -> {
            labels.add(group);
            return labels.size() - 1;
        });
    }

    private static List<String> marked(List<String> labels) {
        List<String> marked = new ArrayList<>(labels);
        marked.set(0, labels.get(0) + SERVICE);
        return List.copyOf(marked);
    }
}
