package ch.ethz.mlmq.calibration;

import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The listening end of network tests. It serves one client after the other, each for a limited time. */
public final class NetworkServer implements Closeable {
    /** Asks for the same byte back. */
    static final int PING = 'P';
    /** Announces that all further bytes are only counted, up to the end of the stream. */
    static final int STREAM = 'S';
    static final int BUFFER = 1 << 16;
    private static final long OF_A_STRANGER = TimeUnit.SECONDS.toNanos(1);
    private static final long OF_A_CLIENT = TimeUnit.SECONDS.toNanos(6);

    private final ServerSocket socket;
    private final Token token;

    /** @param token words that clients must know */
    public NetworkServer(InetSocketAddress address, String token) throws IOException {
        this.token = new Token(token);
        socket = new ServerSocket();
        socket.bind(address);
    }

    public int port() {
        return socket.getLocalPort();
    }

    /**
     * @param  clients number of tests after which it ends
     * @param  atMost  time after which it ends in any case
     * @return         number of tests that came to their end
     */
    public int serve(int clients, Duration atMost) throws IOException {
        long end = System.nanoTime() + atMost.toNanos();
        int served = 0;
        while (served < clients && System.nanoTime() < end) {
            try {
                socket.setSoTimeout(left(end));
                try (Socket client = socket.accept()) {
                    served += serve(client, end) ? 1 : 0;
                }
            } catch (SocketTimeoutException e) {
                // The next round finds out whether it was the client's time or that of all.
                continue;
            }
        }
        return served;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** @return false if the client was a stranger, or left */
    private boolean serve(Socket client, long end) {
        try {
            client.setTcpNoDelay(true);
            long now = System.nanoTime();
            if (!isKnown(client, Math.min(end, now + OF_A_STRANGER))) {
                return false;
            }
            long patience = Math.min(end, now + OF_A_CLIENT);
            InputStream in = client.getInputStream();
            DataOutputStream out = new DataOutputStream(client.getOutputStream());
            while (read(client, in, new byte[1], 1, patience) == PING) {
                out.write(PING);
            }
            out.writeLong(count(client, in, patience));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private boolean isKnown(Socket client, long end) throws IOException {
        byte[] told = new byte[Token.BYTES];
        read(client, client.getInputStream(), told, told.length, end);
        return token.is(told);
    }

    /** @return the first of so many bytes */
    private static int read(Socket client, InputStream in, byte[] bytes, int length, long end) throws IOException {
        for (int got = 0; got < length;) {
            client.setSoTimeout(left(end));
            int more = in.read(bytes, got, length - got);
            if (more < 0) {
                throw new EOFException();
            }
            got += more;
        }
        return bytes[0];
    }

    private static long count(Socket client, InputStream in, long end) throws IOException {
        byte[] buffer = new byte[BUFFER];
        long count = 0;
        int got = 0;
        while (got >= 0) {
            count += got;
            client.setSoTimeout(left(end));
            got = in.read(buffer);
        }
        return count;
    }

    /** @return ms, at least 1, as 0 would mean for ever */
    private static int left(long end) throws SocketTimeoutException {
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left < 0) {
            throw new SocketTimeoutException();
        }
        return (int) Math.min(Integer.MAX_VALUE, Math.max(1, left));
    }
}
