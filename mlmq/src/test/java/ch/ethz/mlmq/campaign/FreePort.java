package ch.ethz.mlmq.campaign;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for processes that are started, killed and started again at the same place. They lie below those that the
 * system gives to outgoing connections, so that nobody gets one of them while its process is away.
 */
public final class FreePort {
    private static final int FROM = 12_000;
    private static final int TO = 30_000;

    private FreePort() {
    }

    /** @return a port at which nobody listens on this machine's own address */
    public static int find() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FROM, TO);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                // Somebody has it: another one will be free.
            }
        }
    }
}
