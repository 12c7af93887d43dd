package ch.ethz.mlmq.contract;

import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.wire.FrameFuzzer;
import ch.ethz.mlmq.protocol.wire.FrameReader;
import ch.ethz.mlmq.protocol.wire.ProtocolException;
import ch.ethz.mlmq.protocol.wire.ResponseCodec;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Sends frames of a fuzzer, on a new connection after each that may have ended the last one, and decodes every
 * response. A hanging connection is an error.
 */
final class Attacker {
    private static final int PATIENCE_MILLIS = 60_000;
    private static final int FRAMES_OF_A_CONNECTION = 100;
    private static final int NAMES = 1_000;

    private final String name;
    private final String host;
    private final int port;
    private final FrameFuzzer fuzzer;
    private final int frames;
    private final ByteBuffer received = ByteBuffer.allocate(Limits.DEFAULT_PAYLOAD_BYTES + FrameReader.LENGTH_BYTES);
    private final FrameReader reader = new FrameReader(Limits.DEFAULT_PAYLOAD_BYTES);
    private final Tally tally = new Tally();

    /** Event that ends its reading. */
    private enum Until {
        NOTHING_MORE, ECHOED, END;

        boolean isSeen(Response response) {
            return this == ECHOED && response instanceof Response.Echoed;
        }
    }

    /** The results. */
    static final class Tally {
        private volatile long frames;
        private volatile long connections;
        private long refused;
        private long answers;
        private long failures;
        private long protocolErrors;

        long frames() {
            return frames;
        }

        @SuppressWarnings("NonAtomicOperationOnVolatileField")
        void sent() {
            frames++;
        }

        @SuppressWarnings("NonAtomicOperationOnVolatileField")
        void connected() {
            connections++;
        }

        /** The broker closed the connection before it had read everything. */
        void refused() {
            refused++;
        }

        long answers() {
            return answers;
        }

        long protocolErrors() {
            return protocolErrors;
        }

        @SuppressWarnings("NonAtomicOperationOnVolatileField")
        void add(Tally other) {
            frames += other.frames;
            connections += other.connections;
            answers += other.answers;
            failures += other.failures;
            protocolErrors += other.protocolErrors;
            refused += other.refused;
        }

        @Override
        public String toString() {
            return "frames " + frames + " connections " + connections + " answers " + answers + " failures " + failures
                    + " protocol errors " + protocolErrors + " refused " + refused;
        }
    }

    /** @param name begins the names of the clients it registers */
    Attacker(String name, String address, long seed, int frames) {
        reader.features(Features.PROPERTIES);
        this.name = name;
        this.host = address.substring(0, address.lastIndexOf(':'));
        this.port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        this.fuzzer = new FrameFuzzer(seed);
        this.frames = frames;
    }

    Tally tally() {
        return tally;
    }

    Tally attack() throws IOException, ProtocolException {
        while (tally.frames < frames) {
            List<FrameFuzzer.Frame> some = new ArrayList<>();
            do {
                some.add(fuzzer.next(some.size() + 1));
            } while (some.get(some.size() - 1).isWellFormed() && some.size() < FRAMES_OF_A_CONNECTION
                    && tally.frames + some.size() < frames);
            send(some);
        }
        return tally;
    }

    /** Sends the frames, on a new connection each time the broker has closed the last. */
    Tally send(List<FrameFuzzer.Frame> some) throws IOException, ProtocolException {
        for (Iterator<FrameFuzzer.Frame> left = some.iterator(); left.hasNext();) {
            try (Socket socket = new Socket(host, port)) {
                socket.setTcpNoDelay(true);
                socket.setSoTimeout(PATIENCE_MILLIS);
                // Ports of thousands of connections are to be free again at once.
                socket.setSoLinger(true, 0);
                tally.connected();
                received.clear();
                sendOn(socket, left);
                awaitEnd(socket);
            }
        }
        return tally;
    }

    /** Sends as much as the broker takes; the last frames of a connection find a client that is registered and idle. */
    private void sendOn(Socket socket, Iterator<FrameFuzzer.Frame> left) throws IOException, ProtocolException {
        Request register = new Request.Register(name + tally.connections % NAMES);
        Request hello = new Request.Hello(1, Features.CANCEL | Features.BULK_LEASES | Features.QUEUE_LENGTHS
                | Features.TEMPORARY_CLIENTS | Features.AUTHENTICATION | Features.STATEMENTS | Features.PROPERTIES
                | Features.TOPICS | Features.MOVES | Features.FILTERS | Features.ADDRESSED, "fuzz");
        boolean open = write(socket, FrameFuzzer.encode(hello, 1))
                && write(socket, FrameFuzzer.encode(register, 1));
        while (open && left.hasNext()) {
            FrameFuzzer.Frame frame = left.next();
            if (!frame.isWellFormed()) {
                open = write(socket, FrameFuzzer.encode(new Request.Echo(name.getBytes()), 2))
                        && read(socket, Until.ECHOED);
            }
            tally.sent();
            for (byte[] piece : frame.pieces()) {
                open = open && write(socket, piece);
            }
            open = open && read(socket, Until.NOTHING_MORE);
        }
    }

    /** @return false if the broker has closed the connection */
    private static boolean write(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void awaitEnd(Socket socket) throws IOException, ProtocolException {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            return;
        }
        read(socket, Until.END);
    }

    /** @return false if the broker has closed the connection */
    private boolean read(Socket socket, Until until) throws IOException, ProtocolException {
        boolean seen = false;
        try {
            InputStream in = socket.getInputStream();
            while (!seen && (until != Until.NOTHING_MORE || in.available() > 0)) {
                int count = in.read(received.array(), received.position(), received.remaining());
                if (count < 0) {
                    return false;
                }
                received.position(received.position() + count).flip();
                while (reader.next(received)) {
                    Response response = ResponseCodec.decode(reader);
                    count(response);
                    seen |= until.isSeen(response);
                }
                received.compact();
            }
            return true;
        } catch (SocketTimeoutException e) {
            throw new IOException("the broker left a connection hanging", e);
        } catch (SocketException e) {
            // The broker may close the connection before it has read everything.
            return false;
        }
    }

    private void count(Response response) {
        tally.answers++;
        if (response instanceof Response.Failure failure) {
            tally.failures++;
            tally.protocolErrors += failure.status() == Status.PROTOCOL_ERROR ? 1 : 0;
        }
    }
}
