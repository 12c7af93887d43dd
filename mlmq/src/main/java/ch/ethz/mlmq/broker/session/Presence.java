package ch.ethz.mlmq.broker.session;

import ch.ethz.mlmq.broker.request.ClientConnection;
import ch.ethz.mlmq.broker.request.Unconfirmed;
import ch.ethz.mlmq.broker.waiting.WaitingRoom;
import ch.ethz.mlmq.storage.Storage;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connection of each client of this broker. A name belongs to one connection of a user at a time; the storage
 * decides between users.
 */
public final class Presence {
    private final Map<Name, ClientConnection> names = new ConcurrentHashMap<>();
    private final LeftBehind leftBehind = new LeftBehind();
    private final WaitingRoom waitingRoom;

    /** @param waitingRoom from which requests of replaced connections are removed */
    public Presence(WaitingRoom waitingRoom) {
        this.waitingRoom = waitingRoom;
    }

    /** A name of a user's clients, so that a user who claims another one's name is not in the way. */
    private record Name(String user, String name) {
        static Name of(String name, ClientConnection connection) {
            return new Name(connection.session().user(), name);
        }
    }

    /** @return true if the name belongs to the connection now */
    boolean claim(String name, ClientConnection connection) {
        Name key = Name.of(name, connection);
        ClientConnection holder = names.putIfAbsent(key, connection);
        return holder == null || holder == connection
                || !holder.link().isOpen() && names.replace(key, holder, connection);
    }

    /**
     * Takes over the name of a lost connection whose loss the broker has not noticed. A user takes over its own names
     * without a token, too. The connection that loses the name so has an old token then, and cannot take it back.
     *
     * @param token that the client got with the lost connection, or 0
     * @return true if the name belongs to the new connection now; the lost one gets no more messages
     */
    boolean takeOver(String name, ClientConnection connection, long token) {
        Name key = Name.of(name, connection);
        ClientConnection holder = names.get(key);
        if (holder == null || !(token == 0 ? !key.user.isEmpty() : holder.session().token() == token)
                || !names.replace(key, holder, connection)) {
            return false;
        }
        sendAway(holder);
        return true;
    }

    /** Ends a session whose client has registered at another broker. @return false if the session is not here */
    public boolean letGo(Storage.Session session) {
        for (ClientConnection holder : names.values()) {
            if (session.equals(holder.session().stored())) {
                sendAway(holder);
                return true;
            }
        }
        return false;
    }

    /** @return true if no connection has the session, or can still get it */
    public boolean isUnknown(Storage.Session session) {
        return names.values().stream().noneMatch(holder -> holder.session().stored() == null && holder.link().isOpen()
                || session.equals(holder.session().stored()));
    }

    /**
     * Keeps the unconfirmed deliveries of a closed connection, for its client may reconnect with its token and cancel
     * them.
     */
    void leaveBehind(ClientConnection connection) {
        Unconfirmed deliveries = connection.session().unconfirmed();
        if (deliveries == null) {
            return;
        }
        if (connection.session().token() == 0) {
            deliveries.clear();
        } else {
            leftBehind.add(connection);
        }
    }

    /** @return deliveries of the same client's earlier connection that sent the request, or null */
    Unconfirmed leftBehind(ClientConnection connection, int request) {
        return connection.session().token() == 0 ? null : leftBehind.find(connection, request);
    }

    /** Drops deliveries of clients that have not reconnected in time: they count as delivered. */
    void forgetLeftBehind(long now) {
        leftBehind.forget(now);
    }

    private void sendAway(ClientConnection holder) {
        holder.session().condemn();
        holder.session().serveNoMore();
        waitingRoom.forget(holder);
        leaveBehind(holder);
        holder.link().sendAway("its client has registered again");
    }

    /** Frees the name if it belongs to this connection. */
    public void release(String name, ClientConnection connection) {
        names.remove(Name.of(name, connection), connection);
    }
}
