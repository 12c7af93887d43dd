package ch.ethz.mlmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.wire.PlainLink;
import ch.ethz.mlmq.protocol.wire.ProtocolException;
import ch.ethz.mlmq.protocol.wire.ResponseCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InboundTest {
    private static final int PAYLOAD_BYTES = 10_000;

    private final Wire wire;
    private final Inbound inbound;
    private final ByteBuffer buffer = ByteBuffer.allocate(100);
    private final List<Integer> answered = new ArrayList<>();
    private int last = Integer.MAX_VALUE;

    InboundTest() throws Exception {
        wire = new Wire();
        inbound = new Inbound(new PlainLink(wire.client), PAYLOAD_BYTES, (id, response, nanos) -> {
            answered.add(id);
            return id != last;
        });
    }

    @AfterEach
    void close() throws Exception {
        wire.close();
    }

    @Test
    void shouldPutFramesTogetherOfWhateverLengthInWhateverPieces() throws Exception {
        ByteBuffer frames = frames(new Response.Echoed(new byte[10]), new Response.Echoed(new byte[5_000]),
                Response.Done.INSTANCE, new Response.Echoed(new byte[95]));
        while (frames.hasRemaining()) {
            int piece = Math.min(7, frames.remaining());
            send(frames.slice(frames.position(), piece));
            frames.position(frames.position() + piece);
        }

        readUntil(4);

        assertThat(answered).containsExactly(1, 2, 3, 4);
    }

    @Test
    void shouldThrowAwayWhatComesBehindTheLastThatIsOfUse() throws Exception {
        last = 1;
        send(frames(Response.Done.INSTANCE, Response.Done.INSTANCE, Response.Done.INSTANCE));

        readUntil(1);

        assertThat(answered).containsExactly(1);
    }

    @Test
    void shouldSayThatTheBrokerHasClosedTheConnection() throws Exception {
        assertThat(inbound.read(buffer)).isTrue();
        wire.broker.close();

        Await.until("the end", () -> !inbound.read(buffer));
    }

    @Test
    void shouldGiveWhatCameBeforeABadFrame() throws Exception {
        send(frames(Response.Done.INSTANCE));
        send(ByteBuffer.allocate(8).putInt(PAYLOAD_BYTES + 1).putInt(1).flip());

        assertThatThrownBy(() -> readUntil(2)).isInstanceOf(ProtocolException.class)
                .hasMessageContaining("not " + (PAYLOAD_BYTES + 1));
        assertThat(answered).containsExactly(1);
    }

    private void readUntil(int answers) throws Exception {
        Await.until(answers + " answers", () -> {
            inbound.read(buffer);
            return answered.size() == answers;
        });
    }

    private void send(ByteBuffer bytes) throws Exception {
        while (bytes.hasRemaining()) {
            wire.broker.write(bytes);
        }
    }

    /** Numbered from 1 on. */
    private static ByteBuffer frames(Response... responses) {
        ByteBuffer frames = ByteBuffer.allocate(2 * PAYLOAD_BYTES);
        for (int i = 0; i < responses.length; i++) {
            ResponseCodec.encode(responses[i], i + 1, frames);
        }
        return frames.flip();
    }
}
