package ch.ethz.mlmq.db;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.log.Every;
import ch.ethz.mlmq.log.Outage;
import ch.ethz.mlmq.protocol.wire.Software;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Keeps this broker among those that run, and removes those that died, so that their clients can go to another.
 *
 * <p>A broker counts its heartbeat up once a second. Whoever sees one stand still for {@link #DEAD_AFTER} looks of its
 * own, the database having answered each of them, removes that broker; no clocks are compared, and an outage of the
 * database makes nobody dead. A broker that finds itself removed comes back as a new one, without clients.
 */
final class Membership implements Agent {
    private static final Logger LOG = Logger.getLogger(Membership.class.getName());
    private static final int DEAD_AFTER = 7;
    /**
     * A heartbeat that is not answered is given up, and tried on a new connection, well before this broker is taken for
     * dead.
     */
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private final DatabaseAddress address;
    private final String name;
    private final BrokerIdentity identity;
    private final OwnConnection connection;
    private final Outage outage = new Outage(LOG, "the heartbeat");
    private final Map<Integer, Sighting> others = new HashMap<>();
    private volatile Runnable expelled = () -> { };
    private Runnable brokerDied = () -> { };
    private final Every beat = Every.after(Duration.ofSeconds(1));
    private volatile boolean reachable = true;

    private record Sighting(long heartbeat, int looks) {
        Sighting next(long seen) {
            return seen == heartbeat ? new Sighting(heartbeat, looks + 1) : new Sighting(seen, 0);
        }
    }

    Membership(DatabaseAddress address, String name, BrokerIdentity identity) {
        this.address = address;
        this.name = name;
        this.identity = identity;
        this.connection = new OwnConnection(address, LIMIT, "");
    }

    void onExpelled(Runnable action) {
        expelled = action;
    }

    /** @param action run by this agent's thread after it has removed a broker, or replaced one of its own name */
    void onBrokerDied(Runnable action) {
        brokerDied = action;
    }

    /** @return whether the database answered the last heartbeat; may be asked by any thread */
    boolean isReachable() {
        return reachable;
    }

    /** Takes a place among the brokers. What an earlier one of the same name left behind is freed. */
    void join() throws StorageException {
        try {
            enter();
        } catch (SQLException e) {
            throw address.unusable(e);
        } finally {
            connection.close();
        }
    }

    private void enter() throws SQLException {
        boolean replaced = connection.transact(open -> {
            try (PreparedStatement remove = open.prepareStatement("DELETE FROM broker WHERE name = ?");
                    PreparedStatement insert = open.prepareStatement(
                            "INSERT INTO broker (name, version) VALUES (?, ?) RETURNING id")) {
                remove.setString(1, name);
                insert.setString(1, name);
                insert.setString(2, Software.NAME);
                int removed = remove.executeUpdate();
                try (ResultSet rows = insert.executeQuery()) {
                    rows.next();
                    identity.become(rows.getInt(1));
                }
                return removed > 0;
            }
        });
        if (replaced) {
            brokerDied.run();
        }
    }

    /** Gives the place up; this broker's clients are offline then. */
    void leave() {
        try (OwnConnection last = new OwnConnection(address, LIMIT, "")) {
            last.work(open -> {
                try (PreparedStatement statement = open.prepareStatement("DELETE FROM broker WHERE id = ?")) {
                    statement.setInt(1, identity.id());
                    return statement.executeUpdate();
                }
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
            if (connection.work(this::beat) == 0) {
                LOG.warning(() -> "the other brokers took " + name + " for dead; its clients have to register again");
                expelled.run();
                enter();
            }
            connection.work(this::look);
            reachable = true;
            outage.worked();
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
                "UPDATE broker SET heartbeat = heartbeat + 1 WHERE id = ?")) {
            statement.setInt(1, identity.id());
            return statement.executeUpdate();
        }
    }

    private Void look(Connection open) throws SQLException {
        Map<Integer, Sighting> seen = new HashMap<>();
        try (PreparedStatement statement = open.prepareStatement("SELECT id, heartbeat FROM broker WHERE id <> ?")) {
            statement.setInt(1, identity.id());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    long heartbeat = rows.getLong(2);
                    seen.put(rows.getInt(1), others.getOrDefault(rows.getInt(1), new Sighting(heartbeat, -1))
                            .next(heartbeat));
                }
            }
        }
        others.clear();
        others.putAll(seen);
        for (Map.Entry<Integer, Sighting> other : seen.entrySet()) {
            if (other.getValue().looks >= DEAD_AFTER) {
                remove(open, other.getKey(), other.getValue().heartbeat);
            }
        }
        return null;
    }

    private void remove(Connection open, int id, long heartbeat) throws SQLException {
        try (PreparedStatement statement = open.prepareStatement(
                "DELETE FROM broker WHERE id = ? AND heartbeat = ?")) {
            statement.setInt(1, id);
            statement.setLong(2, heartbeat);
            if (statement.executeUpdate() == 1) {
                LOG.warning(() -> "broker " + id + " gave no sign of life for " + DEAD_AFTER
                        + " s; its clients are offline");
                brokerDied.run();
            }
        }
    }
}
