package ch.ethz.mlmq.storage;

import java.util.Set;

/**
 * Is notified of messages that can be taken from now on, so that no waiting request misses one. Used by many threads.
 */
public interface Arrivals {
    /** The key of requests that wait for a message of any queue. */
    long ANY = 0;
    /** The smallest key of a client. */
    long FIRST_CLIENT = 1L << 40;

    /** Ignores arrivals, for no request waits. */
    Arrivals IGNORED = new Arrivals() {
        @Override
        public void arrived(int queue, int receiver, long context) {
            // No request waits.
        }

        @Override
        public void signal(long key) {
            // No request waits.
        }

        @Override
        public Set<Long> awaited() {
            return Set.of();
        }
    };

    /**
     * Reports a message that can be taken; called after it is durable.
     *
     * @param queue    id of its queue
     * @param receiver id of the only client that may take it, or 0 for any client
     * @param context  its context, or 0
     */
    void arrived(int queue, int receiver, long context);

    /** Reports that there may be a message for requests that wait under this key. */
    void signal(long key);

    /** @return keys under which requests wait */
    Set<Long> awaited();

    /** The key of requests that wait for a message of this queue. */
    static long queueKey(int queue) {
        return queue;
    }

    /** The key of requests that wait for a message with this context, in any queue. */
    static long contextKey(long context) {
        return -context;
    }

    /** The key of all waiting requests of this client. */
    static long clientKey(int client) {
        return FIRST_CLIENT + client;
    }

    /** @return id of the client of this key, or 0 if it is the key of a queue, a context or any */
    static int clientOf(long key) {
        return key < FIRST_CLIENT ? 0 : (int) (key - FIRST_CLIENT);
    }
}
