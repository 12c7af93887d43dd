package ch.ethz.mlmq.storage;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.protocol.Message;
import java.util.Collection;
import java.util.List;

/** Where a broker keeps queues, messages and who is online. Used by many threads. */
public interface Storage extends AutoCloseable {
    /**
     * Executes calls, and gives each its answer after what it did is durable. A call that fails gets a failure for an
     * answer and does not undo the others. Nothing is thrown for what a client or the database does.
     *
     * @param calls in order of arrival
     */
    void execute(List<Call> calls);

    /**
     * The same for calls that may take long, or wait for others: apart from those of {@link #execute}, so that these do
     * not wait. Called by a thread of each route apart.
     */
    default void executeApart(List<Call> calls) {
        execute(calls);
    }

    /**
     * These sessions are over; a later one of the same client is not touched.
     *
     * @throws StorageException where it could not be done now
     */
    void offline(Collection<Session> sessions) throws StorageException;

    /**
     * Puts back messages that were taken and not handed over to anybody, with one delivery less. Called by one thread.
     *
     * @throws StorageException where it could not be done now; to be called again with the same messages
     */
    void putBack(Collection<Message> messages) throws StorageException;

    /**
     * Says who is to be told what happens; called once, before any call is executed.
     *
     * @param arrivals of messages
     * @param expelled the others took this broker for dead: its clients are no longer online here
     * @param returned a client is back at another broker, and waits for the end of its session here
     */
    void tell(Arrivals arrivals, Runnable expelled, Returned returned);

    /** What has to be done besides, each by a thread of its own. */
    List<Agent> agents();

    /** Whether the database answers, for the status. */
    enum Reach {
        /** It answered when it was asked last. */
        OK,
        /** It did not. */
        AWAY,
        /** There is none. */
        NONE
    }

    /** @return whether the database answers */
    default Reach reach() {
        return Reach.NONE;
    }

    /** @return connections to the database that are busy and that there are, for the status */
    default PoolState pool() {
        return new PoolState(0, 0, 0);
    }

    @Override
    void close();

    /** Is told of a client that wants to be online at another broker. */
    @FunctionalInterface
    interface Returned {
        /**
         * @param client  id
         * @param session that the database knows; one that this broker does not know is over
         * @param over    whether it is to end: the client has shown its token
         */
        void elsewhere(int client, long session, boolean over);
    }

    /**
     * A client that is online.
     *
     * @param client id
     * @param number of this session, unique over all brokers
     */
    record Session(int client, long number) {
    }

    /**
     * The connection pool.
     *
     * @param busy    connections in use
     * @param total   connections there are
     * @param waiting threads that wait for one
     */
    record PoolState(int busy, int total, int waiting) {
    }
}
