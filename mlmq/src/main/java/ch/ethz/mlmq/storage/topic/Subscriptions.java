package ch.ethz.mlmq.storage.topic;

import ch.ethz.mlmq.filter.Filter;
import ch.ethz.mlmq.filter.FilterIndex;
import ch.ethz.mlmq.filter.FilteredMessage;
import ch.ethz.mlmq.protocol.TopicRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The subscriptions of a topic at one moment, by which a broker finds those that a message is for. Immutable. */
public final class Subscriptions {
    /** Most subscriptions of a topic. */
    public static final int MAX = 10_000;
    /** Most weight of the filters of a topic, see {@link #weight}. */
    public static final long MAX_WEIGHT = 1 << 20;
    /** A LIKE takes as long as so many characters of other conditions where its value is long. */
    public static final int WEIGHT_OF_LIKE = 1_000;
    /** Most bytes that one publish stores, all copies together. */
    public static final long MAX_COPIED_BYTES = 64L << 20;

    private static final Pattern LIKE = Pattern.compile("like", Pattern.CASE_INSENSITIVE);
    private static final int BYTES_EACH = 100;
    /** Bytes of a stored message beside its content and properties, about. */
    private static final int STORED_BYTES = 100;

    private final long generation;
    private final List<Subscription> all;
    private final FilterIndex index;
    private final Map<Integer, Integer> clients = new HashMap<>();
    private final long bytes;

    /**
     * A subscription.
     *
     * @param queue  id of its queue
     * @param client id of the client that owns it; 0 for a durable one
     * @param open   false if it gets no copies, because its user has lost the right to receive them
     */
    public record Subscription(int queue, int client, Filter filter, boolean open) {
    }

    /** @param generation of the topic, in which these are all its subscriptions */
    public Subscriptions(long generation, List<Subscription> subscriptions) {
        this.generation = generation;
        this.all = subscriptions.stream().sorted(Comparator.comparingInt(Subscription::queue)).toList();
        this.index = new FilterIndex(all.stream().filter(Subscription::open)
                .map(one -> new FilterIndex.Entry(one.filter, one.queue)).toList());
        Set<Filter> distinct = new HashSet<>();
        long sum = 0;
        for (Subscription one : all) {
            if (one.client != 0) {
                clients.put(one.queue, one.client);
            }
            sum += BYTES_EACH + (distinct.add(one.filter) ? one.filter.bytes() : 0);
        }
        this.bytes = sum;
    }

    /**
     * Bounds how long a publish evaluates filters. The function filter_weight in the database computes the same.
     *
     * @return characters of the filter, and {@link #WEIGHT_OF_LIKE} more for each "like" in it, a part of a name or not
     */
    public static long weight(String filter) {
        return filter.codePointCount(0, filter.length())
                + WEIGHT_OF_LIKE * LIKE.matcher(filter).results().count();
    }

    /** @return these and the ones that came after them */
    public Subscriptions and(long newGeneration, List<Subscription> added) {
        List<Subscription> together = new ArrayList<>(all);
        together.addAll(added);
        return new Subscriptions(newGeneration, together);
    }

    /** @return the topic's generation in which they were read */
    public long generation() {
        return generation;
    }

    public int size() {
        return all.size();
    }

    /** @return bytes that they take in memory, about */
    public long bytes() {
        return bytes;
    }

    /** @return ids of the queues that get a copy, in ascending order; do not change them */
    public int[] taking(TopicRequest.Publish publish) {
        return index.taking(new FilteredMessage(publish.properties(), publish.priority(), publish.context()));
    }

    /** @return id of the client that owns the queue; 0 if that of a durable subscription */
    public int clientOf(int queue) {
        return clients.getOrDefault(queue, 0);
    }

    /** @return true if the copies of the message take more than {@link #MAX_COPIED_BYTES} */
    public static boolean isTooMuch(TopicRequest.Publish publish, int copies) {
        return copies * (long) (STORED_BYTES + publish.content().length + publish.properties().encoded().length)
                > MAX_COPIED_BYTES;
    }
}
