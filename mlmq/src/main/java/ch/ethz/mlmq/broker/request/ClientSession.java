package ch.ethz.mlmq.broker.request;

import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.storage.Storage;

/**
 * Who a connection's client is, and whether it is still served. Read by many threads.
 *
 * <p>It is registered by the worker that has the connection's requests, which is one at a time.
 */
public final class ClientSession {
    private volatile Storage.Session stored;
    private volatile String name;
    private volatile long token;
    private volatile Response.Registered registration;
    private volatile Unconfirmed unconfirmed;
    private volatile boolean served = true;
    private volatile boolean patient = true;
    private volatile boolean condemned;

    /** The client has registered. @param answer what it was told */
    public void registered(String newName, long newToken, Response.Registered answer, Storage.Session newSession) {
        name = newName;
        token = newToken;
        registration = answer;
        stored = newSession;
    }

    /** @return id of the client, or 0 where it has not registered */
    public int client() {
        Storage.Session current = stored;
        return current == null ? 0 : current.client();
    }

    /** @return as the storage knows it, or null where the client has not registered */
    public Storage.Session stored() {
        return stored;
    }

    /** @return name of the client, or null where it has not registered */
    public String name() {
        return name;
    }

    /** @return what takes its name over, or 0 where it has none */
    public long token() {
        return token;
    }

    /** @return what the client was told when it registered, or null */
    public Response.Registered registration() {
        return registration;
    }

    /** @return its deliveries that are not confirmed; null where nothing of the kind was agreed on */
    public Unconfirmed unconfirmed() {
        return unconfirmed;
    }

    /** Its client confirms deliveries from now on. */
    public void keep(Unconfirmed deliveries) {
        unconfirmed = deliveries;
    }

    /** Nothing more is executed for it, and none of its requests waits for a message: it leaves, or is sent away. */
    public void serveNoMore() {
        served = false;
    }

    boolean isServed() {
        return served;
    }

    /** None of its requests waits for a message any longer; those that do not are executed. */
    public void waitNoMore() {
        patient = false;
    }

    boolean isPatient() {
        return patient;
    }

    /** It was chosen to be sent away, perhaps by another thread: it gets no message any more. */
    public void condemn() {
        condemned = true;
    }

    /** @return whether it was chosen to be sent away */
    public boolean isCondemned() {
        return condemned;
    }
}
