package ch.ethz.mlmq.contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A network that changes one byte of what a client sends to its broker. */
final class FlippingRelay implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final String[] target;
    private final int place;
    private final int change;

    /**
     * @param place  number of the byte among those that the client sends, from 0
     * @param change bits of it that change
     */
    FlippingRelay(String broker, int place, int change) throws IOException {
        this.target = broker.split(":");
        this.place = place;
        this.change = change;
        start(this::relay);
    }

    String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    private void relay() {
        try (Socket client = server.accept(); Socket broker = new Socket(target[0], Integer.parseInt(target[1]))) {
            Thread answers = start(() -> copy(broker, client, Integer.MAX_VALUE));
            copy(client, broker, place);
            broker.shutdownOutput();
            answers.join();
        } catch (IOException | InterruptedException e) {
            // One side has ended the connection, which ends it for the other.
        }
    }

    private void copy(Socket from, Socket to, int flipped) {
        byte[] bytes = new byte[1 << 12];
        int before = 0;
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                if (flipped >= before && flipped < before + count) {
                    bytes[flipped - before] ^= (byte) change;
                }
                before += count;
                out.write(bytes, 0, count);
            }
            to.shutdownOutput();
        } catch (IOException e) {
            // As above.
        }
    }

    private static Thread start(Runnable task) {
        Thread thread = new Thread(task, "flipping-relay");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
