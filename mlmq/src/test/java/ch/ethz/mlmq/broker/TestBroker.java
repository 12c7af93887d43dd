package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.BrokerAddress;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientConfig;
import ch.ethz.mlmq.client.ClientLoop;
import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.config.CommonKeys;
import ch.ethz.mlmq.config.KeyRegistry;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.log.Recorder;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Starts brokers in this JVM at free ports, and makes clients with long time limits. */
public final class TestBroker {
    private static final int PATIENT_MILLIS = 60_000;
    private static final long PATIENCE_SECONDS = 60;

    private TestBroker() {
    }

    static Broker start(Map<String, String> settings) throws Exception {
        return start(settings, Recorder.NONE);
    }

    static Broker start(Map<String, String> settings, Recorder recorder) throws Exception {
        return start(settings, recorder, 0);
    }

    static Broker start(Map<String, String> settings, Recorder recorder, int port) throws Exception {
        return Broker.start(settings(settings), new BrokerSettings(BrokerSettings.SCENARIO, 0, "127.0.0.1", port),
                recorder);
    }

    public static Settings settings(Map<String, String> text) {
        return Settings.of(KeyRegistry.of(CommonKeys.ALL, BrokerKeys.ALL), new HashMap<>(text));
    }

    static ClientConfig config(int... ports) {
        StringBuilder brokers = new StringBuilder();
        for (int port : ports) {
            brokers.append(brokers.length() == 0 ? "" : ",").append("127.0.0.1:").append(port);
        }
        return ClientConfig.builder().brokers(BrokerAddress.parseList(brokers.toString()))
                .requestTimeoutMillis(PATIENT_MILLIS).connectTimeoutMillis(PATIENT_MILLIS)
                .backoffMillis(10, 200).inflightMax(10_000).build();
    }

    static Client client(int port, String name) {
        Client client = Client.connect(config(port));
        client.register(name);
        return client;
    }

    static AsyncClient async(ClientLoop loop, int port, String name) throws Exception {
        AsyncClient client = AsyncClient.open(loop, config(port));
        client.whenConnected().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        client.register(name).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        return client;
    }

    static long gauge(Broker broker, String name) {
        return broker.gauges().stream().filter(column -> column.name().equals(name))
                .mapToLong(column -> column.source().getAsLong()).findFirst().orElseThrow();
    }

    /** Waits until the condition is true. */
    static void until(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.call()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("in vain until " + what);
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }
}
