package ch.ethz.mlmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.wire.PlainLink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OutboundTest {
    private static final int PAYLOAD_BYTES = Limits.DEFAULT_PAYLOAD_BYTES;

    private final Wire wire;
    private final Outbound outbound;

    OutboundTest() throws Exception {
        wire = new Wire();
        outbound = new Outbound(new PlainLink(wire.client), wire.key, PAYLOAD_BYTES);
    }

    @AfterEach
    void close() throws Exception {
        wire.close();
    }

    @Test
    void shouldConfirmTheLastDeliveryOnceBeforeWhatIsSentNext() throws Exception {
        outbound.toConfirm(6, 100);
        outbound.toConfirm(7, 100);
        outbound.add(new Request.KeepAlive(), 8);
        outbound.add(new Request.KeepAlive(), 9);
        outbound.write();

        assertThat(wire.next()).isEqualTo(new Wire.Sent(7, new Request.Received()));
        assertThat(wire.next()).isEqualTo(new Wire.Sent(8, new Request.KeepAlive()));
        assertThat(wire.next()).isEqualTo(new Wire.Sent(9, new Request.KeepAlive()));
    }

    @Test
    void shouldConfirmByItselfWhatIsMuchAlone() throws Exception {
        outbound.toConfirm(1, 65_535);
        assertThat(outbound.confirmMuch()).isFalse();

        outbound.toConfirm(2, 1);
        assertThat(outbound.confirmMuch()).isTrue();
        assertThat(outbound.confirmMuch()).isFalse();
        outbound.write();

        assertThat(wire.next()).isEqualTo(new Wire.Sent(2, new Request.Received()));
    }

    @Test
    void shouldKeepWhatTheSocketDoesNotTakeAndAskToBeToldWhenItDoes() throws Exception {
        Request large = new Request.Echo(new byte[PAYLOAD_BYTES - 12]);
        int frames = 0;
        while (!outbound.isFull()) {
            outbound.add(large, ++frames);
        }
        assertThat(frames).isEqualTo(4);

        outbound.write();
        assertThat(wire.key.interestOps()).isEqualTo(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        CompletableFuture<Void> written = CompletableFuture.runAsync(this::writeAll);
        for (int id = 1; id <= frames; id++) {
            assertThat(wire.next().id()).isEqualTo(id);
        }
        written.get(30, TimeUnit.SECONDS);

        assertThat(wire.key.interestOps()).isEqualTo(SelectionKey.OP_READ);
        assertThat(outbound.isFull()).isFalse();
    }

    private void writeAll() {
        try {
            while (wire.key.interestOps() != SelectionKey.OP_READ) {
                outbound.write();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
