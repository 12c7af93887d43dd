package ch.ethz.mlmq.broker.session;

import ch.ethz.mlmq.broker.request.ClientConnection;
import ch.ethz.mlmq.broker.request.Unconfirmed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Unconfirmed deliveries of closed connections, until their clients have reconnected and cancelled or confirmed them.
 * Any thread may use it.
 */
final class LeftBehind {
    /** Time within which a client must reconnect. */
    private static final long KEPT_NANOS = 60_000_000_000L;
    /** Connections of one client that are kept at most. */
    private static final int MAX_CONNECTIONS = 16;

    private final Map<Client, List<Lost>> byClient = new HashMap<>();
    /** All lost connections, the earliest first. */
    private final Set<Lost> all = new LinkedHashSet<>();

    private record Client(String name, long token) {
    }

    private record Lost(Client client, Unconfirmed deliveries, long untilNanos) {
    }

    /** Keeps the deliveries of a connection that is closed or about to be. A second call for it has no effect. */
    synchronized void add(ClientConnection connection) {
        Unconfirmed deliveries = connection.session().unconfirmed();
        Client client = new Client(connection.session().name(), connection.session().token());
        List<Lost> earlier = byClient.getOrDefault(client, List.of());
        if (earlier.stream().anyMatch(lost -> lost.deliveries == deliveries)) {
            return;
        }
        if (!deliveries.stay()) {
            deliveries.clear();
            return;
        }
        if (earlier.size() == MAX_CONNECTIONS) {
            remove(earlier.get(0));
        }
        Lost lost = new Lost(client, deliveries, System.nanoTime() + KEPT_NANOS);
        byClient.computeIfAbsent(client, key -> new ArrayList<>(1)).add(lost);
        all.add(lost);
    }

    /** @return deliveries of the same client's earlier connection that sent the request, or null */
    synchronized Unconfirmed find(ClientConnection connection, int request) {
        Client client = new Client(connection.session().name(), connection.session().token());
        return byClient.getOrDefault(client, List.of()).stream().map(Lost::deliveries)
                .filter(deliveries -> deliveries.hasAsked(request)).findFirst().orElse(null);
    }

    /** Drops deliveries of clients that have not reconnected in time: they count as delivered. */
    synchronized void forget(long now) {
        while (!all.isEmpty() && now - all.iterator().next().untilNanos > 0) {
            remove(all.iterator().next());
        }
    }

    private void remove(Lost lost) {
        all.remove(lost);
        List<Lost> others = byClient.get(lost.client);
        others.remove(lost);
        if (others.isEmpty()) {
            byClient.remove(lost.client);
        }
        lost.deliveries.clear();
    }
}
