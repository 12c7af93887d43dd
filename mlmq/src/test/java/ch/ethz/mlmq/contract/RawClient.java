package ch.ethz.mlmq.contract;

import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.wire.FrameReader;
import ch.ethz.mlmq.protocol.wire.ProtocolException;
import ch.ethz.mlmq.protocol.wire.RequestCodec;
import ch.ethz.mlmq.protocol.wire.ResponseCodec;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/** A connection that sends only what the test says, without the library's automatic requests. */
final class RawClient implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 30_000;

    private final Socket socket;
    private final FrameReader reader = new FrameReader(Limits.DEFAULT_PAYLOAD_BYTES);
    private final ByteBuffer in = ByteBuffer.allocate(Limits.DEFAULT_PAYLOAD_BYTES + FrameReader.LENGTH_BYTES).limit(0);
    private int lastId;

    RawClient(String address) throws IOException {
        this(address, "127.0.0.1", 0);
    }

    /**
     * @param from    address of this machine that it comes from
     * @param receive bytes of answers that its system keeps unread; 0 for the system's default
     */
    RawClient(String address, String from, int receive) throws IOException {
        String[] place = address.split(":");
        socket = new Socket();
        if (receive > 0) {
            socket.setReceiveBufferSize(receive);
        }
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(new InetSocketAddress(place[0], Integer.parseInt(place[1])), PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
    }

    /** @return what was granted of it */
    Response.Welcome hello(long features) throws Exception {
        Response.Welcome welcome = (Response.Welcome) ask(new Request.Hello(1, features, "raw"));
        reader.features(welcome.features());
        return welcome;
    }

    Response.Registered register(String name) throws Exception {
        return (Response.Registered) ask(new Request.Register(name));
    }

    Response ask(Request request) throws Exception {
        int id = send(request);
        Response response = read();
        if (reader.correlationId() != id) {
            throw new AssertionError("an answer to " + reader.correlationId() + " instead of " + id + ": " + response);
        }
        return response;
    }

    /** @return its correlation id */
    int send(Request request) throws IOException {
        send(request, ++lastId);
        return lastId;
    }

    void send(Request request, int id) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(RequestCodec.frameBytes(request));
        RequestCodec.encode(request, id, frame);
        send(frame.array());
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** @return the next answer */
    Response read() throws IOException, ProtocolException {
        while (!reader.next(in)) {
            in.compact();
            int count = socket.getInputStream().read(in.array(), in.position(), in.remaining());
            if (count < 0) {
                throw new EOFException("the broker has closed the connection");
            }
            in.position(in.position() + count).flip();
        }
        return ResponseCodec.decode(reader);
    }

    /** Reads so many bytes of answers, and throws them away. */
    void skip(long bytes) throws IOException {
        socket.getInputStream().skipNBytes(bytes);
    }

    /** @return the correlation id of the answer read last */
    int correlationId() {
        return reader.correlationId();
    }

    /** @return whether the broker has closed the connection, once it has said something more or closed it */
    boolean isClosed() throws IOException {
        return socket.getInputStream().read() < 0;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
