package ch.ethz.mlmq.storage;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.storage.access.Accounts;
import ch.ethz.mlmq.storage.access.Grant;
import ch.ethz.mlmq.storage.access.Owned;
import ch.ethz.mlmq.storage.limit.LimitCounters;
import java.util.Collection;
import java.util.List;

/** Stores queues, messages and sessions of a broker. Used by many threads. */
public interface Storage extends AutoCloseable {
    /**
     * Executes calls, and gives each its response after its effects are durable. A call that fails gets a failure as
     * its response, and does not undo the others. Failures of a client or of the database throw nothing.
     *
     * @param calls in order of arrival
     */
    void execute(List<Call> calls);

    /**
     * Executes calls as {@link #execute(List)} does, and with them calls that wait for a message that these store.
     *
     * @param waiting asked for each queue that gets a message
     */
    default void execute(List<Call> calls, WaitingCalls waiting) {
        execute(calls);
    }

    /**
     * Executes calls that may take long or wait for others, separately from those of {@link #execute}. Called by one
     * thread for each separate route.
     */
    default void executeApart(List<Call> calls) {
        execute(calls);
    }

    /**
     * Ends these sessions; later sessions of the same clients stay.
     *
     * @throws StorageException if that is not possible now
     */
    void offline(Collection<Session> sessions) throws StorageException;

    /**
     * Ends these sessions, whose clients do not come back to them: temporary clients are removed soon.
     *
     * @throws StorageException if that is not possible now
     */
    default void goodbye(Collection<Session> sessions) throws StorageException {
        offline(sessions);
    }

    /**
     * Requeues messages that were taken and not delivered, with one delivery less. Called by one thread.
     *
     * @throws StorageException if that is not possible now; call it again with the same messages
     */
    void requeue(Collection<Message> messages) throws StorageException;

    /**
     * Sets the listeners. Called once, before any call is executed.
     *
     * @param arrivals is notified of messages
     * @param expelled runs when other brokers consider this one dead: its clients are no longer online here
     * @param returned is notified of a client that is at another broker and waits for the end of its session here
     */
    void tell(Arrivals arrivals, Runnable expelled, Returned returned);

    /** @return background tasks, each for a thread of its own */
    List<Agent> agents();

    /** State of the connection to the database, for the broker's status. */
    enum Reach {
        /** The database answered the last time. */
        OK,
        /** The database did not answer the last time. */
        AWAY,
        /** There is no database. */
        NONE
    }

    /** @return state of the connection to the database */
    default Reach reach() {
        return Reach.NONE;
    }

    /** @return the users; null if it keeps none, or none are needed */
    default Accounts accounts() {
        return null;
    }

    /**
     * Finds the facts that decide who may use a queue or a client.
     *
     * @return null if there is no such object
     * @throws StorageException if that is not known now
     */
    default Owned owned(Grant.Kind kind, int id) throws StorageException {
        return null;
    }

    /** @return true if {@link #owned} answers from memory */
    default boolean isOwnerKnown(Grant.Kind kind, int id) {
        return true;
    }

    /**
     * Finds a topic, or a queue as statements name it.
     *
     * @return its id; 0 if there is none
     * @throws StorageException if that is not known now
     */
    default int named(Grant.Kind kind, String name) throws StorageException {
        return 0;
    }

    /** @return what limits of queues did */
    default LimitCounters limitCounters() {
        return new LimitCounters();
    }

    /** @return state of the connection pool, for the broker's status */
    default PoolState pool() {
        return new PoolState(0, 0, 0);
    }

    @Override
    void close();

    /** Is notified of a client that wants to be online at another broker. */
    @FunctionalInterface
    interface Returned {
        /**
         * @param client  id
         * @param session number in the database; a session unknown to this broker has ended
         * @param over    true if the session must end, because the client has shown its token
         */
        void elsewhere(int client, long session, boolean over);
    }

    /**
     * The session of a client that is online.
     *
     * @param client id
     * @param number of this session, unique over all brokers
     */
    record Session(int client, long number) {
    }

    /**
     * State of the connection pool.
     *
     * @param busy    connections in use
     * @param total   open connections
     * @param waiting threads that wait for a connection
     */
    record PoolState(int busy, int total, int waiting) {
    }
}
