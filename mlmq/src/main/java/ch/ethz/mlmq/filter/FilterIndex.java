package ch.ethz.mlmq.filter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Finds the filters that take a message. Equal filters are evaluated once. Those that need an equality, such as
 * {@code id = 'x'}, are found by the message's value, so that ten thousand of them cost what one does. Immutable.
 */
public final class FilterIndex {
    private static final int[] NOBODY = {};

    private final List<Group> others = new ArrayList<>();
    private final Map<String, Map<Object, List<Group>>> byValue = new HashMap<>();

    /**
     * A filter of somebody.
     *
     * @param id of whom it is; several may have equal filters
     */
    public record Entry(Filter filter, int id) {
    }

    private record Group(Filter filter, int[] ids) {
    }

    /** Makes the index of the entries, whose ids differ and ascend. */
    public FilterIndex(Collection<Entry> entries) {
        Map<Filter, IntStream.Builder> equal = new LinkedHashMap<>();
        entries.forEach(entry -> equal.computeIfAbsent(entry.filter, filter -> IntStream.builder()).add(entry.id));
        equal.forEach((filter, ids) -> add(filter, ids.build().toArray()));
    }

    private void add(Filter filter, int[] ids) {
        Filter.Equality equality = filter.equality();
        if (equality == null) {
            others.add(new Group(filter, ids));
            return;
        }
        Map<Object, List<Group>> groups = byValue.computeIfAbsent(equality.name(), name -> new HashMap<>());
        Group group = new Group(equality.rest(), ids);
        equality.values().forEach(value -> groups.computeIfAbsent(value, one -> new ArrayList<>(1)).add(group));
    }

    /** @return ids of those whose filter takes the message, in ascending order; do not change them */
    public int[] taking(FilteredMessage message) {
        List<int[]> found = new ArrayList<>();
        collect(others, message, found);
        byValue.forEach((name, groups) -> {
            Object value = message.get(name);
            collect(value == null ? List.of() : groups.getOrDefault(Filter.indexed(value), List.of()), message, found);
        });
        if (found.isEmpty()) {
            return NOBODY;
        }
        if (found.size() == 1) {
            return found.get(0);
        }
        int[] ids = new int[found.stream().mapToInt(one -> one.length).sum()];
        int at = 0;
        for (int[] some : found) {
            System.arraycopy(some, 0, ids, at, some.length);
            at += some.length;
        }
        Arrays.sort(ids);
        return ids;
    }

    private static void collect(List<Group> groups, FilteredMessage message, List<int[]> found) {
        for (Group group : groups) {
            if (group.filter.takes(message)) {
                found.add(group.ids);
            }
        }
    }
}
