package ch.ethz.mlmq.scenario.link;

import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.BrokerAddress;
import ch.ethz.mlmq.client.ClientConfig;
import ch.ethz.mlmq.client.ClientLoop;
import ch.ethz.mlmq.client.ClientState;
import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.client.Credentials;
import ch.ethz.mlmq.client.TlsConfig;
import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Key;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.Positions;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import ch.ethz.mlmq.scenario.settings.DriverKeys;
import ch.ethz.mlmq.scenario.settings.TlsMode;
import ch.ethz.mlmq.scenario.settings.TopicKeys;
import ch.ethz.mlmq.scenario.settings.TopicKeys.Layout;
import java.nio.file.Path;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Links to brokers. Each client has a connection; connections are spread over a few I/O threads and evenly over the
 * brokers. Brokers that share no topics are those of {@code client.topic.layout}.
 */
public final class BrokerLinks implements LinkFactory {
    /** Requests in flight during the preparation, which no setting of the load limits. */
    public static final int PREPARING_INFLIGHT = 128;

    private final List<BrokerAddress> brokers;
    private final Settings settings;
    private final TlsConfig tls;
    private final Credentials credentials;
    /** Null for the address that the system chooses. */
    private final InetAddress source;
    private final List<ClientLoop> loops = new ArrayList<>();
    /** Null if clients request each message. */
    private final Consuming consuming;

    /** @param brokers at least one */
    public BrokerLinks(List<BrokerAddress> brokers, Settings settings) {
        this.brokers = List.copyOf(brokers);
        this.settings = settings;
        this.tls = tls(settings);
        this.credentials = credentials(settings);
        this.source = source(settings.get(DriverKeys.SOURCE));
        for (int i = 0; i < settings.get(ClientKeys.IO_THREADS); i++) {
            loops.add(ClientLoop.start("client-io-" + i));
        }
        this.consuming = settings.get(DriverKeys.TAKE) == DriverKeys.Take.CONSUME ? new Consuming(settings) : null;
    }

    @Override
    public Link open(ClientId id, Runnable changed) {
        Link link = connected(id, changed);
        DriverKeys.Acknowledge way = settings.get(DriverKeys.ACKNOWLEDGE);
        if (way == DriverKeys.Acknowledge.EACH) {
            return new BulkTakes(new OneByOne(link), true);
        }
        return way == DriverKeys.Acknowledge.BATCH ? new BulkTakes(link, true) : link;
    }

    private Link connected(ClientId id, Runnable changed) {
        Layout layout = settings.get(TopicKeys.LAYOUT);
        if (layout != Layout.SHARED) {
            List<Link> links = new ArrayList<>();
            for (BrokerAddress broker : layout.owner().equals(id.scenario())
                    ? List.of(brokers.get(Positions.index(id, settings))) : brokers) {
                links.add(new BrokerLink(client(id, List.of(broker), changed)));
            }
            return links.size() == 1 ? links.get(0) : new EveryBrokerLink(links);
        }
        List<BrokerAddress> rotated = new ArrayList<>(brokers);
        Collections.rotate(rotated, -(id.position() + id.number()) % brokers.size());
        AsyncClient client = client(id, rotated, changed);
        Link link = new BrokerLink(client);
        return consuming == null ? link : consuming.link(id, client, link);
    }

    @Override
    public int brokersOf(String scenario) {
        Layout layout = settings.get(TopicKeys.LAYOUT);
        return layout == Layout.SHARED || layout.owner().equals(scenario) ? 1 : brokers.size();
    }

    @Override
    public boolean sharesTopics() {
        return settings.get(TopicKeys.LAYOUT) == Layout.SHARED;
    }

    @Override
    public String target() {
        return brokers.size() == 1 ? "the broker " + brokers.get(0) : "the brokers " + brokers;
    }

    @Override
    public void close() {
        if (consuming != null) {
            consuming.close();
        }
        loops.forEach(ClientLoop::close);
    }

    /** Opens a client of some brokers, the first of which it prefers. */
    private AsyncClient client(ClientId id, List<BrokerAddress> preferred, Runnable changed) {
        return AsyncClient.open(loops.get(id.number() % loops.size()), config(preferred),
                (state, reason) -> changed.run());
    }

    private ClientConfig config(List<BrokerAddress> preferred) {
        return ClientConfig.builder()
                .brokers(preferred)
                .inflightMax(Math.max(PREPARING_INFLIGHT, settings.get(ClientKeys.INFLIGHT_MAX)))
                .requestTimeoutMillis((int) settings.get(ClientKeys.TIMEOUT).toMillis())
                .backoffMillis((int) settings.get(ClientKeys.BACKOFF).toMillis(),
                        (int) settings.get(ClientKeys.BACKOFF_MAX).toMillis())
                .source(source)
                .tls(tls)
                .credentials(credentials)
                .build();
    }

    private static InetAddress source(String text) {
        if (text.isEmpty()) {
            return null;
        }
        try (ServerSocket ours = new ServerSocket()) {
            InetAddress address = InetAddress.getByName(text);
            ours.bind(new InetSocketAddress(address, 0));
            return address;
        } catch (IOException e) {
            throw new ConfigurationException(DriverKeys.SOURCE.name() + "=" + text + ": this machine has no such "
                    + "address (" + e.getMessage() + "); leave it out, or set one that `ip address` shows", e);
        }
    }

    private static TlsConfig tls(Settings settings) {
        TlsMode mode = settings.get(ClientKeys.TLS);
        if (mode == TlsMode.DISABLE) {
            return null;
        }
        try {
            TlsConfig config = TlsConfig.of(path(settings, ClientKeys.TLS_AUTHORITIES),
                    path(settings, ClientKeys.TLS_CERTIFICATE), path(settings, ClientKeys.TLS_KEY));
            return mode == TlsMode.VERIFY_FULL ? config : config.withoutHostVerification();
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(e.getMessage(), e);
        }
    }

    private static Credentials credentials(Settings settings) {
        String user = settings.get(ClientKeys.USER);
        Path file = path(settings, ClientKeys.PASSWORD_FILE);
        if (user.isEmpty() && file != null) {
            throw new ConfigurationException(ClientKeys.PASSWORD_FILE.name() + " needs " + ClientKeys.USER.name());
        }
        try {
            return user.isEmpty() ? null : Credentials.of(user, file);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(e.getMessage(), e);
        }
    }

    private static Path path(Settings settings, Key<String> key) {
        String name = settings.get(key);
        return name.isEmpty() ? null : Path.of(name);
    }

    /** A link through the asynchronous client. */
    private record BrokerLink(AsyncClient client) implements Link {
        @Override
        public Status submit(Request request, Completion completion) {
            return client.submit(request, 0, completion);
        }

        @Override
        public boolean isConnected() {
            return client.state() == ClientState.CONNECTED;
        }

        @Override
        public String state() {
            return client.stateReason();
        }

        @Override
        public CompletableFuture<Void> close() {
            return client.close();
        }
    }
}
