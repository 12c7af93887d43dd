package ch.ethz.mlmq.storage;

import java.util.Set;

/** Is told of messages that can be taken from now on, so that nobody waits for them in vain. Used by many threads. */
public interface Arrivals {
    /** The key of those who wait for a message of any queue. */
    long ANY = 0;
    /** Keys from here on are those of clients. */
    long FIRST_CLIENT = 1L << 40;

    /** Nobody waits. */
    Arrivals IGNORED = new Arrivals() {
        @Override
        public void arrived(int queue, int receiver, long context) {
            // Nobody waits.
        }

        @Override
        public void signal(long key) {
            // Nobody waits.
        }

        @Override
        public Set<Long> awaited() {
            return Set.of();
        }
    };

    /**
     * A message can be taken; called after it is durable.
     *
     * @param queue    id of the queue it lies in
     * @param receiver id of the client that alone may take it, or 0 for anybody
     * @param context  it carries, or 0
     */
    void arrived(int queue, int receiver, long context);

    /** There may be something for those who wait under this key. */
    void signal(long key);

    /** @return keys under which somebody waits */
    Set<Long> awaited();

    /** The key of those who wait for a message of this queue. */
    static long queueKey(int queue) {
        return queue;
    }

    /** The key of those who wait for a message with this context, of whatever queue. */
    static long contextKey(long context) {
        return -context;
    }

    /** The key of this client, for whom there may be something wherever it waits. */
    static long clientKey(int client) {
        return FIRST_CLIENT + client;
    }

    /** @return id of the client whose key it is, or 0 where it is that of a queue, a context or any */
    static int clientOf(long key) {
        return key < FIRST_CLIENT ? 0 : (int) (key - FIRST_CLIENT);
    }
}
