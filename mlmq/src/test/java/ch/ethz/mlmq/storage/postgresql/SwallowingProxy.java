package ch.ethz.mlmq.storage.postgresql;

import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A network between a broker and its database that can drop packets without an error. */
public final class SwallowingProxy implements AutoCloseable {
    private final ServerSocket server;
    private final URI target;
    private final DatabaseAddress address;
    private final List<Link> links = new CopyOnWriteArrayList<>();

    private volatile String swallowed;

    private static final class Link {
        private final Socket client;
        private final Socket server;
        private volatile boolean swallows;
        private volatile boolean swallowsAnswers;

        private Link(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }
    }

    public SwallowingProxy(DatabaseAddress database) throws IOException {
        target = URI.create(database.url().substring("jdbc:".length()));
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        address = new DatabaseAddress("jdbc:postgresql://127.0.0.1:" + server.getLocalPort() + target.getPath(),
                database.user(), database.password());
        start(this::accept);
    }

    /** @return the way to the database over this network */
    public DatabaseAddress address() {
        return address;
    }

    /** Drops everything on the present connections from now on; new ones work. */
    public void swallow() {
        links.forEach(link -> link.swallows = true);
    }

    /** Drops the response to a statement with this text from now on, and everything after it on its connection. */
    public void swallowAnswersTo(String text) {
        swallowed = text;
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Link link : links) {
            link.client.close();
            link.server.close();
        }
    }

    private void accept() {
        try {
            while (true) {
                Link link = new Link(server.accept(), new Socket(target.getHost(), target.getPort()));
                links.add(link);
                start(() -> copy(link, link.client, link.server));
                start(() -> copy(link, link.server, link.client));
            }
        } catch (IOException e) {
            // It is closed.
        }
    }

    private void copy(Link link, Socket from, Socket to) {
        byte[] bytes = new byte[1 << 16];
        try (InputStream in = from.getInputStream(); OutputStream out = to.getOutputStream()) {
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                String wanted = swallowed;
                if (wanted != null && to == link.server
                        && new String(bytes, 0, count, StandardCharsets.ISO_8859_1).contains(wanted)) {
                    link.swallowsAnswers = true;
                    swallowed = null;
                }
                if (!link.swallows && !(link.swallowsAnswers && to == link.client)) {
                    out.write(bytes, 0, count);
                }
            }
            while (link.swallows && !to.isClosed()) {
                Thread.sleep(100);
            }
        } catch (IOException e) {
            // One side has ended the connection, which ends it for the other.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "swallowing-proxy");
        thread.setDaemon(true);
        thread.start();
    }
}
