package ch.ethz.mlmq.storage.postgresql.operation;

import ch.ethz.mlmq.filter.Filter;
import ch.ethz.mlmq.filter.FilterException;
import ch.ethz.mlmq.storage.topic.Subscriptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Cache of the subscriptions of topics, with their filters read. They may be out of date: a publish compares their
 * generation with the topic's in its own transaction, and loads them again if it has moved on. Used by many threads.
 */
public final class TopicDirectory {
    /** A generation before all others. */
    private static final long NEVER = -1;
    /** The part of the heap that the cache takes at most, beside the topic that was used last. */
    private static final int SHARE = 16;
    private static final String LOAD = "SELECT t.generation, t.subscriptions, s.queue_id, s.client_id, s.filter "
            + "FROM topic t LEFT JOIN subscription s ON s.topic_id = t.id AND s.generation > ? WHERE t.id = ?";

    private final Map<Integer, Subscriptions> topics = new LinkedHashMap<>(16, 0.75f, true);
    private final long maxBytes;
    private long bytes;

    public TopicDirectory() {
        this(Runtime.getRuntime().maxMemory() / SHARE);
    }

    TopicDirectory(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** @return what is known of the topic, or null */
    public synchronized Subscriptions known(int topic) {
        return topics.get(topic);
    }

    /** Forgets a deleted topic. */
    synchronized void forget(int topic) {
        Subscriptions forgotten = topics.remove(topic);
        bytes -= forgotten == null ? 0 : forgotten.bytes();
    }

    /**
     * Loads the subscriptions that came since the known ones; all of them if one of those has ended.
     *
     * @return null if there is no topic
     */
    public Subscriptions load(Connection connection, int topic) throws SQLException {
        Subscriptions before = known(topic);
        Subscriptions now = before == null ? null : loadSince(connection, topic, before);
        if (now == null) {
            now = read(connection, topic);
        }
        if (now == null) {
            forget(topic);
        } else {
            keep(topic, now);
        }
        return now;
    }

    /**
     * Reads all subscriptions in a transaction that may have changed them, and keeps nothing.
     *
     * @return null if there is no topic
     */
    Subscriptions read(Connection connection, int topic) throws SQLException {
        return loadSince(connection, topic, new Subscriptions(NEVER, List.of()));
    }

    /** @return null if there is no topic, or if a subscription of before has ended */
    private static Subscriptions loadSince(Connection connection, int topic, Subscriptions before)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(LOAD)) {
            statement.setLong(1, before.generation());
            statement.setInt(2, topic);
            try (ResultSet rows = statement.executeQuery()) {
                List<Subscriptions.Subscription> added = new ArrayList<>();
                long generation = NEVER;
                int size = 0;
                while (rows.next()) {
                    generation = rows.getLong(1);
                    size = rows.getInt(2);
                    if (rows.getInt(3) != 0) {
                        added.add(new Subscriptions.Subscription(rows.getInt(3), rows.getInt(4),
                                filter(rows.getString(5))));
                    }
                }
                return generation == NEVER || before.size() + added.size() != size ? null
                        : before.and(generation, added);
            }
        }
    }

    private static Filter filter(String text) throws SQLException {
        try {
            return Filter.parse(text);
        } catch (FilterException e) {
            throw new SQLException("a subscription has a filter that this broker cannot read: " + e.getMessage(), e);
        }
    }

    private synchronized void keep(int topic, Subscriptions now) {
        forget(topic);
        topics.put(topic, now);
        bytes += now.bytes();
        for (Iterator<Subscriptions> eldest = topics.values().iterator(); bytes > maxBytes && topics.size() > 1;) {
            bytes -= eldest.next().bytes();
            eldest.remove();
        }
    }
}
