package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.wire.FrameReader;
import ch.ethz.mlmq.protocol.wire.RequestCodec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** A connection without a loop: the client's end is for a part of the client, the broker's end for the test. */
final class Wire implements AutoCloseable {
    final SocketChannel client;
    final SocketChannel broker;
    final SelectionKey key;
    private final Selector selector = Selector.open();
    private final FrameReader reader = new FrameReader(Limits.DEFAULT_PAYLOAD_BYTES);
    private final ByteBuffer arrived = ByteBuffer.allocate(Limits.DEFAULT_PAYLOAD_BYTES + 4).flip();

    /** A request, as the broker gets it. */
    record Sent(int id, Request request) {
    }

    Wire() throws IOException {
        reader.features(Features.ALL);
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            client = SocketChannel.open(server.getLocalAddress());
            broker = server.accept();
        }
        client.configureBlocking(false);
        key = client.register(selector, SelectionKey.OP_READ);
    }

    /** Waits for the next request. */
    Sent next() throws Exception {
        while (!reader.next(arrived)) {
            arrived.compact();
            if (broker.read(arrived) < 0) {
                throw new IllegalStateException("the client has closed the connection");
            }
            arrived.flip();
        }
        return new Sent(reader.correlationId(), RequestCodec.decode(reader));
    }

    @Override
    public void close() throws IOException {
        selector.close();
        client.close();
        broker.close();
    }
}
