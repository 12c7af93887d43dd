package ch.ethz.mlmq.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.protocol.Request;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FrameReaderTest {
    private static final int MAX_PAYLOAD = 1_000;

    private final FrameReader reader = new FrameReader(MAX_PAYLOAD);

    @Test
    void shouldFindTheSameFramesHoweverTheBytesArrive() throws Exception {
        byte[] bytes = encode(Samples.requests().toList());

        for (int piece = 1; piece < 50; piece++) {
            assertThat(encode(readInPieces(bytes, piece))).isEqualTo(bytes);
        }
    }

    @Test
    void shouldSayHowMuchRoomTheFrameBegunNeeds() throws Exception {
        ByteBuffer begun = ByteBuffer.allocate(12).putInt(500).putInt(20).putInt(1).flip();

        assertThat(reader.next(begun)).isFalse();

        assertThat(reader.frameBytes()).isEqualTo(504);
        assertThat(begun.position()).isZero();
    }

    @Test
    void shouldRefuseALengthOutsideItsLimits() {
        for (int payload : new int[] {-1, Integer.MIN_VALUE, 0, 7, MAX_PAYLOAD + 1, Integer.MAX_VALUE}) {
            ByteBuffer length = ByteBuffer.allocate(4).putInt(payload).flip();
            assertThatThrownBy(() -> reader.next(length)).isInstanceOf(ProtocolException.class)
                    .hasMessage("a frame has 8..1000 bytes of payload, not " + payload);
        }
    }

    private static byte[] encode(List<Request> requests) {
        ByteBuffer stream = ByteBuffer.allocate(8_192);
        for (int i = 0; i < requests.size(); i++) {
            RequestCodec.encode(requests.get(i), i, stream);
        }
        byte[] bytes = new byte[stream.flip().remaining()];
        stream.get(bytes);
        return bytes;
    }

    private List<Request> readInPieces(byte[] bytes, int piece) throws ProtocolException {
        List<Request> read = new ArrayList<>();
        ByteBuffer buffer = ByteBuffer.allocate(MAX_PAYLOAD);
        for (int from = 0; from < bytes.length; from += piece) {
            buffer.put(bytes, from, Math.min(piece, bytes.length - from)).flip();
            while (reader.next(buffer)) {
                assertThat(reader.correlationId()).isEqualTo(read.size());
                read.add(RequestCodec.decode(reader));
            }
            buffer.compact();
        }
        assertThat(buffer.position()).isZero();
        return read;
    }
}
