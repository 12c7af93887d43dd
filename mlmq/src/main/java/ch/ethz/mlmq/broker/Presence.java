package ch.ethz.mlmq.broker;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Which connection of this broker is which client: a name belongs to one at a time. */
final class Presence {
    private final Map<String, ClientConnection> names = new ConcurrentHashMap<>();

    /** @return whether the name is the connection's now */
    boolean claim(String name, ClientConnection connection) {
        ClientConnection holder = names.putIfAbsent(name, connection);
        return holder == null || holder == connection
                || !holder.isOpen() && names.replace(name, holder, connection);
    }

    void release(String name, ClientConnection connection) {
        names.remove(name, connection);
    }
}
