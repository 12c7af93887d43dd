package ch.ethz.mlmq.log_analyzer.profile;

import ch.ethz.mlmq.log_analyzer.statistics.Proportion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Shares of methods, classes or packages in the whole, by themselves and with their callees. */
public final class Shares {
    /**
     * One row.
     *
     * @param samples number of samples in it
     * @param self    share without callees
     * @param whole   share with callees
     */
    public record Share(String name, long samples, Proportion self, Proportion whole) {
    }

    /** A row of two profiles. {@code baseline} and {@code share} are without callees. */
    public record Change(String name, Proportion baseline, Proportion share) {
        public double difference() {
            return share.share() - baseline.share();
        }
    }

    private static final class Sum {
        private long samples;
        private double self;
        private double whole;
    }

    private final Map<String, Sum> sums = new HashMap<>();
    private final double weight;
    private final double worth;

    public Shares(CallTree tree, Granularity by) {
        weight = tree.root().whole();
        worth = tree.worth();
        tree.root().called().forEach(thread -> thread.called().forEach(node -> add(node, by, new HashSet<>())));
    }

    /** @return the largest by themselves first, without those that only call others */
    public List<Share> top(int count) {
        return sums.keySet().stream().map(this::share).filter(share -> share.samples() > 0)
                .sorted(Comparator.<Share>comparingDouble(share -> -share.self().share())
                        .thenComparingDouble(share -> -share.whole().share()).thenComparing(Share::name))
                .limit(count).toList();
    }

    /** @return those of the largest of either that changed, the largest change first */
    public List<Change> against(Shares baseline, int count) {
        Set<String> names = new HashSet<>();
        Stream.concat(top(count).stream(), baseline.top(count).stream()).map(Share::name).forEach(names::add);
        List<Change> changes = new ArrayList<>();
        names.forEach(name -> changes.add(new Change(name, baseline.share(name).self(), share(name).self())));
        changes.sort(Comparator.<Change>comparingDouble(change -> -Math.abs(change.difference()))
                .thenComparing(Change::name));
        return changes;
    }

    private Share share(String name) {
        Sum sum = sums.getOrDefault(name, new Sum());
        return new Share(name, sum.samples, proportion(sum.self), proportion(sum.whole));
    }

    private Proportion proportion(double part) {
        return new Proportion(weight > 0 ? Math.min(1, part / weight) : 0, worth);
    }

    /** @return the node's weight with its callees; a recursive name counts once */
    private double add(CallTree.Node node, Granularity by, Set<String> above) {
        String name = by.nameOf(node.frame());
        boolean first = above.add(name);
        double whole = node.weight();
        for (CallTree.Node called : node.called()) {
            whole += add(called, by, above);
        }
        Sum sum = sums.computeIfAbsent(name, unseen -> new Sum());
        sum.samples += node.samples();
        sum.self += node.weight();
        if (first) {
            sum.whole += whole;
            above.remove(name);
        }
        return whole;
    }
}
