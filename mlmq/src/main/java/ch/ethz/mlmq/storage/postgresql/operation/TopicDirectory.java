package ch.ethz.mlmq.storage.postgresql.operation;

import ch.ethz.mlmq.filter.Filter;
import ch.ethz.mlmq.filter.FilterException;
import ch.ethz.mlmq.storage.access.AccountDirectory;
import ch.ethz.mlmq.storage.access.Accounts;
import ch.ethz.mlmq.storage.access.Grant;
import ch.ethz.mlmq.storage.access.Owned;
import ch.ethz.mlmq.storage.access.Right;
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
 * generation with the topic's in its own transaction, and loads them again if it has moved on. What was loaded before a
 * change of users is not used after it. Used by many threads.
 */
public final class TopicDirectory {
    /** A generation before all others. */
    private static final long NEVER = -1;
    private static final Subscriptions NONE = new Subscriptions(NEVER, List.of());
    /** The part of the heap that the cache takes at most, beside the topic that was used last. */
    private static final int SHARE = 16;
    private static final String LOAD = "SELECT t.generation, t.subscriptions, t.name, t.account, s.queue_id, "
            + "s.client_id, s.filter, COALESCE(q.account, c.account, '') FROM topic t "
            + "LEFT JOIN subscription s ON s.topic_id = t.id AND s.generation > ? "
            + "LEFT JOIN queue_account q ON q.queue_id = s.queue_id "
            + "LEFT JOIN client_account c ON c.client_id = s.client_id AND s.client_id <> 0 WHERE t.id = ?";

    private final Map<Integer, Known> topics = new LinkedHashMap<>(16, 0.75f, true);
    private final Accounts accounts;
    private final long maxBytes;
    private long bytes;

    /** @param users null without users */
    private record Known(Subscriptions subscriptions, AccountDirectory users) {
    }

    /** @param accounts null if the broker has no users */
    public TopicDirectory(Accounts accounts) {
        this(accounts, Runtime.getRuntime().maxMemory() / SHARE);
    }

    TopicDirectory(Accounts accounts, long maxBytes) {
        this.accounts = accounts;
        this.maxBytes = maxBytes;
    }

    /** @return what is known of the topic, or null */
    public synchronized Subscriptions known(int topic) {
        Known known = topics.get(topic);
        return known == null || known.users != users() ? null : known.subscriptions;
    }

    private AccountDirectory users() {
        return accounts == null ? null : accounts.current();
    }

    /** Forgets a deleted topic. */
    synchronized void forget(int topic) {
        Known forgotten = topics.remove(topic);
        bytes -= forgotten == null ? 0 : forgotten.subscriptions.bytes();
    }

    /**
     * Loads the subscriptions that came since the known ones; all of them if one of those has ended.
     *
     * @return null if there is no topic
     */
    public Subscriptions load(Connection connection, int topic) throws SQLException {
        AccountDirectory users = users();
        Subscriptions before = known(topic);
        Subscriptions now = before == null ? null : loadSince(connection, topic, before, users);
        if (now == null) {
            now = loadSince(connection, topic, NONE, users);
        }
        if (now == null) {
            forget(topic);
        } else {
            keep(topic, new Known(now, users));
        }
        return now;
    }

    /**
     * Reads all subscriptions in a transaction that may have changed them, and keeps nothing.
     *
     * @return null if there is no topic
     */
    Subscriptions read(Connection connection, int topic) throws SQLException {
        return loadSince(connection, topic, NONE, users());
    }

    /** @return null if there is no topic, or if a subscription of before has ended */
    private static Subscriptions loadSince(Connection connection, int topic, Subscriptions before,
            AccountDirectory users) throws SQLException {
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
                    if (rows.getInt(5) != 0) {
                        added.add(new Subscriptions.Subscription(rows.getInt(5), rows.getInt(6),
                                filter(rows.getString(7)), mayReceive(users, rows.getString(8), topic,
                                        new Owned(rows.getString(3), 0, rows.getString(4), true))));
                    }
                }
                return generation == NEVER || before.size() + added.size() != size ? null
                        : before.and(generation, added);
            }
        }
    }

    /** The subscription of a user that was removed goes on: others may have the right to take from its queue. */
    private static boolean mayReceive(AccountDirectory users, String user, int topic, Owned owned) {
        return users == null || users.account(user) == null
                || (users.rights(user).on(Grant.Kind.TOPIC, topic, owned) & Right.RECEIVE.bit()) != 0;
    }

    private static Filter filter(String text) throws SQLException {
        try {
            return Filter.parse(text);
        } catch (FilterException e) {
            throw new SQLException("a subscription has a filter that this broker cannot read: " + e.getMessage(), e);
        }
    }

    private synchronized void keep(int topic, Known now) {
        forget(topic);
        topics.put(topic, now);
        bytes += now.subscriptions.bytes();
        for (Iterator<Known> eldest = topics.values().iterator(); bytes > maxBytes && topics.size() > 1;) {
            bytes -= eldest.next().subscriptions.bytes();
            eldest.remove();
        }
    }
}
