package ch.ethz.mlmq.broker;

import java.util.ArrayList;
import java.util.List;

/** What a worker has taken from the request queue: filled, executed and given back again and again. */
final class RequestBatch {
    final List<Exchange> exchanges = new ArrayList<>();
    final List<ClientConnection> connections = new ArrayList<>();

    void clear() {
        exchanges.clear();
        connections.clear();
    }
}
