package ch.ethz.mlmq.storage.postgresql.membership;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.log.Every;
import ch.ethz.mlmq.log.Outage;
import ch.ethz.mlmq.storage.Arrivals;
import ch.ethz.mlmq.storage.Storage;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import ch.ethz.mlmq.storage.postgresql.connection.OwnConnection;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Notifies brokers of one database of messages that clients of another one wait for, by LISTEN and NOTIFY.
 *
 * <p>A broker with waiting clients announces what they wait for. The others remember it for a while, and send a hint
 * when such a message arrives. Both are collected and sent now and then on a connection of its own: NOTIFY takes a lock
 * for the whole database, so it must not be part of transactions that store messages. Hints may be lost. A message that
 * arrived elsewhere before the announcement is found by a second look a little later, and any other lost hint by the
 * slow poll.
 */
public final class Hints implements Agent, Arrivals {
    private static final Logger LOG = Logger.getLogger(Hints.class.getName());
    /** The channel of NOTIFY. */
    public static final String CHANNEL = "mlmq_hint";
    private static final char WAITING = 'w';
    private static final char ARRIVED = 'a';
    /** Sent by open_session: a client has registered at another broker. */
    private static final char RETURNED = 'r';
    /** Sent by open_session: a client claims a name whose session the other broker may not know. */
    private static final char QUESTIONED = 'q';
    private static final int BUSY_POLL_MILLIS = 10;
    private static final int IDLE_POLL_MILLIS = 100;
    private static final long ANNOUNCE_NANOS = 5_000_000_000L;
    private static final long REMEMBER_NANOS = 3 * ANNOUNCE_NANOS;
    private static final long SECOND_LOOK_NANOS = 300_000_000L;
    private static final int KEYS_OF_A_HINT = 300;
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final DatabaseAddress address;
    private final BrokerIdentity identity;
    private final OwnConnection connection;
    /** Keys that clients of other brokers wait for, with the time until which to remember them [ns]. */
    private final Map<Long, Long> remote = new ConcurrentHashMap<>();
    private final Set<Long> toTell = ConcurrentHashMap.newKeySet();
    private final Map<Long, Long> announced = new HashMap<>();
    private final Map<Long, Long> secondLooks = new HashMap<>();
    private final Outage outage = new Outage(LOG, "notifying other brokers of messages");
    /** Probes the connection, because a broken connection is not noticed by listening only. */
    private final Every probe = Every.after(Duration.ofSeconds(5));
    private volatile Arrivals local = Arrivals.IGNORED;
    private volatile Storage.Returned returned = (client, session, over) -> { };

    /** @param identity of the broker that sends and receives hints */
    public Hints(DatabaseAddress address, BrokerIdentity identity) {
        this.identity = identity;
        this.address = address;
        this.connection = new OwnConnection(address, LIMIT, "LISTEN " + CHANNEL);
    }

    /** @param waiters waiting requests of this broker */
    public void tell(Arrivals waiters, Storage.Returned whoIsBack) {
        local = waiters;
        returned = whoIsBack;
    }

    @Override
    public void arrived(int queue, int receiver, long context) {
        local.arrived(queue, receiver, context);
        if (!remote.isEmpty()) {
            if (receiver == 0) {
                tellOthers(Arrivals.queueKey(queue));
                tellOthers(ANY);
            } else {
                tellOthers(Arrivals.clientKey(receiver));
            }
            if (context != 0) {
                tellOthers(Arrivals.contextKey(context));
            }
        }
    }

    @Override
    public void signal(long key) {
        local.signal(key);
    }

    @Override
    public Set<Long> awaited() {
        return local.awaited();
    }

    @Override
    public String roleName() {
        return "hints";
    }

    @Override
    public int doWork() {
        try {
            Set<Long> awaited = local.awaited();
            connection.work(open -> {
                announce(open, awaited);
                tell(open);
                probe(open);
                receive(open, awaited.isEmpty() && remote.isEmpty() ? IDLE_POLL_MILLIS : BUSY_POLL_MILLIS);
                return null;
            });
            lookAgain();
            outage.worked();
            return 1;
        } catch (SQLException e) {
            outage.failed(address.unusable(e).getMessage(), e);
            return 0;
        }
    }

    private void probe(Connection open) throws SQLException {
        if (probe.isDue(System.nanoTime())) {
            try (Statement statement = open.createStatement()) {
                statement.execute("SELECT 1");
            }
        }
    }

    @Override
    public void onClose() {
        connection.close();
    }

    private void tellOthers(long key) {
        if (remote.containsKey(key)) {
            toTell.add(key);
        }
    }

    private void announce(Connection open, Set<Long> awaited) throws SQLException {
        long now = System.nanoTime();
        // A request that is executed again does not wait meanwhile, so keys of queues and clients stay for a while. Few
        // requests wait for the same context, and there are many contexts.
        announced.entrySet().removeIf(one -> !awaited.contains(one.getKey())
                && (one.getKey() < 0 || now - one.getValue() > 2 * ANNOUNCE_NANOS));
        Set<Long> fresh = awaited.stream().filter(key -> !announced.containsKey(key)
                || now - announced.get(key) > ANNOUNCE_NANOS).collect(Collectors.toSet());
        send(open, WAITING, fresh);
        for (long key : fresh) {
            if (announced.put(key, now) == null) {
                secondLooks.put(key, now + SECOND_LOOK_NANOS);
            }
        }
    }

    private void tell(Connection open) throws SQLException {
        Set<Long> keys = new HashSet<>(toTell);
        toTell.removeAll(keys);
        send(open, ARRIVED, keys);
    }

    private void send(Connection open, char kind, Set<Long> keys) throws SQLException {
        Iterator<Long> rest = keys.iterator();
        while (rest.hasNext()) {
            StringBuilder payload = new StringBuilder().append(kind).append(' ').append(identity.id());
            for (int i = 0; i < KEYS_OF_A_HINT && rest.hasNext(); i++) {
                payload.append(' ').append(rest.next());
            }
            try (PreparedStatement statement = open.prepareStatement("SELECT pg_notify(?, ?)")) {
                statement.setString(1, CHANNEL);
                statement.setString(2, payload.toString());
                statement.execute();
            }
        }
    }

    private void receive(Connection open, int timeoutMillis) throws SQLException {
        PGNotification[] notifications = open.unwrap(PGConnection.class).getNotifications(timeoutMillis);
        if (notifications != null) {
            for (PGNotification notification : notifications) {
                received(notification.getParameter().split(" "));
            }
        }
        long now = System.nanoTime();
        remote.values().removeIf(until -> now - until > 0);
    }

    private void received(String[] words) {
        if (Integer.parseInt(words[1]) == identity.id()) {
            return;
        }
        char kind = words[0].charAt(0);
        if (kind == RETURNED || kind == QUESTIONED) {
            if (Integer.parseInt(words[4]) == identity.id()) {
                returned.elsewhere(Integer.parseInt(words[2]), Long.parseLong(words[3]), kind == RETURNED);
            }
            return;
        }
        long until = System.nanoTime() + REMEMBER_NANOS;
        for (int i = 2; i < words.length; i++) {
            long key = Long.parseLong(words[i]);
            if (kind == ARRIVED) {
                local.signal(key);
            } else {
                remote.put(key, until);
            }
        }
    }

    private void lookAgain() {
        long now = System.nanoTime();
        for (Iterator<Map.Entry<Long, Long>> i = secondLooks.entrySet().iterator(); i.hasNext();) {
            Map.Entry<Long, Long> look = i.next();
            if (now - look.getValue() > 0) {
                i.remove();
                local.signal(look.getKey());
            }
        }
    }
}
