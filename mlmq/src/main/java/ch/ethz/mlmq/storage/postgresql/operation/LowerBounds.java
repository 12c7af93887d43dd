package ch.ethz.mlmq.storage.postgresql.operation;

import ch.ethz.mlmq.protocol.Message;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Up to which id each queue is empty, priority by priority, so that a take need not walk over what was taken before.
 *
 * <p>PostgreSQL cannot clear away what was deleted as long as somebody holds an older snapshot, and whoever looks for
 * the first message of a queue walks over all of it. While that lasts takes begin behind a bound. A bound is verified,
 * not guessed: {@code BoundsKeeper} moves it when every transaction has ended that could still bring an id below it,
 * and when nothing lies below it. Only a message that comes back (put back, released, its lease run out) has an old id.
 * Whoever brings one back draws a number from the sequence {@code message_return} in the same transaction, and bounds
 * hold only as long as that stands where it stood when they were verified: the statements look, see {@code HotSql}.
 */
public final class LowerBounds {
    private static final int PRIORITIES = 10;

    private final Map<Integer, Progress> queues = new HashMap<>();
    private long generation;
    private volatile boolean tracked;
    private volatile boolean inUse;

    /** For each priority of a queue: the highest id that was taken, and the bound. */
    private static final class Progress {
        private final long[] taken = new long[PRIORITIES];
        private final long[] bounds = new long[PRIORITIES];
    }

    /**
     * Bounds as a statement needs them.
     *
     * @param generation where {@code message_return} has to stand
     * @param bounds     ten for each queue, of the priorities 1 to 10
     */
    public record Reading(long generation, long[] bounds) {
    }

    /**
     * A part of a queue's order.
     *
     * @param after id that it begins behind
     * @param upTo  id that it ends with
     */
    public record Range(int queue, int priority, long after, long upTo) {
        /** @return the same, from the queue's beginning */
        public Range fromStart() {
            return new Range(queue, priority, 0, upTo);
        }
    }

    /** To be called in each transaction that brings messages back. */
    static void comeBack(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT nextval('message_return')");
        }
    }

    /** @return whether takes are to begin behind bounds */
    public boolean isInUse() {
        return inUse;
    }

    /** Called after each commit. */
    public void taken(Message message) {
        if (tracked) {
            note(message);
        }
    }

    private synchronized void note(Message message) {
        long[] taken = queues.computeIfAbsent(message.queue(), queue -> new Progress()).taken;
        int at = message.priority() - 1;
        taken[at] = Math.max(taken[at], message.id());
    }

    /** @param asked ids of queues */
    public synchronized Reading of(int[] asked) {
        long[] bounds = new long[asked.length * PRIORITIES];
        for (int i = 0; i < asked.length; i++) {
            Progress progress = queues.get(asked[i]);
            if (progress != null) {
                System.arraycopy(progress.bounds, 0, bounds, i * PRIORITIES, PRIORITIES);
            }
        }
        return new Reading(generation, bounds);
    }

    /** @return whether it is noted what is taken */
    public boolean isTracked() {
        return tracked;
    }

    /** From now on it is noted what is taken. */
    public void track() {
        tracked = true;
    }

    /** Nothing of it is needed any more. */
    public synchronized void forget() {
        tracked = false;
        inUse = false;
        queues.clear();
    }

    /** Messages have come back: no bound holds until it is verified anew. */
    public synchronized void startAgain(long newGeneration) {
        generation = newGeneration;
        inUse = false;
        queues.values().forEach(progress -> Arrays.fill(progress.bounds, 0));
    }

    /** @return what lies between the bounds and what was taken */
    public synchronized List<Range> open() {
        return ranges(false);
    }

    /** @return what lies below the bounds */
    public synchronized List<Range> closed() {
        return ranges(true);
    }

    private List<Range> ranges(boolean below) {
        List<Range> ranges = new ArrayList<>();
        queues.forEach((queue, progress) -> {
            for (int i = 0; i < PRIORITIES; i++) {
                long after = below ? 0 : progress.bounds[i];
                long upTo = below ? progress.bounds[i] : progress.taken[i];
                if (upTo > after) {
                    ranges.add(new Range(queue, i + 1, after, upTo));
                }
            }
        });
        return ranges;
    }

    /** Nothing lies in the range up to that id. */
    public synchronized void verified(Range range, long bound) {
        Progress progress = queues.get(range.queue);
        if (progress != null) {
            progress.bounds[range.priority - 1] = bound;
            inUse = true;
        }
    }
}
