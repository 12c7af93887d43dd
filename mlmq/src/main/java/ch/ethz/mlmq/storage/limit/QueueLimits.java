package ch.ethz.mlmq.storage.limit;

import java.util.ArrayList;
import java.util.List;

/**
 * Limits of a queue; 0 stands for none. Messages and bytes are those that can be taken, are leased or are delayed.
 *
 * @param messages         most messages
 * @param bytes            most bytes of contents and properties
 * @param drops            true if a full queue drops its oldest messages, false if it refuses new ones
 * @param ageMillis        age at which a message is removed [ms]
 * @param attempts         deliveries after which a message is a dead letter
 * @param backoffMillis    wait before a message comes back after its first delivery [ms]; it doubles each time
 * @param backoffMaxMillis longest wait [ms]
 */
public record QueueLimits(long messages, long bytes, boolean drops, long ageMillis, int attempts, long backoffMillis,
        long backoffMaxMillis) {
    /** No limits. */
    public static final QueueLimits NONE = new QueueLimits(0, 0, false, 0, 0, 0, 0);
    /** Largest number of doublings, which no wait needs. */
    private static final int DOUBLINGS = 32;
    private static final long MILLIS_PER_SECOND = 1_000;

    /** @return true if it limits the length of the queue */
    public boolean isBounded() {
        return messages > 0 || bytes > 0;
    }

    /** @return most messages, as a number that can be compared */
    public long messagesMax() {
        return messages == 0 ? Long.MAX_VALUE : messages;
    }

    /** @return most bytes, as a number that can be compared */
    public long bytesMax() {
        return bytes == 0 ? Long.MAX_VALUE : bytes;
    }

    /** @return attempts of this queue. @param usual those of a queue without a limit */
    public int attemptsOr(int usual) {
        return attempts == 0 ? usual : attempts;
    }

    /** @return wait before a message that was delivered so often comes back [ms] */
    public long waitMillis(int deliveries) {
        return Math.min(backoffMillis << Math.min(DOUBLINGS, Math.max(0, deliveries - 1)), backoffMaxMillis);
    }

    /** @return the limits as {@link QueueStatement} reads them; empty for none */
    @Override
    public String toString() {
        List<String> words = new ArrayList<>();
        if (messages > 0) {
            words.add(messages + " messages");
        }
        if (bytes > 0) {
            words.add(Amount.ofBytes(bytes));
        }
        if (isBounded()) {
            words.add(drops ? "drop oldest" : "refuse");
        }
        if (ageMillis > 0) {
            words.add("age " + time(ageMillis));
        }
        if (attempts > 0) {
            words.add(attempts + " attempts");
        }
        if (backoffMillis > 0) {
            words.add("backoff " + time(backoffMillis)
                    + (backoffMaxMillis > backoffMillis ? " to " + time(backoffMaxMillis) : ""));
        }
        return String.join(", ", words);
    }

    private static String time(long millis) {
        return millis % MILLIS_PER_SECOND == 0 ? millis / MILLIS_PER_SECOND + "s" : millis + "ms";
    }
}
