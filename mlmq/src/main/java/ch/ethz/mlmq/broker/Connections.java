package ch.ethz.mlmq.broker;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** All open connections of a broker, whichever I/O thread owns them. */
final class Connections {
    private final Set<ClientConnection> all = ConcurrentHashMap.newKeySet();

    void add(ClientConnection connection) {
        all.add(connection);
    }

    void remove(ClientConnection connection) {
        all.remove(connection);
    }

    /** @return the one that takes most memory, of those not chosen yet; null where none takes any */
    ClientConnection greediest(Predicate<ClientConnection> eligible) {
        ClientConnection greediest = null;
        long most = 0;
        for (ClientConnection connection : all) {
            long memory = connection.memory();
            if (memory > most && !connection.condemned && eligible.test(connection)) {
                greediest = connection;
                most = memory;
            }
        }
        return greediest;
    }
}
