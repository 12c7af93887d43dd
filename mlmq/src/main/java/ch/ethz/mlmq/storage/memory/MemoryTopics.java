package ch.ethz.mlmq.storage.memory;

import ch.ethz.mlmq.filter.Filter;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.storage.Failures;
import ch.ethz.mlmq.storage.topic.Subscriptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Topics of {@link MemoryStorage}; used under its lock. */
final class MemoryTopics {
    private final Map<Integer, Topic> topics = new HashMap<>();
    private final Map<String, Topic> byName = new HashMap<>();
    private int last;

    /** A topic, with its subscriptions by name, and as they are read by a publish until one changes. */
    static final class Topic {
        final int id;
        final String name;
        final Map<String, Subscription> subscriptions = new HashMap<>();
        private Subscriptions known;
        private long filterWeight;

        private Topic(int id, String name) {
            this.id = id;
            this.name = name;
        }

        void add(String subscription, Subscription added) {
            subscriptions.put(subscription, added);
            filterWeight += Subscriptions.weight(added.text);
            known = null;
        }

        /** @return null if there is none */
        Subscription remove(String subscription) {
            Subscription removed = subscriptions.remove(subscription);
            if (removed != null) {
                filterWeight -= Subscriptions.weight(removed.text);
                known = null;
            }
            return removed;
        }

        boolean isFull(String filter) {
            return subscriptions.size() >= Subscriptions.MAX
                    || filterWeight + Subscriptions.weight(filter) > Subscriptions.MAX_WEIGHT;
        }

        Subscriptions known() {
            if (known == null) {
                known = new Subscriptions(0, subscriptions.values().stream()
                        .map(one -> new Subscriptions.Subscription(one.queue, one.client, one.filter, true)).toList());
            }
            return known;
        }
    }

    /** @param client that owns it; 0 for a durable one */
    record Subscription(int queue, int client, String text, Filter filter) {
    }

    Response create(String name) {
        if (byName.containsKey(name)) {
            return Failures.topicExists(name);
        }
        Topic topic = new Topic(++last, name);
        topics.put(topic.id, topic);
        byName.put(name, topic);
        return new Response.TopicFound(topic.id, name);
    }

    Response lookup(String name) {
        Topic topic = byName.get(name);
        return topic == null ? Failures.noTopic(name) : new Response.TopicFound(topic.id, name);
    }

    /** @return null if there is none */
    Topic topic(int id) {
        return topics.get(id);
    }

    /** @return null if there is none */
    Topic delete(int id) {
        Topic topic = topics.remove(id);
        if (topic != null) {
            byName.remove(topic.name);
        }
        return topic;
    }

    /** Ends the subscription of a deleted queue, if it is one. */
    void ended(int queue) {
        for (Topic topic : topics.values()) {
            topic.subscriptions.entrySet().stream().filter(one -> one.getValue().queue == queue)
                    .map(Map.Entry::getKey).toList().forEach(topic::remove);
        }
    }

    /** @return queues of subscriptions that end with the client */
    List<Integer> queuesOf(int client) {
        List<Integer> queues = new ArrayList<>();
        for (Topic topic : topics.values()) {
            topic.subscriptions.values().stream().filter(one -> one.client == client)
                    .forEach(one -> queues.add(one.queue));
        }
        return queues;
    }
}
