package ch.ethz.mlmq.broker.request;

import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.storage.Lane;

/**
 * A client's connection in three parts: {@link Link} belongs to its I/O thread, {@link Backlog} to the request queue,
 * and {@link ClientSession} holds the client's identity and whether it is still served.
 */
public final class ClientConnection {
    /** Requests of the connection that wait in the request queue. */
    final Backlog backlog = new Backlog();
    private final Lane lane = new Lane();
    private final Link link;
    private final ClientSession session = new ClientSession();
    private final Response.Failure refusal;

    /** @param refusal what every request gets; null if the connection is served */
    public ClientConnection(Link link, Response.Failure refusal) {
        this.link = link;
        this.refusal = refusal;
    }

    /** @return the lane that keeps its requests in order */
    public Lane lane() {
        return lane;
    }

    /** @return the interface to its I/O thread */
    public Link link() {
        return link;
    }

    /** @return the session of its client */
    public ClientSession session() {
        return session;
    }

    /** @return true if every request gets the {@link #refusal} */
    public boolean isRefused() {
        return refusal != null;
    }

    /** @return what every request gets, after which the connection is closed; null if it is served */
    public Response.Failure refusal() {
        return refusal;
    }

    /** @return true if its requests are still executed */
    public boolean isServed() {
        return link.isOpen() && session.isServed();
    }

    /** @return true if its requests may wait for a message */
    public boolean mayWait() {
        return isServed() && session.isPatient();
    }
}
