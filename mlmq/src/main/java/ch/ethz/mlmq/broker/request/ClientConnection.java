package ch.ethz.mlmq.broker.request;

import ch.ethz.mlmq.storage.Lane;

/**
 * A client's connection, in three parts with one owner each: {@link Link} is its I/O thread's, {@link Backlog} the
 * request queue's, {@link ClientSession} says who the client is and whether it is still served.
 */
public final class ClientConnection {
    /** What waits of it in the request queue. */
    final Backlog backlog = new Backlog();
    private final Lane lane = new Lane();
    private final Link link;
    private final ClientSession session = new ClientSession();
    private final boolean refused;

    /** @param refused whether it is told BROKER_FULL whatever it asks */
    public ClientConnection(Link link, boolean refused) {
        this.link = link;
        this.refused = refused;
    }

    /** @return what keeps the order of its requests */
    public Lane lane() {
        return lane;
    }

    /** @return its I/O thread */
    public Link link() {
        return link;
    }

    /** @return who its client is */
    public ClientSession session() {
        return session;
    }

    /** @return whether it is told BROKER_FULL whatever it asks */
    public boolean isRefused() {
        return refused;
    }

    /** @return whether its requests are still to be executed */
    public boolean isServed() {
        return link.isOpen() && session.isServed();
    }

    /** @return whether its requests may wait for a message */
    public boolean mayWait() {
        return isServed() && session.isPatient();
    }
}
