package ch.ethz.mlmq.contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** A network between a client and its broker that loses answers, and then the connections. */
final class CuttingProxy implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final String[] target;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicLong lostBytes = new AtomicLong();
    private volatile boolean loses;
    private volatile boolean losesRequests;

    CuttingProxy(String broker) throws IOException {
        target = broker.split(":");
        start(this::accept);
    }

    String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    /** Drops all responses from now on. */
    void loseAnswers() {
        loses = true;
    }

    /** Drops everything from now on. */
    void loseEverything() {
        losesRequests = true;
        loses = true;
    }

    long lostBytes() {
        return lostBytes.get();
    }

    /** Ends the connections; new ones work. */
    void cut() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        sockets.clear();
        loses = false;
        losesRequests = false;
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                Socket broker = new Socket(target[0], Integer.parseInt(target[1]));
                sockets.addAll(List.of(client, broker));
                start(() -> copy(client, broker, false));
                start(() -> copy(broker, client, true));
            }
        } catch (IOException e) {
            // It is closed.
        }
    }

    private void copy(Socket from, Socket to, boolean answers) {
        byte[] bytes = new byte[1 << 16];
        try (InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                if (answers ? loses : losesRequests) {
                    lostBytes.addAndGet(count);
                } else {
                    out.write(bytes, 0, count);
                }
            }
        } catch (IOException e) {
            // One side has ended the connection, which ends it for the other.
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "cutting-proxy");
        thread.setDaemon(true);
        thread.start();
    }
}
