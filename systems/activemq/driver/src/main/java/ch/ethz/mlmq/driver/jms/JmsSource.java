package ch.ethz.mlmq.driver.jms;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.link.BlockingSession;
import ch.ethz.mlmq.scenario.link.DriverAddress;
import ch.ethz.mlmq.scenario.link.Numbering;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import ch.ethz.mlmq.scenario.settings.DriverKeys;
import ch.ethz.mlmq.scenario.settings.DriverKeys.Take;
import ch.ethz.mlmq.scenario.settings.TopicKeys;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.jms.InvalidDestinationException;
import javax.jms.JMSException;
import javax.jms.JMSSecurityException;
import javax.jms.ResourceAllocationException;
import org.apache.activemq.ActiveMQConnection;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.ActiveMQPrefetchPolicy;
import org.apache.activemq.transport.RequestTimedOutIOException;

/** Opens connections to ActiveMQ, and translates its exceptions. */
final class JmsSource implements BlockingSession.Source {
    private static final int CONNECT_MILLIS = 5_000;
    private static final int CLOSE_MILLIS = 1_000;

    private final List<DriverAddress> addresses;
    private final Settings settings;
    private final Numbering numbering;
    private final AtomicInteger attempts = new AtomicInteger();
    private final Map<ClientId, SharedConnection> connections = new ConcurrentHashMap<>();

    JmsSource(List<DriverAddress> addresses, Settings settings) {
        this.addresses = addresses;
        this.settings = settings;
        this.numbering = new Numbering(settings);
    }

    @Override
    public BlockingSession connect(ClientId id) throws JMSException {
        SharedConnection shared = connections.computeIfAbsent(id, client -> new SharedConnection());
        ActiveMQConnection connection = shared.join(() -> open(id));
        try {
            return new JmsSession(shared, connection, settings, numbering, numbering.client(id));
        } catch (JMSException | RuntimeException e) {
            shared.leave(connection);
            throw e;
        }
    }

    /** Connects to the next broker at each attempt. */
    private ActiveMQConnection open(ClientId id) throws JMSException {
        DriverAddress address = addresses.get(Math.floorMod(attempts.getAndIncrement(), addresses.size()));
        ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(url(address));
        if (!address.user().isEmpty()) {
            factory.setUserName(address.user());
            factory.setPassword(DriverAddress.password());
        }
        factory.setPrefetchPolicy(prefetchPolicy());
        factory.setAlwaysSyncSend(true);
        factory.setWatchTopicAdvisories(false);
        factory.setSendTimeout((int) settings.get(ClientKeys.TIMEOUT).toMillis());
        factory.setConnectResponseTimeout(CONNECT_MILLIS);
        factory.setCloseTimeout(CLOSE_MILLIS);
        ActiveMQConnection connection = (ActiveMQConnection) factory.createConnection();
        try {
            if (settings.get(TopicKeys.DURABLE)) {
                connection.setClientID(settings.get(DriverKeys.PREFIX) + "." + id.name());
            }
            connection.start();
            return connection;
        } catch (JMSException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** ActiveMQ itself pushes up to 32,766 messages to each subscription that is not durable. */
    ActiveMQPrefetchPolicy prefetchPolicy() {
        ActiveMQPrefetchPolicy policy = new ActiveMQPrefetchPolicy();
        int prefetch = settings.get(DriverKeys.PREFETCH);
        policy.setQueuePrefetch(pushedMessages());
        policy.setTopicPrefetch(prefetch == 0 ? PushedMessages.MOST : prefetch);
        if (prefetch > 0) {
            policy.setDurableTopicPrefetch(prefetch);
        }
        return policy;
    }

    private int pushedMessages() {
        if (settings.get(DriverKeys.TAKE) == Take.GET) {
            return 0;
        }
        int prefetch = settings.get(DriverKeys.PREFETCH);
        return prefetch == 0 ? settings.get(ClientKeys.INFLIGHT_MAX) : prefetch;
    }

    @Override
    public BlockingSession.Failure failure(Exception e) {
        String text = "";
        boolean timedOut = false;
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            timedOut |= cause instanceof RequestTimedOutIOException;
            text = cause.getMessage() == null ? text : cause.getMessage().lines().findFirst().orElse("");
        }
        if (timedOut) {
            return new BlockingSession.Failure(Status.TIMEOUT, "no response in time");
        }
        boolean refused = e instanceof InvalidDestinationException || e instanceof JMSSecurityException
                || e instanceof ResourceAllocationException;
        return new BlockingSession.Failure(refused ? Status.BROKER_ERROR : Status.CONNECTION_LOST,
                text.isEmpty() ? e.getClass().getSimpleName() : text);
    }

    @Override
    public String target() {
        return "ActiveMQ at " + DriverAddress.names(addresses);
    }

    private static String url(DriverAddress address) {
        return address.scheme() + "://" + address.host() + ":" + address.port() + "?connectionTimeout=" + CONNECT_MILLIS
                + (address.query().isEmpty() ? "" : "&" + address.query());
    }
}
