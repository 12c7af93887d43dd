package ch.ethz.mlmq.broker.io;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** All open connections of a broker, over all I/O threads. */
public final class Connections {
    private final Set<SocketLink> all = ConcurrentHashMap.newKeySet();

    void add(SocketLink link) {
        all.add(link);
    }

    void remove(SocketLink link) {
        all.remove(link);
    }

    /** @return true if the user has a registered client of that name */
    boolean has(String user, String client) {
        return all.stream().map(link -> link.connection.session())
                .anyMatch(session -> client.equals(session.name()) && user.equals(session.user()));
    }

    /** @return the connection that uses most memory among those not chosen yet; null if none uses any */
    SocketLink greediest(Predicate<SocketLink> eligible) {
        SocketLink greediest = null;
        long most = 0;
        for (SocketLink link : all) {
            long memory = link.memory();
            if (memory > most && !link.connection.session().isCondemned() && eligible.test(link)) {
                greediest = link;
                most = memory;
            }
        }
        return greediest;
    }
}
