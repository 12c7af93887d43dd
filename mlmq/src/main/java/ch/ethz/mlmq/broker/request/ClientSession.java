package ch.ethz.mlmq.broker.request;

import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.storage.Storage;
import ch.ethz.mlmq.storage.access.Account;

/**
 * The client of a connection, and whether it is still served. Read by many threads.
 *
 * <p>The worker that has the connection's requests registers it; only one worker has them at a time.
 */
public final class ClientSession {
    private volatile Storage.Session stored;
    private volatile String name;
    private volatile Account account;
    private volatile long token;
    private volatile Response.Registered registration;
    private volatile Unconfirmed unconfirmed;
    private volatile boolean served = true;
    private volatile boolean patient = true;
    private volatile boolean condemned;

    /** Registers the client. @param answer the response that it gets */
    public void registered(String newName, long newToken, Response.Registered answer, Storage.Session newSession) {
        name = newName;
        token = newToken;
        registration = answer;
        stored = newSession;
    }

    /** Makes it the session of a user. */
    public void signedIn(Account user) {
        account = user;
    }

    /** @return the user that has signed in; null if none has, or none has to */
    public Account account() {
        return account;
    }

    /** @return name of the user; empty if none has signed in */
    public String user() {
        Account current = account;
        return current == null ? "" : current.name();
    }

    /** @return id of the client, or 0 if it has not registered */
    public int client() {
        Storage.Session current = stored;
        return current == null ? 0 : current.client();
    }

    /** @return the client's session in the storage, or null if the client has not registered */
    public Storage.Session stored() {
        return stored;
    }

    /** @return name of the client, or null if it has not registered */
    public String name() {
        return name;
    }

    /** @return the token that takes over its name, or 0 if it has none */
    public long token() {
        return token;
    }

    /** @return the response to its registration, or null */
    public Response.Registered registration() {
        return registration;
    }

    /** @return its unconfirmed deliveries; null if the client has not agreed to confirm them */
    public Unconfirmed unconfirmed() {
        return unconfirmed;
    }

    /** Starts to keep unconfirmed deliveries: the client confirms them from now on. */
    public void keep(Unconfirmed deliveries) {
        unconfirmed = deliveries;
    }

    /** Stops executing its requests, and ends their waiting: it leaves, or its connection is closed. */
    public void serveNoMore() {
        served = false;
    }

    boolean isServed() {
        return served;
    }

    /** Ends the waiting of its requests; its other requests are still executed. */
    public void waitNoMore() {
        patient = false;
    }

    boolean isPatient() {
        return patient;
    }

    /** Marks it as chosen to be closed, perhaps by another thread: it gets no more messages. */
    public void condemn() {
        condemned = true;
    }

    /** @return true if it was chosen to be closed */
    public boolean isCondemned() {
        return condemned;
    }
}
