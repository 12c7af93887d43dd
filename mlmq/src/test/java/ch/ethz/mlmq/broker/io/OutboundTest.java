package ch.ethz.mlmq.broker.io;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.wire.ByteLink;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class OutboundTest {
    @Test
    void shouldWriteEncryptedBytesThatTheSocketDidNotTakeThoughNoResponseFollows() throws Exception {
        Outbound outbound = new Outbound();
        Encrypting link = new Encrypting();
        outbound.fill(ByteBuffer.allocate(10).putInt(1));
        outbound.encoded(4);
        outbound.write(link, emptied -> { });
        assertThat(outbound.isEmpty()).isTrue();
        assertThat(link.unsent).isEqualTo(4);

        long before = outbound.progressNanos;
        outbound.write(link, emptied -> { });

        assertThat(link.unsent).isZero();
        assertThat(outbound.progressNanos).isGreaterThan(before);
    }

    /** Takes all bytes, and sends them with the next write. */
    private static final class Encrypting implements ByteLink {
        int unsent;
        private long written;

        @Override
        public int read(ByteBuffer into) throws IOException {
            return 0;
        }

        @Override
        public long write(ByteBuffer... from) {
            written += unsent;
            unsent = 0;
            for (ByteBuffer each : from) {
                unsent += each.remaining();
                each.position(each.limit());
            }
            return unsent;
        }

        @Override
        public boolean wantsToWrite(boolean more) {
            return more || unsent > 0;
        }

        @Override
        public boolean asksForWrite() {
            return false;
        }

        @Override
        public boolean hasEnded() {
            return false;
        }

        @Override
        public long writtenBytes() {
            return written;
        }

        @Override
        public int heldBytes() {
            return unsent;
        }

        @Override
        public void shutdownOutput() {
        }
    }
}
