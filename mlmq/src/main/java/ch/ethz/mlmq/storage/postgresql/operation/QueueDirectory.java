package ch.ethz.mlmq.storage.postgresql.operation;

import ch.ethz.mlmq.storage.postgresql.limit.LimitDirectory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * Cache of queues and clients, which saves lookups for each request. It keeps only facts that never change: the owner
 * of a queue, that it has messages with receivers, and the queue of a client. The statements themselves detect a
 * deleted queue.
 */
public final class QueueDirectory {
    private static final int CAPACITY = 50_000;

    private final BoundedCache<Entry> queues = new BoundedCache<>(CAPACITY);
    private final BoundedCache<Integer> clientQueues = new BoundedCache<>(CAPACITY);
    private final LimitDirectory limits = new LimitDirectory();

    /**
     * A queue.
     *
     * @param owner     id of the client that owns this personal queue, or 0
     * @param addressed true if it may hold messages with a receiver
     */
    public record Entry(int owner, boolean addressed) {
        /** @return true if the client may take messages from it */
        public boolean mayBeReadBy(int client) {
            return owner == 0 || owner == client;
        }
    }

    /** @return the limits of queues */
    public LimitDirectory limits() {
        return limits;
    }

    /** @return the queue, or null if it is not cached; it may exist all the same */
    public Entry queue(int id) {
        return queues.get(id);
    }

    /** @return id of the client that owns this personal queue, or 0 */
    public int ownerOf(int queue) {
        Entry entry = queues.get(queue);
        return entry == null ? 0 : entry.owner;
    }

    /** @return id of the client's personal queue, or 0 if it is not cached */
    public int queueOfClient(int client) {
        Integer queue = clientQueues.get(client);
        return queue == null ? 0 : queue;
    }

    /** @param owner id of the client that owns this personal queue, or 0 */
    public void learnQueue(int id, int owner, boolean addressed) {
        queues.put(id, new Entry(owner, addressed));
    }

    void learnClient(int client, int queue) {
        clientQueues.put(client, queue);
        queues.put(queue, new Entry(client, false));
    }

    /** Forgets a deleted queue. */
    public void forgetQueue(int id) {
        queues.remove(id);
    }

    /**
     * Loads queues from the database. Cached entries stay meanwhile, as other threads rely on them.
     *
     * @return ids of the queues that exist
     */
    public Set<Integer> loadQueues(Connection connection, Collection<Integer> ids) throws SQLException {
        Set<Integer> found = new HashSet<>();
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT id, owner_id, addressed FROM queue WHERE id = ANY (?) AND NOT deleted")) {
            statement.setObject(1, ids.stream().mapToInt(Integer::intValue).toArray());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    learnQueue(rows.getInt(1), rows.getInt(2), rows.getBoolean(3));
                    found.add(rows.getInt(1));
                }
            }
        }
        return found;
    }

    /** Loads clients from the database. @return ids of the clients that exist */
    public Set<Integer> loadClients(Connection connection, Collection<Integer> ids) throws SQLException {
        Set<Integer> found = new HashSet<>();
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT id, queue_id FROM client WHERE id = ANY (?)")) {
            statement.setObject(1, ids.stream().mapToInt(Integer::intValue).toArray());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    learnClient(rows.getInt(1), rows.getInt(2));
                    found.add(rows.getInt(1));
                }
            }
        }
        return found;
    }
}
