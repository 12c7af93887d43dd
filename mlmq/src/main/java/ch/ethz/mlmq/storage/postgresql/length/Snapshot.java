package ch.ethz.mlmq.storage.postgresql.length;

import java.util.HashSet;
import java.util.Set;

/**
 * Which transactions a statement sees, as PostgreSQL's type {@code pg_snapshot} says it: {@code xmin:xmax:xip,…}.
 *
 * @param oldest  transactions before this one have ended
 * @param next    this one and those behind it had not begun
 * @param running those between that had not ended
 */
record Snapshot(long oldest, long next, Set<Long> running) {
    /** Sees no transaction. */
    static final Snapshot EMPTY = new Snapshot(1, 1, Set.of());

    /** @return null for null */
    static Snapshot parse(String text) {
        if (text == null) {
            return null;
        }
        String[] parts = text.split(":", -1);
        Set<Long> running = new HashSet<>();
        for (String id : parts[2].isEmpty() ? new String[0] : parts[2].split(",")) {
            running.add(Long.valueOf(id));
        }
        return new Snapshot(Long.parseLong(parts[0]), Long.parseLong(parts[1]), running);
    }

    /** @return whether it sees what the transaction, which has been committed by now, has done */
    boolean sees(long transaction) {
        return transaction < oldest || transaction < next && !running.contains(transaction);
    }

    /** @return whether it sees all of the transactions of this range, or none of them */
    boolean seesAllOrNone(long first, long last) {
        return last < oldest || first >= next || first == last;
    }
}
