package ch.ethz.mlmq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.broker.io.BufferPool;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.wire.RequestCodec;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a client that sends and does not read its responses: it is blocked, and no other client is. */
class SlowReaderTest {
    private static final int CONTENT = 100_000;
    private static final int OUTBOUND_MAX = 1_000_000;
    private static final int REQUESTS = 2_000;
    private static final int REGISTERED_BYTES = 20;
    /**
     * 200 answers, each in a buffer of a power of two: some batches may be executed before the first cannot be written.
     */
    private static final long HELD_BYTES = 200L << 17;

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void shouldBeHeldUpAndGetAllItsAnswersWhenItReads(int workers) throws Exception {
        try (Broker broker = TestBroker.start(Map.of("broker.storage", "memory", "broker.content.max", "1000000",
                "broker.connection.outbound.max", Integer.toString(OUTBOUND_MAX),
                "broker.workers", Integer.toString(workers)));
                SocketChannel slow = SocketChannel.open();
                Client other = TestBroker.client(broker.port(), "other")) {
            slow.setOption(StandardSocketOptions.SO_RCVBUF, 10_000);
            slow.connect(new InetSocketAddress("127.0.0.1", broker.port()));
            ByteBuffer out = ByteBuffer.allocate(CONTENT + 100);
            register(slow, out);
            slow.configureBlocking(false);
            int sent = 0;
            out.clear();
            long refusedSince = System.nanoTime();
            // The broker has stopped reading when the connection takes nothing for a second.
            while (sent < REQUESTS && System.nanoTime() - refusedSince < 1_000_000_000) {
                if (!out.hasRemaining() || out.position() == 0) {
                    RequestCodec.encode(new Request.Echo(new byte[CONTENT]), ++sent, out.clear());
                    out.flip();
                }
                if (slow.write(out) > 0) {
                    refusedSince = System.nanoTime();
                }
            }
            assertThat(sent).isLessThan(REQUESTS);
            assertThat(TestBroker.gauge(broker, "buffers") * BufferPool.BYTES).as("bytes").isLessThan(HELD_BYTES);
            assertThat(other.echo(new byte[] {5})).containsExactly(5);

            long expected = 0;
            ByteBuffer in = ByteBuffer.allocate(1 << 20);
            long wanted = (long) sent * (CONTENT + 16);
            while (expected < wanted) {
                if (out.hasRemaining()) {
                    slow.write(out);
                }
                expected += Math.max(0, slow.read(in.clear()));
            }
            assertThat(expected).isEqualTo(wanted);
            TestBroker.until("the buffers are back", () -> TestBroker.gauge(broker, "buffers") == 0);
        }
    }

    /** Registers the connection, because only registered ones may send long frames. */
    private static void register(SocketChannel channel, ByteBuffer buffer) throws Exception {
        RequestCodec.encode(new Request.Register("slow"), 1, buffer.clear());
        channel.write(buffer.flip());
        buffer.clear().limit(REGISTERED_BYTES);
        while (buffer.hasRemaining()) {
            assertThat(channel.read(buffer)).isPositive();
        }
    }
}
