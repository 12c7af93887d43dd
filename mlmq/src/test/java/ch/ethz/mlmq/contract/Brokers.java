package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.broker.Broker;
import ch.ethz.mlmq.broker.BrokerSettings;
import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.BrokerAddress;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientConfig;
import ch.ethz.mlmq.client.ClientLoop;
import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.config.CommonKeys;
import ch.ethz.mlmq.config.KeyRegistry;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.log.Recorder;
import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Brokers of a test class, in this JVM, and clients of theirs over the network. A broker of a storage starts when it is
 * first asked for and serves all tests of the class; clients end with their test. PostgreSQL is that of
 * {@code bin/services}, with a database of the class's own.
 */
final class Brokers implements AfterAllCallback, AfterEachCallback {
    private static final int PATIENT_MILLIS = 20_000;
    private static final long PATIENCE_SECONDS = 60;
    private static final Pattern SENT_AWAY = Pattern.compile("\"sent_away\":(\\d+)");
    private static final String HOST = "127.0.0.1";

    private final Map<String, String> overrides;
    private final Map<StorageKind, String> shared = new EnumMap<>(StorageKind.class);
    private final Map<String, Broker> brokers = new LinkedHashMap<>();
    private final Deque<Client> clients = new ArrayDeque<>();
    private final Map<AsyncClient, ClientLoop> asyncClients = new HashMap<>();
    private final AtomicInteger names = new AtomicInteger();
    private TestDatabase database;

    Brokers() {
        this(Map.of());
    }

    /** @param overrides settings of all brokers */
    Brokers(Map<String, String> overrides) {
        this.overrides = overrides;
    }

    /** @return {@code host:port} of the class's broker on that storage */
    String address(StorageKind storage) {
        return shared.computeIfAbsent(storage, kind -> start(kind, Map.of()));
    }

    /**
     * Starts a further broker.
     *
     * @return its {@code host:port}
     */
    String start(StorageKind storage, Map<String, String> settings) {
        return startAt(HOST + ":0", storage, settings);
    }

    /** Starts a broker that keeps its messages in memory and listens on another address. */
    void startOn(String host, Map<String, String> settings) {
        startAt(host + ":0", StorageKind.MEMORY, settings);
    }

    /** Starts a broker at a free address {@code host:port}. */
    String startAt(String wanted, StorageKind storage, Map<String, String> settings) {
        Map<String, String> text = new HashMap<>(overrides);
        text.put("broker.storage", storage.name().toLowerCase(Locale.ROOT));
        text.putAll(settings);
        if (storage == StorageKind.POSTGRESQL) {
            if (database == null) {
                database = new TestDatabase();
            }
            text.putAll(database.settings());
        }
        try {
            Broker broker = Broker.start(Settings.of(KeyRegistry.of(CommonKeys.ALL, BrokerKeys.ALL), text),
                    new BrokerSettings(BrokerSettings.SCENARIO, brokers.size(),
                            wanted.substring(0, wanted.indexOf(':')),
                            Integer.parseInt(wanted.substring(wanted.indexOf(':') + 1))), Recorder.NONE);
            String address = HOST + ":" + broker.port();
            brokers.put(address, broker);
            return address;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    TestDatabase database() {
        return database;
    }

    void stop(String address) {
        brokers.get(address).close();
    }

    /** @return the value of one of the broker's gauges */
    long gauge(String address, String name) {
        return brokers.get(address).gauges().stream().filter(column -> column.name().equals(name))
                .mapToLong(column -> column.source().getAsLong()).findFirst().orElseThrow();
    }

    /** @return requests that the broker has received since its start */
    long requests(String address) {
        return brokers.get(address).statistics().stream().filter(column -> column.name().equals("requests"))
                .mapToLong(column -> column.source().getAsLong()).sum();
    }

    /** @return connections that the broker has closed because of a limit */
    long sentAway(String address) {
        Matcher matcher = SENT_AWAY.matcher(brokers.get(address).status());
        assertThat(matcher.find()).isTrue();
        return Long.parseLong(matcher.group(1));
    }

    /** @return a name nobody else in this class has */
    String name(String prefix) {
        return prefix + "-" + names.incrementAndGet();
    }

    /** @return id of a new queue */
    int queue(Client client) {
        return client.createQueue(name("queue"));
    }

    Client client(StorageKind storage) {
        return clientAt(address(storage));
    }

    Client registered(StorageKind storage) {
        Client client = client(storage);
        client.register(name("client"));
        return client;
    }

    Client clientAt(String addresses) {
        Client client = Client.connect(config(addresses, PATIENT_MILLIS));
        clients.push(client);
        return client;
    }

    AsyncClient async(StorageKind storage) throws Exception {
        return asyncAt(address(storage));
    }

    AsyncClient asyncRegistered(StorageKind storage) throws Exception {
        AsyncClient client = async(storage);
        client.register(name("client")).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        return client;
    }

    AsyncClient asyncAt(String addresses) throws Exception {
        return asyncAt(addresses, PATIENT_MILLIS);
    }

    AsyncClient asyncAt(String addresses, int timeoutMillis) throws Exception {
        ClientLoop loop = ClientLoop.start("test-client");
        AsyncClient client = AsyncClient.open(loop, config(addresses, timeoutMillis));
        asyncClients.put(client, loop);
        client.whenConnected().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        return client;
    }

    /** Waits until the broker has seen what the client sent before. */
    void roundTrip(AsyncClient client) {
        try {
            client.echo(new byte[0]).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Breaks the client's connection, without a goodbye. */
    void disconnect(AsyncClient client) {
        asyncClients.remove(client).close();
    }

    /** Waits until the condition is true. */
    void until(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.call()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("in vain until " + what);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        clients.forEach(Client::close);
        clients.clear();
        asyncClients.values().forEach(ClientLoop::close);
        asyncClients.clear();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        brokers.values().forEach(Broker::close);
        if (database != null) {
            database.close();
        }
    }

    private static ClientConfig config(String addresses, int timeoutMillis) {
        return ClientConfig.builder().brokers(BrokerAddress.parseList(addresses)).requestTimeoutMillis(timeoutMillis)
                .backoffMillis(10, 200).inflightMax(10_000).build();
    }
}
