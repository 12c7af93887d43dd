package ch.ethz.mlmq.scenario.workload;

import java.util.SplittableRandom;

/** The bytes of a load's messages behind their head. It depends on them how far a server can compress a message. */
public enum MessageContent {
    /** Words that PostgreSQL compresses about as far as English. */
    TEXT(MadeUpText.of(MessageContent.LENGTH)),
    /** Bytes that nothing can compress. */
    RANDOM(random()),
    /** Bytes of value 0, which shrink to almost nothing. */
    ZEROS(new byte[MessageContent.LENGTH]);

    /** Farther than PostgreSQL or a library of the network looks back for a repetition [bytes]. */
    private static final int LENGTH = 1 << 17;
    private static final int SEED = 20131129;

    private final byte[] bytes;

    MessageContent(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Writes content up to the end.
     *
     * @param content of a message
     * @param from    first byte to write
     * @param id      of the message; the part of the prepared bytes that it gets depends on it
     */
    void fill(byte[] content, int from, long id) {
        int offset = (int) (Seeds.mix(id) & LENGTH - 1);
        for (int at = from; at < content.length; offset = 0) {
            int length = Math.min(LENGTH - offset, content.length - at);
            System.arraycopy(bytes, offset, content, at, length);
            at += length;
        }
    }

    private static byte[] random() {
        byte[] random = new byte[LENGTH];
        new SplittableRandom(SEED).nextBytes(random);
        return random;
    }
}
