package ch.ethz.mlmq.contract;

import ch.ethz.mlmq.protocol.tls.TlsFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/** Somebody between a client and a broker, with a certificate of its own, who reads and passes on what both say. */
final class TlsRelay implements AutoCloseable {
    private final SSLContext context;
    private final SSLServerSocket server;
    private final String broker;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    /** @param name of its certificate */
    TlsRelay(TestCertificates certificates, String name, String broker) throws IOException {
        this.context = new TlsFiles(certificates.certificate(name), certificates.key(name), certificates.authority())
                .read();
        this.broker = broker;
        this.server = (SSLServerSocket) context.getServerSocketFactory().createServerSocket(0);
        new Thread(this::accept, "relay").start();
    }

    String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                String[] place = broker.split(":");
                Socket behind = context.getSocketFactory().createSocket(place[0], Integer.parseInt(place[1]));
                sockets.addAll(List.of(client, behind));
                new Thread(() -> pass(client, behind), "relay-up").start();
                new Thread(() -> pass(behind, client), "relay-down").start();
            }
        } catch (IOException e) {
            // It is closed.
        }
    }

    private static void pass(Socket from, Socket to) {
        try (from; to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            in.transferTo(out);
        } catch (IOException e) {
            // One side has closed its connection.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : new ArrayList<>(sockets)) {
            socket.close();
        }
    }
}
