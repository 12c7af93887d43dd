package ch.ethz.mlmq.storage.memory;

import ch.ethz.mlmq.storage.Storage;
import ch.ethz.mlmq.storage.TemporaryClients;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sessions of temporary clients, and when those that have gone are to be removed; used under the storage's lock. */
final class TemporarySessions {
    private final Map<Integer, Long> current = new HashMap<>();
    private final Map<Integer, Long> dueMillis = new HashMap<>();
    private long last;

    /** @param own personal queue of the client */
    Storage.Session opened(MemoryQueue own) {
        Storage.Session session = new Storage.Session(own.owner, ++last);
        if (TemporaryClients.isNameOf(own.name)) {
            current.put(own.owner, session.number());
            dueMillis.remove(own.owner);
        }
        return session;
    }

    /** Ends the session, unless the client has a later one. @param removalMillis when it is to be removed [ms] */
    void gone(Storage.Session session, long removalMillis) {
        if (current.getOrDefault(session.client(), 0L) == session.number()) {
            dueMillis.merge(session.client(), removalMillis, Math::min);
        }
    }

    /** @return ids of clients that are to be removed by now */
    List<Integer> due(long nowMillis) {
        return dueMillis.entrySet().stream().filter(due -> due.getValue() <= nowMillis).map(Map.Entry::getKey).toList();
    }

    void removed(int client) {
        current.remove(client);
        dueMillis.remove(client);
    }
}
