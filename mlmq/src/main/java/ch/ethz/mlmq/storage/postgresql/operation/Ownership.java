package ch.ethz.mlmq.storage.postgresql.operation;

import ch.ethz.mlmq.storage.access.Grant;
import ch.ethz.mlmq.storage.access.Owned;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;

/** Finds out which user owns a queue or a client. Any thread may use it. */
public final class Ownership {
    private static final int CAPACITY = 50_000;
    /** A queue whose name ends in .dead may become one of dead letters, which belongs to the user of its source. */
    private static final String OF_QUEUE = "SELECT CASE WHEN q.dead AND q.name LIKE '%.dead' THEN left(q.name, -5) "
            + "ELSE q.name END, q.owner_id, "
            + "COALESCE(a.account, CASE WHEN q.dead THEN source.account ELSE made.account END, ''), "
            + "CASE WHEN q.owner_id = 0 THEN NOT q.dead AND q.name NOT LIKE '%.dead' ELSE a.account IS NOT NULL END "
            + "FROM queue q "
            + "LEFT JOIN client_account a ON a.client_id = q.owner_id "
            + "LEFT JOIN queue_account made ON made.queue_id = q.id "
            + "LEFT JOIN queue s ON q.dead AND s.owner_id = q.owner_id AND s.name = left(q.name, -5) AND NOT s.deleted "
            + "LEFT JOIN queue_account source ON source.queue_id = s.id WHERE q.id = ? AND NOT q.deleted";
    private static final String OF_CLIENT = "SELECT c.name, c.id, COALESCE(a.account, ''), a.account IS NOT NULL "
            + "FROM client c LEFT JOIN client_account a ON a.client_id = c.id WHERE c.id = ?";

    private static final String OF_TOPIC = "SELECT name, 0, account, true FROM topic WHERE id = ?";

    private final Map<Grant.Kind, BoundedCache<Owned>> caches = new EnumMap<>(Map.of(
            Grant.Kind.QUEUE, new BoundedCache<>(CAPACITY), Grant.Kind.CLIENT, new BoundedCache<>(CAPACITY),
            Grant.Kind.TOPIC, new BoundedCache<>(CAPACITY)));

    /** @return the facts if they are in memory, else null */
    public Owned cached(Grant.Kind kind, int id) {
        return caches.get(kind).get(id);
    }

    private static String sql(Grant.Kind kind) {
        return switch (kind) {
            case QUEUE -> OF_QUEUE;
            case TOPIC -> OF_TOPIC;
            default -> OF_CLIENT;
        };
    }

    /** @return the facts; null if there is no such object */
    public Owned load(Connection connection, Grant.Kind kind, int id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql(kind))) {
            statement.setInt(1, id);
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    return null;
                }
                Owned owned = new Owned(rows.getString(1), rows.getInt(2), rows.getString(3), rows.getBoolean(4));
                if (owned.isFinal()) {
                    caches.get(kind).put(id, owned);
                }
                return owned;
            }
        }
    }
}
