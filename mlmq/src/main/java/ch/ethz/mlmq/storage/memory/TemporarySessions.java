package ch.ethz.mlmq.storage.memory;

import ch.ethz.mlmq.storage.Storage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sessions of clients, and when what ends with those that have gone is removed; used under the storage's lock. */
final class TemporarySessions {
    private final Map<Integer, Long> current = new HashMap<>();
    private final Map<Integer, Long> dueMillis = new HashMap<>();
    private long last;

    /** @param own personal queue of the client */
    Storage.Session opened(MemoryQueue own) {
        Storage.Session session = new Storage.Session(own.owner, ++last);
        current.put(own.owner, session.number());
        dueMillis.remove(own.owner);
        return session;
    }

    /**
     * Ends the session.
     *
     * @param removalMillis when what ends with the client is to be removed [ms]
     * @return false if the client has a later session
     */
    boolean gone(Storage.Session session, long removalMillis) {
        boolean ends = current.getOrDefault(session.client(), 0L) == session.number();
        if (ends) {
            dueMillis.merge(session.client(), removalMillis, Math::min);
        }
        return ends;
    }

    /** @return ids of clients that have been gone for long enough */
    List<Integer> due(long nowMillis) {
        return dueMillis.entrySet().stream().filter(due -> due.getValue() <= nowMillis).map(Map.Entry::getKey).toList();
    }

    void removed(int client) {
        current.remove(client);
        dueMillis.remove(client);
    }
}
