package ch.ethz.mlmq.protocol.wire;

import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Request;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Makes valid and invalid frames for a broker. The same seed gives the same frames. */
public final class FrameFuzzer {
    private static final int[] LENGTHS = {Integer.MIN_VALUE, -1, 0, 7, Limits.DEFAULT_PAYLOAD_BYTES,
        Limits.DEFAULT_PAYLOAD_BYTES + 1, Integer.MAX_VALUE};

    private final SplittableRandom random;
    private final RandomRequests requests;

    /** Ways to make a frame. */
    public enum Kind {
        /** A frame a client might send; its values may be outside their limits. */
        WELL_FORMED,
        /** A well-formed frame, to be sent in two pieces. */
        SPLIT,
        /** Random bytes. */
        RANDOM,
        /** The beginning of a frame. */
        TRUNCATED,
        /** A frame with some bytes changed. */
        MUTATED,
        /** A frame of which one int was replaced by an unlikely one: a length, a count, an id, half of a long. */
        EXTREME
    }

    /** @param pieces to be sent one after the other */
    public record Frame(Kind kind, List<byte[]> pieces) {
        /** @return whether the stream goes on as it should behind it */
        public boolean isWellFormed() {
            return kind == Kind.WELL_FORMED || kind == Kind.SPLIT;
        }
    }

    public FrameFuzzer(long seed) {
        random = new SplittableRandom(seed);
        requests = new RandomRequests(random.split());
    }

    public Frame next(int correlationId) {
        byte[] whole = wellFormed(correlationId);
        return switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> new Frame(Kind.WELL_FORMED, List.of(whole));
            case 4 -> split(whole, random.nextInt(1, whole.length));
            case 5 -> new Frame(Kind.RANDOM, List.of(bytes(random.nextInt(1, 200))));
            case 6 -> new Frame(Kind.TRUNCATED, List.of(Arrays.copyOf(whole, random.nextInt(1, whole.length))));
            case 7, 8 -> new Frame(Kind.MUTATED, List.of(mutated(whole)));
            default -> new Frame(Kind.EXTREME, List.of(extreme(whole)));
        };
    }

    /** @return the frame in two pieces */
    public static Frame split(byte[] whole, int at) {
        return new Frame(Kind.SPLIT, List.of(Arrays.copyOf(whole, at), Arrays.copyOfRange(whole, at, whole.length)));
    }

    public byte[] wellFormed(int correlationId) {
        return encode(requests.next(), correlationId);
    }

    public static byte[] encode(Request request, int correlationId) {
        ByteBuffer frame = ByteBuffer.allocate(RequestCodec.frameBytes(request));
        RequestCodec.encode(request, correlationId, frame);
        return frame.array();
    }

    private byte[] mutated(byte[] frame) {
        for (int i = random.nextInt(1, 5); i > 0; i--) {
            frame[random.nextInt(frame.length)] = (byte) random.nextInt();
        }
        return frame;
    }

    private byte[] extreme(byte[] frame) {
        int at = random.nextInt(3) == 0 ? 0 : random.nextInt(frame.length - 3);
        ByteBuffer.wrap(frame).putInt(at, LENGTHS[random.nextInt(LENGTHS.length)]);
        return frame;
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }
}
