package ch.ethz.mlmq.scenario.workload;

import ch.ethz.mlmq.config.CommonKeys;

/**
 * The unique id of a message in a run: its sender, and its number among the sender's messages.
 *
 * @param position of the sending JVM among the clients, 0..{@value #MAX_POSITION}
 * @param client   in that JVM, 0..{@value #MAX_CLIENT}
 * @param sequence of that client's messages, 0..{@value #MAX_SEQUENCE}
 */
public record MessageId(int position, int client, int sequence) {
    /** Highest position that fits (10 bits). */
    public static final int MAX_POSITION = CommonKeys.MAX_POSITION;
    /** Highest client number that fits (10 bits). */
    public static final int MAX_CLIENT = 1023;
    /** Highest sequence number that fits (28 bits). */
    public static final int MAX_SEQUENCE = (1 << 28) - 1;

    /** Checks the ranges. */
    public MessageId {
        if (position < 0 || position > MAX_POSITION || client < 0 || client > MAX_CLIENT
                || sequence < 0 || sequence > MAX_SEQUENCE) {
            throw new IllegalArgumentException("no message id for " + position + "." + client + "." + sequence);
        }
    }

    /** @return the 48 bits of a message's header */
    public long bits() {
        return (long) position << 38 | (long) client << 28 | sequence;
    }

    /** @param bits as returned by {@link #bits} */
    public static MessageId of(long bits) {
        return new MessageId((int) (bits >>> 38) & MAX_POSITION, (int) (bits >>> 28) & MAX_CLIENT,
                (int) bits & MAX_SEQUENCE);
    }

    /**
     * @return 12 hexadecimal digits, the same as PostgreSQL's {@code encode(substring(content from 5 for 6), 'hex')}
     */
    @Override
    public String toString() {
        return String.format("%012x", bits());
    }
}
