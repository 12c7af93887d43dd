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
 * What connections that are gone have asked for and may have been sent in vain, until their clients are back and say
 * so. Used by any thread.
 */
final class LeftBehind {
    /** How long a client may take to come back. */
    private static final long KEPT_NANOS = 60_000_000_000L;
    /** Of one client. */
    private static final int MAX_CONNECTIONS = 16;

    private final Map<Client, List<Lost>> byClient = new HashMap<>();
    /** The same, the one first that was lost first. */
    private final Set<Lost> all = new LinkedHashSet<>();

    private record Client(String name, long token) {
    }

    private record Lost(Client client, Unconfirmed deliveries, long untilNanos) {
    }

    /** The connection is gone, or about to be; may be told twice. */
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

    /** @return what is kept of the earlier connection of the same client that sent the request, or null */
    synchronized Unconfirmed find(ClientConnection connection, int request) {
        Client client = new Client(connection.session().name(), connection.session().token());
        return byClient.getOrDefault(client, List.of()).stream().map(Lost::deliveries)
                .filter(deliveries -> deliveries.hasAsked(request)).findFirst().orElse(null);
    }

    /** Those who have not come back by now are taken to have got everything. */
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
