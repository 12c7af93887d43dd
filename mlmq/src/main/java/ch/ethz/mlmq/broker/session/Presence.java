package ch.ethz.mlmq.broker.session;

import ch.ethz.mlmq.broker.request.ClientConnection;
import ch.ethz.mlmq.broker.request.Unconfirmed;
import ch.ethz.mlmq.broker.waiting.WaitingRoom;
import ch.ethz.mlmq.storage.Storage;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Which connection of this broker is which client: a name belongs to one at a time. */
public final class Presence {
    private final Map<String, ClientConnection> names = new ConcurrentHashMap<>();
    private final LeftBehind leftBehind = new LeftBehind();
    private final WaitingRoom waitingRoom;

    /** @param waitingRoom which those leave who are sent away */
    public Presence(WaitingRoom waitingRoom) {
        this.waitingRoom = waitingRoom;
    }

    /** @return whether the name is the connection's now */
    boolean claim(String name, ClientConnection connection) {
        ClientConnection holder = names.putIfAbsent(name, connection);
        return holder == null || holder == connection
                || !holder.link().isOpen() && names.replace(name, holder, connection);
    }

    /**
     * The client has lost its connection without this broker having noticed, and is back.
     *
     * @param token that it got with the lost one, or 0
     * @return whether the name is the new connection's now; the lost one gets no message any more
     */
    boolean takeOver(String name, ClientConnection connection, long token) {
        ClientConnection holder = names.get(name);
        if (token == 0 || holder == null || holder.session().token() != token
                || !names.replace(name, holder, connection)) {
            return false;
        }
        sendAway(holder);
        return true;
    }

    /** The client is back at another broker. @return false where its session is not here */
    public boolean letGo(Storage.Session session) {
        for (ClientConnection holder : names.values()) {
            if (session.equals(holder.session().stored())) {
                sendAway(holder);
                return true;
            }
        }
        return false;
    }

    /** @return whether no connection has the session, nor can still get it */
    public boolean isUnknown(Storage.Session session) {
        return names.values().stream().noneMatch(holder -> holder.session().stored() == null && holder.link().isOpen()
                || session.equals(holder.session().stored()));
    }

    /** The connection is gone: its client may come back with its token and say what it did not get. */
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

    /** @return what is kept of the earlier connection of the same client that sent the request, or null */
    Unconfirmed leftBehind(ClientConnection connection, int request) {
        return connection.session().token() == 0 ? null : leftBehind.find(connection, request);
    }

    /** Those who have not come back by now are taken to have got everything. */
    void forgetLeftBehind(long now) {
        leftBehind.forget(now);
    }

    private void sendAway(ClientConnection holder) {
        holder.session().condemn();
        holder.session().serveNoMore();
        waitingRoom.forget(holder);
        leaveBehind(holder);
        holder.link().sendAway("its client has registered again, with its token");
    }

    /** The name is free, where it is this connection's. */
    public void release(String name, ClientConnection connection) {
        names.remove(name, connection);
    }
}
