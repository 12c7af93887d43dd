package ch.ethz.mlmq.protocol.wire;

import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.FrameType;
import java.nio.ByteBuffer;

/**
 * Finds the frames in a stream of bytes that arrives in pieces. Used by one thread.
 *
 * <p>The caller keeps what has arrived in a buffer, and as long as {@link #next} finds a frame decodes it:
 * <pre>
 * channel.read(buffer);
 * buffer.flip();
 * while (reader.next(buffer)) {
 *     handle(reader.correlationId(), RequestCodec.decode(reader));
 * }
 * buffer.compact();   // and grow it where reader.frameBytes() is more than its capacity
 * </pre>
 */
public final class FrameReader {
    /** Bytes of the length at the start of a frame, which the length itself does not include. */
    public static final int LENGTH_BYTES = 4;
    /** The smallest payload: type and correlation id. */
    public static final int LEAST_PAYLOAD_BYTES = 8;

    private int maxPayload;
    private String when = "";
    private long features;
    private final FieldReader fields = new FieldReader();
    private int frameBytes = LENGTH_BYTES;
    private int type;
    private int correlationId;

    /** @param maxPayload most bytes of a frame without its length */
    public FrameReader(int maxPayload) {
        this.maxPayload = maxPayload;
    }

    /**
     * Sets another limit, for frames of which nothing was read yet.
     *
     * @param bytes most bytes of a frame without its length
     * @param until condition of the limit, for people: such as {@code " before it has registered"}, or empty
     */
    public void limit(int bytes, String until) {
        maxPayload = bytes;
        when = until;
    }

    /** @param granted {@link Features} that both sides have agreed on, for the frames that follow */
    public void features(long granted) {
        features = granted;
    }

    boolean has(long feature) {
        return (features & feature) != 0;
    }

    /**
     * Moves to the next frame if it has arrived completely. Its fields can then be decoded until the buffer changes.
     *
     * @param in big-endian; unread bytes lie between position and limit
     * @return false if more bytes must arrive first; the buffer is then unchanged
     * @throws ProtocolException if the length is outside its limits; type and correlation id are then 0
     */
    public boolean next(ByteBuffer in) throws ProtocolException {
        type = 0;
        correlationId = 0;
        if (in.remaining() < LENGTH_BYTES) {
            frameBytes = LENGTH_BYTES;
            return false;
        }
        int start = in.position();
        int payload = in.getInt(start);
        if (payload < LEAST_PAYLOAD_BYTES || payload > maxPayload) {
            throw new ProtocolException(
                    "a frame has " + LEAST_PAYLOAD_BYTES + ".." + maxPayload + " bytes of payload" + when
                            + ", not " + payload);
        }
        frameBytes = LENGTH_BYTES + payload;
        if (in.remaining() < frameBytes) {
            return false;
        }
        type = in.getInt(start + 4);
        correlationId = in.getInt(start + 8);
        fields.reset(in, start + FieldWriter.HEADER_BYTES, start + frameBytes);
        in.position(start + frameBytes);
        return true;
    }

    /** @return bytes of the begun frame, including its length; the buffer must have room for them */
    public int frameBytes() {
        return frameBytes;
    }

    public int correlationId() {
        return correlationId;
    }

    FrameType type() throws ProtocolException {
        FrameType known = FrameType.of(type);
        if (known == null) {
            throw new ProtocolException("unknown frame type " + type);
        }
        return known;
    }

    FieldReader fields() {
        return fields;
    }
}
