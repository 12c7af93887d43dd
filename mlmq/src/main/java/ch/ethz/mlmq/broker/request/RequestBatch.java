package ch.ethz.mlmq.broker.request;

import java.util.ArrayList;
import java.util.List;

/** Requests that a worker has taken from the request queue; filled, executed and reused again and again. */
public final class RequestBatch {
    /** The requests, in order of arrival within each connection. */
    public final List<Exchange> exchanges = new ArrayList<>();
    /** The connections of the requests. */
    public final List<ClientConnection> connections = new ArrayList<>();

    /** Bytes that further requests or their responses may hold during execution. */
    long room;

    /** Clears the batch for reuse. */
    public void clear() {
        room = 0;
        exchanges.clear();
        connections.clear();
    }
}
