package ch.ethz.mlmq.broker.waiting;

import ch.ethz.mlmq.broker.request.ClientConnection;
import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.broker.request.Route;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Waiting requests of a client, over all lines. Guarded by the waiting room's lock. */
final class ClientWaiters {
    private static final Places NONE = new Places(0, 0);

    /** Requests that are being executed and may have to wait. */
    int looking;
    /** Number of arrivals for the client. */
    long arrivals;
    private final Set<Exchange> waiters = new LinkedHashSet<>();
    /** Requests of each of its connections. There are two for a moment after one was lost, otherwise one. */
    private final Map<ClientConnection, Places> places = new HashMap<>(2);

    /**
     * Numbers of a connection's waiting requests.
     *
     * @param all      requests
     * @param searches those of them that look for a sender
     */
    record Places(int all, int searches) {
        private Places plus(Exchange exchange, int count) {
            return new Places(all + count, searches + (exchange.route() == Route.SEARCHES ? count : 0));
        }
    }

    Set<Exchange> waiters() {
        return waiters;
    }

    List<Exchange> of(ClientConnection connection) {
        return waiters.stream().filter(one -> one.connection() == connection).toList();
    }

    Places places(ClientConnection connection) {
        return places.getOrDefault(connection, NONE);
    }

    boolean isDeserted() {
        return looking == 0 && waiters.isEmpty();
    }

    void add(Exchange exchange) {
        waiters.add(exchange);
        places.put(exchange.connection(), places(exchange.connection()).plus(exchange, 1));
    }

    void remove(Exchange exchange) {
        waiters.remove(exchange);
        Places left = places(exchange.connection()).plus(exchange, -1);
        if (left.all == 0) {
            places.remove(exchange.connection());
        } else {
            places.put(exchange.connection(), left);
        }
    }
}
