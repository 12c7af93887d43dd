package ch.ethz.mlmq.protocol.wire;

import ch.ethz.mlmq.protocol.MessageProperties;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reads the fields of one frame in place, and not a byte beyond its end. Used by one thread; reused for each frame. */
public final class FieldReader {
    private static final byte[] NO_BYTES = {};

    private ByteBuffer in;
    private int position;
    private int end;

    void reset(ByteBuffer buffer, int from, int to) {
        in = buffer;
        position = from;
        end = to;
    }

    byte int8() throws ProtocolException {
        return in.get(take(1));
    }

    int int32() throws ProtocolException {
        return in.getInt(take(4));
    }

    long int64() throws ProtocolException {
        return in.getLong(take(8));
    }

    boolean bool() throws ProtocolException {
        byte value = int8();
        if (value != 0 && value != 1) {
            throw new ProtocolException("a boolean is 0 or 1, not " + value);
        }
        return value == 1;
    }

    byte[] bytes() throws ProtocolException {
        int length = length(1);
        if (length == 0) {
            return NO_BYTES;
        }
        byte[] bytes = new byte[length];
        in.get(take(length), bytes);
        return bytes;
    }

    String string() throws ProtocolException {
        int length = length(1);
        if (length == 0) {
            return "";
        }
        try {
            CharBuffer chars = StandardCharsets.UTF_8.newDecoder().decode(in.slice(take(length), length));
            return chars.toString();
        } catch (CharacterCodingException e) {
            throw new ProtocolException("a string is not UTF-8");
        }
    }

    MessageProperties properties() throws ProtocolException {
        try {
            return MessageProperties.decode(bytes());
        } catch (IllegalArgumentException e) {
            throw new ProtocolException(e.getMessage());
        }
    }

    int[] int32s() throws ProtocolException {
        int[] values = new int[length(4)];
        for (int i = 0; i < values.length; i++) {
            values[i] = int32();
        }
        return values;
    }

    /**
     * @param elementSize smallest size of an element, so that a count cannot promise more than the frame holds
     * @return the next length or count
     */
    int length(int elementSize) throws ProtocolException {
        int length = int32();
        if (length < 0) {
            throw new ProtocolException("negative length " + length);
        }
        if (length > (end - position) / elementSize) {
            throw new ProtocolException(
                    "length " + length + " where the frame has " + (end - position) + " bytes left");
        }
        return length;
    }

    /** Reads the count of a list that must have as many elements as one before it. */
    void count(int expected) throws ProtocolException {
        int count = int32();
        if (count != expected) {
            throw new ProtocolException("properties of " + count + " messages where the frame has " + expected);
        }
    }

    boolean hasMore() {
        return has(1);
    }

    /** @return true if that many bytes of the frame are left */
    boolean has(int bytes) {
        return end - position >= bytes;
    }

    void finish() throws ProtocolException {
        if (position != end) {
            throw new ProtocolException((end - position) + " trailing bytes");
        }
    }

    private int take(int bytes) throws ProtocolException {
        if (bytes > end - position) {
            throw new ProtocolException("the frame ends within a field");
        }
        int at = position;
        position += bytes;
        return at;
    }
}
