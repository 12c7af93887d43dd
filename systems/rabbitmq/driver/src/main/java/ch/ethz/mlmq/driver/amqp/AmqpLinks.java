package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.agent.FatalError;
import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.link.BulkTakes;
import ch.ethz.mlmq.scenario.link.DriverAddress;
import ch.ethz.mlmq.scenario.link.Link;
import ch.ethz.mlmq.scenario.link.LinkFactory;
import ch.ethz.mlmq.scenario.link.Numbering;
import ch.ethz.mlmq.scenario.settings.DriverKeys;
import ch.ethz.mlmq.scenario.settings.DriverKeys.Acknowledge;
import com.rabbitmq.client.Address;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultSocketConfigurator;
import com.rabbitmq.client.ListAddressResolver;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * Links to RabbitMQ: one connection a client, read by a thread of the library. The library can also share threads; in
 * its version 5.0 some connections were then not read on a busy machine.
 */
final class AmqpLinks implements LinkFactory {
    private static final int CONNECTING = 8;
    private static final int CONNECT_MILLIS = 5_000;
    private static final long WATCH_MILLIS = 10;
    private static final Logger LOG = Logger.getLogger(AmqpLinks.class.getName());

    private final List<DriverAddress> addresses;
    private final Settings settings;
    private final Numbering numbering;
    private final ConnectionFactory factory;
    /** Threads for calls that block until the server's response: connecting, declaring, looking up queues. */
    private final ScheduledExecutorService helpers = Executors.newScheduledThreadPool(CONNECTING,
            daemons("amqp-helper"));
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(daemons("amqp-watch"));
    /** Threads for the ends of connections; helpers wait for these, so they are separate. */
    private final ExecutorService endings = shortLived("amqp-ending");
    private final ExecutorService deliveries = new CallerExecutor();
    private final List<AmqpLink> links = new CopyOnWriteArrayList<>();

    AmqpLinks(List<DriverAddress> addresses, Settings settings) {
        this.addresses = addresses;
        this.settings = settings;
        this.numbering = new Numbering(settings);
        this.factory = factory();
        watch.scheduleWithFixedDelay(FatalError.guarded(() -> {
            long now = System.nanoTime();
            links.forEach(link -> endWaits(link, now));
        }), WATCH_MILLIS, WATCH_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Ends waits of a link that take too long; a failure of one link does not affect the others. */
    private static void endWaits(AmqpLink link, long now) {
        try {
            link.endWaits(now);
        } catch (RuntimeException e) {
            LOG.log(Level.SEVERE, "the watch continues after an error", e);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.log(Level.FINE, "closing a broken connection failed", e);
        }
    }

    private static void checkName(Socket socket) throws IOException {
        if (socket instanceof SSLSocket encrypted) {
            SSLParameters parameters = encrypted.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            encrypted.setSSLParameters(parameters);
            // Without this, close would wait without a limit for a write that the server does not read.
            encrypted.setSoLinger(true, 1);
        }
        new DefaultSocketConfigurator().configure(socket);
    }

    @Override
    public int threadsPerLink() {
        return 1;
    }

    @Override
    public Link open(ClientId id, Runnable changed) {
        AmqpLink link = new AmqpLink(id, this, settings, numbering, helpers, changed);
        links.add(link);
        link.connectSoon(0);
        Acknowledge way = settings.get(DriverKeys.ACKNOWLEDGE);
        return way == Acknowledge.NONE || way == Acknowledge.TRANSACTED ? link : new BulkTakes(link);
    }

    void forget(AmqpLink link) {
        links.remove(link);
    }

    /**
     * An open connection.
     *
     * @param breakOff closes its socket without waiting: the library's own close writes to it first
     */
    record Opened(Connection connection, Runnable breakOff) {
    }

    /** Connects to a node; the first choice is the next node for each client. */
    Opened connect(ClientId id) throws IOException, TimeoutException {
        List<Address> rotated = new ArrayList<>();
        addresses.forEach(address -> rotated.add(new Address(address.host(), address.port())));
        Collections.rotate(rotated, -(id.position() + id.number()) % rotated.size());
        AtomicReference<Socket> used = new AtomicReference<>();
        ConnectionFactory remembering = factory.clone();
        remembering.setSocketConfigurator(socket -> {
            factory.getSocketConfigurator().configure(socket);
            used.set(socket);
        });
        // From a list of one the library would make addresses, and a certificate is for the name.
        Connection connection = remembering.newConnection(deliveries, new ListAddressResolver(rotated), id.name());
        return new Opened(connection, () -> endings.execute(() -> close(used.get())));
    }

    @Override
    public String target() {
        return "RabbitMQ at " + DriverAddress.names(addresses);
    }

    @Override
    public boolean echoes() {
        return false;
    }

    @Override
    public void close() {
        links.forEach(AmqpLink::abandon);
        watch.shutdownNow();
        helpers.shutdownNow();
    }

    private ConnectionFactory factory() {
        DriverAddress first = addresses.get(0);
        ConnectionFactory made = new ConnectionFactory();
        if (!first.user().isEmpty()) {
            made.setUsername(first.user());
        }
        if (!DriverAddress.password().isEmpty()) {
            made.setPassword(DriverAddress.password());
        }
        made.setVirtualHost(first.path().isEmpty() ? "/" : first.path());
        made.setConnectionTimeout(CONNECT_MILLIS);
        made.setHandshakeTimeout(CONNECT_MILLIS);
        made.setChannelRpcTimeout(CONNECT_MILLIS);
        made.setAutomaticRecoveryEnabled(false);
        made.setThreadFactory(daemons("client-io"));
        made.setHeartbeatExecutor(helpers);
        made.setShutdownExecutor(endings);
        if (first.isEncrypted()) {
            // Without this the library would trust any certificate.
            try {
                made.useSslProtocol(SSLContext.getDefault());
                made.setSocketConfigurator(AmqpLinks::checkName);
            } catch (GeneralSecurityException e) {
                throw new ConfigurationException("this JVM cannot encrypt: " + e.getMessage(), e);
            }
        }
        return made;
    }

    /** Makes threads that end soon after their last use, because connections use them until their very end. */
    private static ExecutorService shortLived(String name) {
        return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(),
                daemons(name));
    }

    private static ThreadFactory daemons(String name) {
        return work -> {
            Thread made = new Thread(work, name);
            made.setDaemon(true);
            return made;
        };
    }
}
