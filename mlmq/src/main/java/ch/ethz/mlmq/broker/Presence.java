package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.db.Storage;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Which connection of this broker is which client: a name belongs to one at a time. */
final class Presence {
    /** How long a client may take to come back. */
    private static final long LEFT_BEHIND_NANOS = 60_000_000_000L;

    private final Map<String, ClientConnection> names = new ConcurrentHashMap<>();
    /** What lost connections may have been sent in vain, by the name of their client. */
    private final Map<String, LeftBehind> leftBehind = new ConcurrentHashMap<>();
    private final WaitingRoom waitingRoom;

    private record LeftBehind(long token, Unconfirmed deliveries, long untilNanos) {
    }

    Presence(WaitingRoom waitingRoom) {
        this.waitingRoom = waitingRoom;
    }

    /** @return whether the name is the connection's now */
    boolean claim(String name, ClientConnection connection) {
        ClientConnection holder = names.putIfAbsent(name, connection);
        return holder == null || holder == connection
                || !holder.isOpen() && names.replace(name, holder, connection);
    }

    /**
     * The client has lost its connection without this broker having noticed, and is back.
     *
     * @param token that it got with the lost one, or 0
     * @return whether the name is the new connection's now; the lost one gets no message any more
     */
    boolean takeOver(String name, ClientConnection connection, long token) {
        ClientConnection holder = names.get(name);
        if (token == 0 || holder == null || holder.token() != token || !names.replace(name, holder, connection)) {
            return false;
        }
        sendAway(holder);
        return true;
    }

    /** The client is back at another broker. @return false where its session is not here */
    boolean letGo(Storage.Session session) {
        for (ClientConnection holder : names.values()) {
            if (session.equals(holder.session())) {
                sendAway(holder);
                return true;
            }
        }
        return false;
    }

    /** @return whether no connection has the session, nor can still get it */
    boolean isUnknown(Storage.Session session) {
        return names.values().stream().noneMatch(holder -> holder.session() == null && holder.isOpen()
                || session.equals(holder.session()));
    }

    /** The connection is gone: its client may come back with its token and say what it did not get. */
    void leaveBehind(ClientConnection connection) {
        Unconfirmed deliveries = connection.unconfirmed;
        if (deliveries == null) {
            return;
        }
        if (connection.token() == 0 || deliveries.isEmpty() || !deliveries.mayStay()) {
            deliveries.clear();
        } else {
            LeftBehind earlier = leftBehind.put(connection.name(),
                    new LeftBehind(connection.token(), deliveries, System.nanoTime() + LEFT_BEHIND_NANOS));
            if (earlier != null && earlier.deliveries != deliveries) {
                earlier.deliveries.clear();
            }
        }
    }

    /** @return a delivery to an earlier connection of the same client, which is not kept any more; or null */
    Exchange leftBehind(ClientConnection connection, int request) {
        LeftBehind left = connection.name() == null ? null : leftBehind.get(connection.name());
        return left == null || left.token != connection.token() ? null : left.deliveries.takeBack(request);
    }

    /** Those who have not come back by now are taken to have got everything. */
    void forgetLeftBehind(long now) {
        if (!leftBehind.isEmpty()) {
            leftBehind.values().removeIf(left -> {
                boolean over = now - left.untilNanos > 0;
                if (over) {
                    left.deliveries.clear();
                }
                return over;
            });
        }
    }

    private void sendAway(ClientConnection holder) {
        holder.serveNoMore();
        waitingRoom.forget(holder);
        holder.owner.run(() -> {
            leaveBehind(holder);
            holder.owner.sendAway(holder, "its client has registered again, with its token");
        });
    }

    void release(String name, ClientConnection connection) {
        names.remove(name, connection);
    }
}
