package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.wire.FrameReader;
import ch.ethz.mlmq.protocol.wire.ProtocolException;
import ch.ethz.mlmq.protocol.wire.RequestCodec;
import ch.ethz.mlmq.protocol.wire.ResponseCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A broker with scripted behaviour: it responds, stays silent, responds late, or closes the connection. */
public final class StubBroker implements AutoCloseable {
    /** Handles a request. */
    @FunctionalInterface
    public interface Script {
        void serve(Peer peer, int correlationId, Request request) throws IOException;
    }

    /** The client's end, as the stub sees it. */
    public record Peer(SocketChannel channel) {
        public void answer(int correlationId, Response response) {
            ByteBuffer frame = ByteBuffer.allocate(ResponseCodec.frameBytes(response));
            ResponseCodec.encode(response, correlationId, frame);
            write(frame.flip());
        }

        synchronized void write(ByteBuffer bytes) {
            try {
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void hangUp() throws IOException {
            channel.close();
        }
    }

    private final ServerSocketChannel server;
    private final List<Peer> peers = new CopyOnWriteArrayList<>();
    private final List<Request> received = new CopyOnWriteArrayList<>();
    private volatile Script script;
    private volatile Script greeting = granting(0);

    public StubBroker(Script script) throws IOException {
        this(0, script);
    }

    StubBroker(int port, Script script) throws IOException {
        this.script = script;
        server = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        daemon(this::accept);
    }

    /** Responds to each request with an empty success. */
    static void answerAll(Peer peer, int correlationId, Request request) {
        Response response = switch (request.type()) {
            case REGISTER -> new Response.Registered(1, 2);
            case ECHO -> new Response.Echoed(((Request.Echo) request).content());
            case CREATE_QUEUE, LOOKUP_QUEUE -> new Response.QueueFound(3, "queue");
            case PEEK_MESSAGE, DEQUEUE_MESSAGE, RECEIVE_MESSAGE -> Response.Delivery.NONE;
            default -> Response.Done.INSTANCE;
        };
        peer.answer(correlationId, response);
    }

    private static Script granting(long features) {
        Response.Welcome welcome = new Response.Welcome(1, "stub", features,
                new Response.Bounds(2_000, Limits.DEFAULT_PAYLOAD_BYTES, 1_000, 1_000, 60_000, 60_000), 0, "");
        return (peer, id, hello) -> peer.answer(id, welcome);
    }

    /** @param features that it grants from now on, see {@link Features} */
    public void grant(long features) {
        greeting = granting(features);
    }

    /** @param other what it does with the first frame of a connection where that is a hello; else it grants nothing */
    void greetBy(Script other) {
        greeting = other;
    }

    void follow(Script other) {
        script = other;
    }

    int port() {
        return server.socket().getLocalPort();
    }

    public String address() {
        return "127.0.0.1:" + port();
    }

    List<Peer> peers() {
        return peers;
    }

    public List<Request> received() {
        return received;
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Peer peer : peers) {
            peer.channel().close();
        }
    }

    private void accept() {
        try {
            while (true) {
                Peer peer = new Peer(server.accept());
                peers.add(peer);
                daemon(() -> serve(peer));
            }
        } catch (ClosedChannelException e) {
            // closed by the test
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void serve(Peer peer) {
        FrameReader reader = new FrameReader(Limits.DEFAULT_PAYLOAD_BYTES);
        reader.features(Features.ALL);
        ByteBuffer buffer = ByteBuffer.allocate(Limits.DEFAULT_PAYLOAD_BYTES + 4);
        try {
            while (peer.channel().read(buffer) >= 0) {
                buffer.flip();
                while (reader.next(buffer)) {
                    Request request = RequestCodec.decode(reader);
                    if (request instanceof Request.Hello) {
                        greeting.serve(peer, reader.correlationId(), request);
                    } else {
                        received.add(request);
                        script.serve(peer, reader.correlationId(), request);
                    }
                }
                buffer.compact();
            }
            peer.hangUp();
        } catch (IOException | UncheckedIOException e) {
            // the client hung up, or the test did
        } catch (ProtocolException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "stub-broker");
        thread.setDaemon(true);
        thread.start();
    }
}
