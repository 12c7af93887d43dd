package ch.ethz.mlmq.storage.postgresql.membership;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.log.Every;
import ch.ethz.mlmq.log.Outage;
import ch.ethz.mlmq.protocol.wire.Software;
import ch.ethz.mlmq.storage.StorageException;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import ch.ethz.mlmq.storage.postgresql.connection.OwnConnection;
import ch.ethz.mlmq.storage.postgresql.schema.Schema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Keeps this broker registered as alive, and removes brokers that died, so that their clients can go to another one.
 *
 * <p>A broker increases its heartbeat once a second. Another broker removes it when its heartbeat has not changed for
 * {@link #DEAD_AFTER} looks, all answered by the database. So no clocks are compared, and an outage of the database
 * makes no broker dead. The removal first withdraws the broker's permission to have clients, then ends its sessions
 * with the database, which may hold locks, then frees its clients, some thousand at a time. A broker that finds itself
 * removed registers again as a new one, without clients.
 *
 * <p>A name belongs to one process at a time. A broker that starts and finds its name taken frees it if the process
 * that had it is gone, and refuses to start if that is alive.
 */
public final class Membership implements Agent {
    private static final Logger LOG = Logger.getLogger(Membership.class.getName());
    private static final int DEAD_AFTER = 7;
    /**
     * A heartbeat without an answer for so long is repeated on a new connection, well before this broker counts as
     * dead.
     */
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final Duration PERIOD = Duration.ofSeconds(1);
    /** Pause between two looks whether the process that has the name is gone. */
    private static final long LOOK_NANOS = 100_000_000;
    /** Consecutive looks without a session of the process; a live broker opens a new session if all were closed. */
    private static final int GONE_AFTER = 5;
    private static final int CHUNK = 5_000;
    private static final String NOT_REMOVED = "heartbeat >= 0";
    private static final String INSERT = "INSERT INTO broker (name, version, instance, address, tables) "
            + "VALUES (?, ?, ?, ?, " + Schema.VERSION + ") ON CONFLICT (name) DO NOTHING RETURNING id";
    /** Removes a broker's name and its permission to have clients, and requests a count of its clients' messages. */
    private static final String REMOVE = "WITH removed AS (UPDATE broker SET heartbeat = -1, "
            + "name = name || ' (removed as ' || id || ')' WHERE id = ? AND heartbeat = ? RETURNING id, instance), "
            + "needed AS (UPDATE recount SET needed = true FROM removed) SELECT instance FROM removed";
    private static final String FREE = "UPDATE client SET broker_id = NULL, seen_at = now() WHERE id = ANY (ARRAY("
            + "SELECT id FROM client WHERE broker_id = ? LIMIT " + CHUNK + " FOR UPDATE SKIP LOCKED))";
    private static final String END_SESSIONS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            + "WHERE datname = current_database() AND usename = current_user AND application_name = ?";
    /**
     * Finds the holder of a name. Sessions of another user's broker are invisible, so such a broker never counts as
     * gone.
     */
    private static final String HOLDER = "SELECT b.id, b.heartbeat, b.instance, b.address, b.started_at::text, "
            + "b.role = current_user AND b.instance <> '' AND NOT EXISTS (SELECT FROM pg_stat_activity a "
            + "WHERE a.datname = current_database() AND a.application_name = ? || b.instance) "
            + "FROM broker b WHERE b.name = ?";

    private final DatabaseAddress address;
    private final BrokerIdentity identity;
    private final OwnConnection connection;
    private final Outage outage = new Outage(LOG, "the heartbeat");
    private final Map<Integer, Sighting> others = new HashMap<>();
    private volatile Runnable expelled = () -> { };
    private final Every beat = Every.after(PERIOD);
    private volatile boolean reachable = true;
    /** Set while this broker has lost its place and does not have a new one. */
    private Claim claim;

    private record Sighting(long heartbeat, int looks) {
        Sighting next(long seen) {
            return seen == heartbeat ? new Sighting(heartbeat, looks + 1) : new Sighting(seen, 0);
        }
    }

    /** The broker that has the name. */
    private record Holder(int id, long heartbeat, String instance, String address, String since, boolean gone) {
    }

    /** @param identity of the broker, which gets its id here */
    public Membership(DatabaseAddress address, BrokerIdentity identity) {
        this.address = address;
        this.identity = identity;
        this.connection = new OwnConnection(address, LIMIT, "");
    }

    /** @param action run if other brokers consider this one dead */
    public void onExpelled(Runnable action) {
        expelled = action;
    }

    /** @return true if the database answered the last heartbeat; any thread may call this */
    public boolean isReachable() {
        return reachable;
    }

    /**
     * Registers the broker. Frees what a dead process of the same name has left; if its death cannot be seen, waits as
     * long as brokers do.
     *
     * @throws StorageException if another broker of that name is running
     */
    public void join() throws StorageException {
        try {
            Claim claim = new Claim();
            while (!connection.work(claim::step)) {
                if (claim.rival != null) {
                    throw new StorageException(claim.rival, null);
                }
                LockSupport.parkNanos(LOOK_NANOS);
            }
        } catch (SQLException e) {
            throw address.unusable(e);
        } finally {
            connection.close();
        }
    }

    /** A claim to the name, which watches the process that has it. */
    private final class Claim {
        private Holder first;
        private int gone;
        private long beganNanos;
        /** Description of the running process that has the name, or null. */
        private String rival;

        /** @return true if this broker has the name now */
        boolean step(Connection open) throws SQLException {
            if (enter(open)) {
                return true;
            }
            Holder now = holder(open);
            if (now != null && now.instance.equals(identity.instance())) {
                // The row was stored, and the database's response was lost.
                identity.become(now.id);
                return true;
            }
            if (now == null || first == null || now.id != first.id || now.heartbeat != first.heartbeat) {
                rival = now != null && first != null && now.id == first.id ? words(now) : null;
                first = now;
                gone = 0;
                beganNanos = System.nanoTime();
                return false;
            }
            rival = null;
            gone = now.gone ? gone + 1 : 0;
            if (gone >= GONE_AFTER || System.nanoTime() - beganNanos > DEAD_AFTER * PERIOD.toNanos()) {
                return remove(open, now.id, now.heartbeat) && freeAll(open, now.id) > 0 && enter(open);
            }
            return false;
        }

        private String words(Holder holder) {
            return "another running broker has the name " + identity.name() + ": it listens on " + holder.address
                    + ", since " + holder.since + ", process " + holder.instance
                    + ". Stop it, or set another broker.name here";
        }
    }

    /** Frees all clients at once, because those that reconnect to this broker cannot wait for the next heartbeats. */
    private static int freeAll(Connection open, int id) throws SQLException {
        while (free(open, id) == CHUNK) {
            LOG.fine("the clients of an earlier broker of this name are being freed");
        }
        return delete(open, id);
    }

    /** @return the holder of the name, or null if there is none */
    private Holder holder(Connection open) throws SQLException {
        try (PreparedStatement statement = open.prepareStatement(HOLDER)) {
            statement.setString(1, BrokerIdentity.applicationOf(""));
            statement.setString(2, identity.name());
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? new Holder(rows.getInt(1), rows.getLong(2), rows.getString(3), rows.getString(4),
                        rows.getString(5), rows.getBoolean(6)) : null;
            }
        }
    }

    /** @return false if the name is taken */
    private boolean enter(Connection open) throws SQLException {
        try (PreparedStatement insert = open.prepareStatement(INSERT)) {
            insert.setString(1, identity.name());
            insert.setString(2, Software.NAME);
            insert.setString(3, identity.instance());
            insert.setString(4, identity.address());
            try (ResultSet rows = insert.executeQuery()) {
                if (!rows.next()) {
                    return false;
                }
                identity.become(rows.getInt(1));
                return true;
            }
        }
    }

    /** Gives up the registration; this broker's clients are offline then. */
    public void leave() {
        try (OwnConnection last = new OwnConnection(address, LIMIT, "")) {
            last.work(open -> {
                free(open, identity.id());
                return delete(open, identity.id());
            });
        } catch (SQLException e) {
            LOG.log(Level.WARNING, e, () -> "could not release the broker's place in the database: " + e.getMessage());
        }
    }

    @Override
    public String roleName() {
        return "membership";
    }

    @Override
    public int doWork() {
        if (!beat.isDue(System.nanoTime())) {
            return 0;
        }
        try {
            if (claim == null && connection.work(this::beat) == 0) {
                LOG.warning(() -> "other brokers removed " + identity.name() + " as dead; its clients must register "
                        + "again");
                claim = new Claim();
                expelled.run();
            }
            if (claim != null && connection.work(claim::step)) {
                claim = null;
            }
            connection.work(this::look);
            reachable = claim == null;
            if (reachable) {
                outage.worked();
            } else {
                String rival = claim.rival;
                outage.failed(rival == null ? "an earlier process has the name " + identity.name() + "; this broker "
                        + "checks whether it still runs" : rival, null);
            }
        } catch (SQLException e) {
            reachable = false;
            outage.failed(address.unusable(e).getMessage(), e);
        }
        return 1;
    }

    @Override
    public void onClose() {
        connection.close();
    }

    private int beat(Connection open) throws SQLException {
        try (PreparedStatement statement = open.prepareStatement(
                "UPDATE broker SET heartbeat = heartbeat + 1 WHERE id = ? AND " + NOT_REMOVED)) {
            statement.setInt(1, identity.id());
            return statement.executeUpdate();
        }
    }

    private Void look(Connection open) throws SQLException {
        Map<Integer, Sighting> seen = new HashMap<>();
        List<Integer> removed = new ArrayList<>();
        try (PreparedStatement statement = open.prepareStatement("SELECT id, heartbeat FROM broker WHERE id <> ?")) {
            statement.setInt(1, identity.id());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    int id = rows.getInt(1);
                    long heartbeat = rows.getLong(2);
                    if (heartbeat < 0) {
                        removed.add(id);
                    } else {
                        seen.put(id, others.getOrDefault(id, new Sighting(heartbeat, -1)).next(heartbeat));
                    }
                }
            }
        }
        others.clear();
        others.putAll(seen);
        for (Map.Entry<Integer, Sighting> other : seen.entrySet()) {
            if (other.getValue().looks >= DEAD_AFTER && remove(open, other.getKey(), other.getValue().heartbeat)) {
                LOG.warning(() -> "broker " + other.getKey() + " sent no heartbeat for " + DEAD_AFTER
                        + " s; its clients are now offline");
                removed.add(other.getKey());
            }
        }
        for (int id : removed) {
            if (free(open, id) < CHUNK) {
                delete(open, id);
            }
        }
        return null;
    }

    /** @return false if its heartbeat changed after all, or another broker removed it */
    private boolean remove(Connection open, int id, long heartbeat) throws SQLException {
        String instance;
        try (PreparedStatement statement = open.prepareStatement(REMOVE)) {
            statement.setInt(1, id);
            statement.setLong(2, heartbeat);
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    return false;
                }
                instance = rows.getString(1);
            }
        }
        endSessions(open, instance);
        return true;
    }

    /**
     * Releases all locks of the broker. Without permission to end its sessions, locks stay until the sessions time out.
     */
    private static void endSessions(Connection open, String instance) {
        try (PreparedStatement statement = open.prepareStatement(END_SESSIONS)) {
            statement.setString(1, BrokerIdentity.applicationOf(instance));
            statement.execute();
        } catch (SQLException e) {
            LOG.log(Level.INFO, e, () -> "the sessions of a dead broker could not be ended: " + e.getMessage());
        }
    }

    private static int free(Connection open, int id) throws SQLException {
        return update(open, FREE, id);
    }

    private static int delete(Connection open, int id) throws SQLException {
        return update(open, "DELETE FROM broker WHERE id = ?", id);
    }

    private static int update(Connection open, String sql, int id) throws SQLException {
        try (PreparedStatement statement = open.prepareStatement(sql)) {
            statement.setInt(1, id);
            return statement.executeUpdate();
        }
    }
}
