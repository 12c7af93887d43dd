package ch.ethz.mlmq.broker.io;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.broker.status.Counters;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;

/** Accepts connections and distributes them over the I/O threads. */
public final class Acceptor implements Agent {
    private static final int BACKLOG = 1_024;
    /** Number of connections beyond the limit that get BROKER_FULL; any more are closed without a response. */
    private static final int TOLD_BEYOND = 100;

    private final ServerSocketChannel server;
    private final Counters counters;
    private final int maxClients;
    private List<IoAgent> ioAgents = List.of();
    private Placement placement;

    /** Binds the port. */
    public Acceptor(InetSocketAddress address, Counters counters, int maxClients) throws IOException {
        this.counters = counters;
        this.maxClients = maxClients;
        this.server = ServerSocketChannel.open();
        try {
            server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            server.bind(address, BACKLOG);
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    /** Sets the agents that serve the connections, and which of them serves which. */
    public void serveBy(List<IoAgent> agents, Placement each) {
        ioAgents = agents;
        placement = each;
    }

    /** @return the port it listens on */
    public int port() throws IOException {
        return ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    @Override
    public String roleName() {
        return "acceptor";
    }

    @Override
    public int doWork() throws IOException {
        SocketChannel channel;
        try {
            channel = server.accept();
        } catch (ClosedChannelException e) {
            return 0;
        }
        long clients = counters.clients.incrementAndGet();
        if (clients > maxClients + TOLD_BEYOND) {
            counters.clients.decrementAndGet();
            channel.close();
        } else {
            ioAgents.get(placement.thread(channel.socket().getInetAddress())).adopt(channel, clients > maxClients);
        }
        return 1;
    }

    @Override
    public void wakeUp() {
        close();
    }

    @Override
    public void onClose() {
        close();
    }

    /** Closes the port; no more connections are accepted. */
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
