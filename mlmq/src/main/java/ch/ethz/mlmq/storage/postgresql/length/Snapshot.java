package ch.ethz.mlmq.storage.postgresql.length;

import java.util.HashSet;
import java.util.Set;

/**
 * The transactions that a statement sees, in the form of PostgreSQL's type {@code pg_snapshot}:
 * {@code xmin:xmax:xip,…}.
 *
 * @param oldest  transactions before this one have ended
 * @param next    this one and later ones had not begun
 * @param running transactions between them that had not ended
 */
record Snapshot(long oldest, long next, Set<Long> running) {
    /** A snapshot that sees no transaction. */
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

    /** @return true if it sees the changes of the transaction, which has been committed by now */
    boolean sees(long transaction) {
        return transaction < oldest || transaction < next && !running.contains(transaction);
    }

    /** @return true if it sees all of the transactions of this range, or none of them */
    boolean seesAllOrNone(long first, long last) {
        return last < oldest || first >= next || first == last;
    }
}
