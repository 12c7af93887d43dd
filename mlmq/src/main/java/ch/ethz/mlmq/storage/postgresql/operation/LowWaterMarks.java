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
 * Ids up to which each queue is empty, for each priority, so that a take need not walk over taken messages.
 *
 * <p>PostgreSQL cannot clear deleted rows while any transaction holds an older snapshot, and a take would walk over all
 * of them. Until they are cleared, takes begin behind a bound. A bound is verified: {@code LowWaterMarksKeeper} moves
 * it when all transactions have ended that could still add an id below it, and when no message lies below it. Only a
 * requeued, released or expired message has an old id. Its transaction also draws a number from the sequence
 * {@code message_return}, and bounds hold only while that sequence is unchanged since they were verified. The
 * statements check that, see {@code HotSql}.
 */
public final class LowWaterMarks {
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
     * Bounds for a statement.
     *
     * @param generation required value of {@code message_return}
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
        /** @return the same range, from the queue's beginning */
        public Range fromStart() {
            return new Range(queue, priority, 0, upTo);
        }
    }

    /** Invalidates the bounds. Call it in each transaction that requeues messages. */
    static void invalidate(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT nextval('message_return')");
        }
    }

    /** @return true if takes should begin behind bounds */
    public boolean isInUse() {
        return inUse;
    }

    /** Records a taken message after the commit. */
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

    /** @return true if taken messages are recorded */
    public boolean isTracked() {
        return tracked;
    }

    /** Records taken messages from now on. */
    public void track() {
        tracked = true;
    }

    /** Forgets all bounds and records. */
    public synchronized void forget() {
        tracked = false;
        inUse = false;
        queues.clear();
    }

    /** Invalidates all bounds after messages were requeued, until they are verified again. */
    public synchronized void startAgain(long newGeneration) {
        generation = newGeneration;
        inUse = false;
        queues.values().forEach(progress -> Arrays.fill(progress.bounds, 0));
    }

    /** @return the ranges between the bounds and the last taken messages */
    public synchronized List<Range> open() {
        return ranges(false);
    }

    /** @return the ranges below the bounds */
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

    /** Moves the bound: the range contains no message up to that id. */
    public synchronized void verified(Range range, long bound) {
        Progress progress = queues.get(range.queue);
        if (progress != null) {
            progress.bounds[range.priority - 1] = bound;
            inUse = true;
        }
    }
}
