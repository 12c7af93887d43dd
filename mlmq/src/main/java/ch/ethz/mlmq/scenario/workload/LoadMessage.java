package ch.ethz.mlmq.scenario.workload;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The content of a load's messages, by which the receiver detects damaged and foreign ones, and knows when they
 * were to be sent.
 *
 * <p>Layout, integers big-endian: 4 bytes CRC-32C of all that follows, 6 bytes {@link MessageId}, 4 bytes counter, 8
 * bytes intended start of its sending [us since 1970 UTC] (both only if the message is long enough for them), then
 * {@link MessageContent} up to the wanted length.
 *
 * @param id      unique id of the message
 * @param counter of hops, or another count of the scenario; 0 in a message too short for one
 */
public record LoadMessage(MessageId id, int counter) {
    /** Shortest message [bytes]. */
    public static final int MIN_LENGTH = 10;
    /** Shortest message with a counter [bytes]. */
    public static final int MIN_LENGTH_WITH_COUNTER = 14;
    /** Shortest message with the intended start of its sending [bytes]. */
    public static final int MIN_LENGTH_WITH_TIME = 22;

    /** Stands for a time that is not known yet: {@code MLMQTIME}. */
    private static final long NO_TIME = 0x4D4C4D5154494D45L;
    private static final int CRC_LENGTH = 4;

    /** @return the message with text, see {@link #encode(int, MessageContent)} */
    public byte[] encode(int length) {
        return encode(length, MessageContent.TEXT);
    }

    /**
     * @param length of all bytes, at least {@value #MIN_LENGTH}
     * @return the message's content
     */
    public byte[] encode(int length, MessageContent filling) {
        if (length < MIN_LENGTH) {
            throw new IllegalArgumentException("a message of a load has at least " + MIN_LENGTH + " bytes, not "
                    + length);
        }
        ByteBuffer content = ByteBuffer.allocate(length);
        content.position(CRC_LENGTH);
        content.putShort((short) (id.bits() >>> 32)).putInt((int) id.bits());
        if (length >= MIN_LENGTH_WITH_COUNTER) {
            content.putInt(counter);
        }
        if (length >= MIN_LENGTH_WITH_TIME) {
            content.putLong(NO_TIME);
        }
        byte[] bytes = content.array();
        filling.fill(bytes, content.position(), id.bits());
        content.putInt(0, checksum(bytes));
        return bytes;
    }

    /**
     * @param content the received bytes
     * @return the message
     * @throws ForeignMessageException if it is not a message of a load, or was changed
     */
    public static LoadMessage decode(byte[] content) throws ForeignMessageException {
        if (content.length < MIN_LENGTH || ByteBuffer.wrap(content).getInt() != checksum(content)) {
            byte[] start = Arrays.copyOf(content, Math.min(content.length, MIN_LENGTH_WITH_COUNTER));
            throw new ForeignMessageException("a message of " + content.length
                    + " bytes is damaged or of another program: it starts with "
                    + Arrays.toString(start));
        }
        ByteBuffer fields = ByteBuffer.wrap(content, MIN_LENGTH, content.length - MIN_LENGTH);
        return new LoadMessage(MessageId.of(idOf(content)),
                content.length >= MIN_LENGTH_WITH_COUNTER ? fields.getInt() : 0);
    }

    /**
     * Writes the intended start of its sending into a message that has room for it and does not have one yet.
     *
     * @param content as {@link #encode} made it
     * @param micros  [us since 1970 UTC]
     */
    public static void stamp(byte[] content, long micros) {
        if (content.length >= MIN_LENGTH_WITH_TIME) {
            ByteBuffer fields = ByteBuffer.wrap(content);
            if (fields.getLong(MIN_LENGTH_WITH_COUNTER) == NO_TIME) {
                fields.putLong(MIN_LENGTH_WITH_COUNTER, micros).putInt(0, checksum(content));
            }
        }
    }

    /** @return bits of the {@link MessageId}, unchecked; the message has at least {@value #MIN_LENGTH} bytes */
    public static long idOf(byte[] content) {
        ByteBuffer fields = ByteBuffer.wrap(content, CRC_LENGTH, MIN_LENGTH - CRC_LENGTH);
        return (long) Short.toUnsignedInt(fields.getShort()) << 32 | Integer.toUnsignedLong(fields.getInt());
    }

    /** @return the intended start of its sending [us since 1970 UTC]; 0 if it has none */
    public static long stampOf(byte[] content) {
        long micros = content.length < MIN_LENGTH_WITH_TIME ? 0
                : ByteBuffer.wrap(content).getLong(MIN_LENGTH_WITH_COUNTER);
        return micros == NO_TIME ? 0 : micros;
    }

    private static int checksum(byte[] content) {
        CRC32C crc = new CRC32C();
        crc.update(content, CRC_LENGTH, content.length - CRC_LENGTH);
        return (int) crc.getValue();
    }
}
