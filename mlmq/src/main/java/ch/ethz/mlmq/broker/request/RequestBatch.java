package ch.ethz.mlmq.broker.request;

import java.util.ArrayList;
import java.util.List;

/** What a worker has taken from the request queue: filled, executed and given back again and again. */
public final class RequestBatch {
    /** In order of arrival within each connection. */
    public final List<Exchange> exchanges = new ArrayList<>();
    /** Those that the requests came by. */
    public final List<ClientConnection> connections = new ArrayList<>();

    /** It is given back, and filled again. */
    public void clear() {
        exchanges.clear();
        connections.clear();
    }
}
