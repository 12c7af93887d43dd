package ch.ethz.mlmq.storage.postgresql.membership;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.log.Every;
import ch.ethz.mlmq.log.Outage;
import ch.ethz.mlmq.protocol.wire.Software;
import ch.ethz.mlmq.storage.StorageException;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import ch.ethz.mlmq.storage.postgresql.connection.OwnConnection;
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
 * Keeps this broker among those that run, and removes those that died, so that their clients can go to another.
 *
 * <p>A broker counts its heartbeat up once a second. Whoever sees one stand still for {@link #DEAD_AFTER} looks of its
 * own, the database having answered each of them, removes that broker; no clocks are compared, and an outage of the
 * database makes nobody dead. First it takes the broker's right to have clients away, then it ends its sessions with
 * the database, which may hold locks, then it frees its clients, some thousand at a time. A broker that finds itself
 * removed comes back as a new one, without clients.
 *
 * <p>A name belongs to one process at a time. A broker that starts and finds its name taken frees it where the process
 * that had it is gone, and refuses to start where that is alive.
 */
public final class Membership implements Agent {
    private static final Logger LOG = Logger.getLogger(Membership.class.getName());
    private static final int DEAD_AFTER = 7;
    /**
     * A heartbeat that is not answered is given up, and tried on a new connection, well before this broker is taken for
     * dead.
     */
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final Duration PERIOD = Duration.ofSeconds(1);
    /** Between two looks whether the process that has the name is gone. */
    private static final long LOOK_NANOS = 100_000_000;
    /** Looks in a row that see no session of it. A broker that lives opens another one where all were closed. */
    private static final int GONE_AFTER = 5;
    private static final int CHUNK = 5_000;
    private static final String NOT_REMOVED = "heartbeat >= 0";
    private static final String INSERT = "INSERT INTO broker (name, version, instance, address) VALUES (?, ?, ?, ?) "
            + "ON CONFLICT (name) DO NOTHING RETURNING id";
    /** Without its name and its right to have clients; its clients have to be counted as well. */
    private static final String REMOVE = "WITH removed AS (UPDATE broker SET heartbeat = -1, "
            + "name = name || ' (removed as ' || id || ')' WHERE id = ? AND heartbeat = ? RETURNING id, instance), "
            + "needed AS (UPDATE recount SET needed = true FROM removed) SELECT instance FROM removed";
    private static final String FREE = "UPDATE client SET broker_id = NULL, seen_at = now() WHERE id = ANY (ARRAY("
            + "SELECT id FROM client WHERE broker_id = ? LIMIT " + CHUNK + " FOR UPDATE SKIP LOCKED))";
    private static final String END_SESSIONS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            + "WHERE datname = current_database() AND usename = current_user AND application_name = ?";
    /** The sessions of another user's broker cannot be seen, so nothing can be said of it. */
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
    /** Where this broker has lost its place, and until it has one again. */
    private Claim claim;

    private record Sighting(long heartbeat, int looks) {
        Sighting next(long seen) {
            return seen == heartbeat ? new Sighting(heartbeat, looks + 1) : new Sighting(seen, 0);
        }
    }

    /** Who has the name. */
    private record Holder(int id, long heartbeat, String instance, String address, String since, boolean gone) {
    }

    /** @param identity of the broker, which gets its id here */
    public Membership(DatabaseAddress address, BrokerIdentity identity) {
        this.address = address;
        this.identity = identity;
        this.connection = new OwnConnection(address, LIMIT, "");
    }

    /** @param action run where the others took this broker for dead */
    public void onExpelled(Runnable action) {
        expelled = action;
    }

    /** @return whether the database answered the last heartbeat; may be asked by any thread */
    public boolean isReachable() {
        return reachable;
    }

    /**
     * Takes a place among the brokers. What a process that has had the name, and is gone, left behind is freed; where
     * nobody can tell this waits as long as brokers do.
     *
     * @throws StorageException where a broker of that name runs, too
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

    /** The name is wanted, and whoever has it is watched. */
    private final class Claim {
        private Holder first;
        private int gone;
        private long beganNanos;
        /** The process that has the name and runs, in words; or null. */
        private String rival;

        /** @return whether this broker has the name now */
        boolean step(Connection open) throws SQLException {
            if (enter(open)) {
                return true;
            }
            Holder now = holder(open);
            if (now != null && now.instance.equals(identity.instance())) {
                // It was stored, and the answer of the database was lost.
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
            return "another broker is called " + identity.name() + " and runs: it listens on " + holder.address
                    + ", since " + holder.since + ", process " + holder.instance
                    + ". Stop it, or give this one another name by broker.name";
        }
    }

    /** Its clients have come back to this broker, and cannot wait for the next heartbeats. */
    private static int freeAll(Connection open, int id) throws SQLException {
        while (free(open, id) == CHUNK) {
            LOG.fine("the clients of an earlier broker of this name are being freed");
        }
        return delete(open, id);
    }

    /** @return null where nobody has the name */
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

    /** @return false where the name is taken */
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

    /** Gives the place up; this broker's clients are offline then. */
    public void leave() {
        try (OwnConnection last = new OwnConnection(address, LIMIT, "")) {
            last.work(open -> {
                free(open, identity.id());
                return delete(open, identity.id());
            });
        } catch (SQLException e) {
            LOG.log(Level.WARNING, e, () -> "could not say goodbye to the database: " + e.getMessage());
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
                LOG.warning(() -> "the other brokers took " + identity.name()
                        + " for dead; its clients have to register again");
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
                outage.failed(rival == null ? "an earlier process has the name " + identity.name()
                        + ", and is watched whether it runs" : rival, null);
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
                LOG.warning(() -> "broker " + other.getKey() + " gave no sign of life for " + DEAD_AFTER
                        + " s; its clients are offline");
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

    /** @return false where it gave a sign of life after all, or another broker removed it */
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

    /** Whatever locks the broker holds are free then. Where this is not allowed they are when its sessions time out. */
    private static void endSessions(Connection open, String instance) {
        try (PreparedStatement statement = open.prepareStatement(END_SESSIONS)) {
            statement.setString(1, BrokerIdentity.applicationOf(instance));
            statement.execute();
        } catch (SQLException e) {
            LOG.log(Level.INFO, e, () -> "the sessions of a broker that died could not be ended: " + e.getMessage());
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
