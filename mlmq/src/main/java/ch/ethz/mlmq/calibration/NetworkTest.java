package ch.ethz.mlmq.calibration;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * What a network test found from its client to its server.
 *
 * @param bytesPerSecond of one connection, as the server received them
 * @param roundTrips     of one byte
 */
public record NetworkTest(double bytesPerSecond, Times roundTrips) {
    private static final int MOST_PINGS = 500;
    private static final long PINGS_AT_MOST = TimeUnit.MILLISECONDS.toNanos(300);
    private static final int WARM_UP = 20;
    private static final int CONNECT_MS = 2_000;
    private static final int AGAIN_MS = 20;

    /**
     * @param token    words that the server knows
     * @param sendFor  time in which bytes are sent
     * @param patience time within which the server must listen, and then answer all and read what was sent
     */
    public static NetworkTest with(InetSocketAddress server, String token, Duration sendFor, Duration patience)
            throws IOException {
        try (Socket socket = connected(server, System.nanoTime() + patience.toNanos())) {
            delayed(sendFor.plus(patience)).execute(() -> close(socket));
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) patience.toMillis());
            OutputStream out = socket.getOutputStream();
            DataInputStream in = new DataInputStream(socket.getInputStream());
            out.write(new Token(token).bytes());
            Times roundTrips = ping(out, in);
            return new NetworkTest(stream(socket, out, in, sendFor.toNanos()), roundTrips);
        } catch (SocketException | SocketTimeoutException e) {
            throw new IOException("no response from " + server.getHostString() + ":" + server.getPort(), e);
        }
    }

    private static Executor delayed(Duration delay) {
        return CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Ends a write, which has no timeout of its own, and answers that come one by one. */
    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The server is started at the same time, so it may listen a little later. */
    private static Socket connected(InetSocketAddress server, long end) throws IOException {
        while (true) {
            Socket socket = new Socket();
            try {
                socket.connect(server, CONNECT_MS);
                return socket;
            } catch (ConnectException e) {
                socket.close();
                if (System.nanoTime() > end) {
                    throw new IOException("nothing listens at " + server.getHostString() + ":" + server.getPort(), e);
                }
                pause();
            } catch (IOException e) {
                socket.close();
                throw e;
            }
        }
    }

    private static void pause() throws IOException {
        try {
            TimeUnit.MILLISECONDS.sleep(AGAIN_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static Times ping(OutputStream out, DataInputStream in) throws IOException {
        for (int i = 0; i < WARM_UP; i++) {
            pingOnce(out, in);
        }
        long[] nanos = new long[MOST_PINGS];
        long start = System.nanoTime();
        int done = 0;
        do {
            nanos[done++] = pingOnce(out, in);
        } while (done < MOST_PINGS && System.nanoTime() - start < PINGS_AT_MOST);
        return new Times(Arrays.copyOf(nanos, done));
    }

    private static long pingOnce(OutputStream out, DataInputStream in) throws IOException {
        long begun = System.nanoTime();
        out.write(NetworkServer.PING);
        if (in.read() != NetworkServer.PING) {
            throw new IOException("the other end is no server of this test, or does not know the token");
        }
        return System.nanoTime() - begun;
    }

    private static double stream(Socket socket, OutputStream out, DataInputStream in, long sendFor)
            throws IOException {
        byte[] buffer = new byte[NetworkServer.BUFFER];
        long begun = System.nanoTime();
        out.write(NetworkServer.STREAM);
        long sent = 0;
        while (System.nanoTime() - begun < sendFor) {
            out.write(buffer);
            sent += buffer.length;
        }
        socket.shutdownOutput();
        long received = in.readLong();
        if (received != sent) {
            throw new IOException("the other end says that it received " + received + " bytes of " + sent);
        }
        return received * (double) TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - begun);
    }
}
