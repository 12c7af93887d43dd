package ch.ethz.mlmq.scenario.workload;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The content of a load's messages, by which the receiver detects damaged and foreign ones.
 *
 * <p>Layout, integers big-endian: 4 bytes CRC-32C of all that follows, 6 bytes {@link MessageId}, 4 bytes counter (only
 * if the message is long enough for it), then letters up to the wanted length.
 *
 * @param id      unique id of the message
 * @param counter of hops, or another count of the scenario; 0 in a message too short for one
 */
public record LoadMessage(MessageId id, int counter) {
    /** Shortest message [bytes]. */
    public static final int MIN_LENGTH = 10;
    /** Shortest message with a counter [bytes]. */
    public static final int MIN_LENGTH_WITH_COUNTER = 14;

    private static final int CRC_LENGTH = 4;
    private static final int LETTERS = 26;

    /**
     * @param length of the content [bytes], at least {@value #MIN_LENGTH}
     * @return the message's content
     */
    public byte[] encode(int length) {
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
        byte[] bytes = content.array();
        for (int i = content.position(); i < length; i++) {
            bytes[i] = (byte) ('a' + i % LETTERS);
        }
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
        ByteBuffer fields = ByteBuffer.wrap(content, CRC_LENGTH, content.length - CRC_LENGTH);
        long bits = (long) Short.toUnsignedInt(fields.getShort()) << 32 | Integer.toUnsignedLong(fields.getInt());
        return new LoadMessage(MessageId.of(bits), content.length >= MIN_LENGTH_WITH_COUNTER ? fields.getInt() : 0);
    }

    private static int checksum(byte[] content) {
        CRC32C crc = new CRC32C();
        crc.update(content, CRC_LENGTH, content.length - CRC_LENGTH);
        return (int) crc.getValue();
    }
}
