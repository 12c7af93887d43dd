package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.driver.contract.ServerUnderTest;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A RabbitMQ server for one test, with its own name server, so that two servers do not meet. */
final class RabbitServer extends ServerUnderTest {
    private final int epmdPort = freePort();
    private final int distributionPort = freePort();
    private final TlsIdentity identity;
    private Process epmd;

    private RabbitServer(TlsIdentity identity) throws IOException {
        super("rabbitmq");
        this.identity = identity;
    }

    static RabbitServer started() throws IOException, InterruptedException {
        return started(new RabbitServer(null));
    }

    /** A server that takes encrypted connections alone, and shows this certificate. */
    static RabbitServer startedWith(TlsIdentity identity) throws IOException, InterruptedException {
        RabbitServer server = new RabbitServer(identity);
        identity.writeTo(server.folder());
        Files.writeString(server.folder().resolve("tls.conf"), """
                listeners.tcp = none
                listeners.ssl.1 = 127.0.0.1:%d
                ssl_options.certfile = %s/certificate.pem
                ssl_options.keyfile = %2$s/key.pem
                """.formatted(server.port(), server.folder()));
        return started(server);
    }

    private static RabbitServer started(RabbitServer server) throws IOException, InterruptedException {
        server.epmd = server.spawn(server.folder().resolve("epmd.log"),
                List.of("epmd", "-port", String.valueOf(server.epmdPort), "-address", "127.0.0.1"));
        server.start();
        return server;
    }

    @Override
    public String address() {
        return (identity == null ? "amqp" : "amqps") + "://guest@127.0.0.1:" + port();
    }

    @Override
    protected List<String> command() {
        return List.of("/usr/lib/rabbitmq/bin/rabbitmq-server");
    }

    @Override
    protected Map<String, String> environment() {
        String folder = folder().toString();
        Map<String, String> environment = new HashMap<>(Map.ofEntries(Map.entry("HOME", folder),
                Map.entry("RABBITMQ_MNESIA_BASE", folder + "/mnesia"),
                Map.entry("RABBITMQ_LOGS", "-"),
                Map.entry("RABBITMQ_NODENAME", "test" + port() + "@localhost"),
                Map.entry("RABBITMQ_DIST_PORT", String.valueOf(distributionPort)),
                Map.entry("RABBITMQ_CONFIG_FILE", folder + (identity == null ? "/none" : "/tls")),
                Map.entry("RABBITMQ_ENABLED_PLUGINS_FILE", folder + "/plugins"),
                Map.entry("RABBITMQ_PID_FILE", folder + "/pid"),
                Map.entry("ERL_EPMD_PORT", String.valueOf(epmdPort)), Map.entry("ERL_EPMD_ADDRESS", "127.0.0.1")));
        if (identity == null) {
            environment.putAll(Map.of("RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1",
                    "RABBITMQ_NODE_PORT", String.valueOf(port())));
        }
        return environment;
    }

    /** A queue that is deleted earlier counts as down: version 4 tells its consumers nothing. */
    @Override
    protected boolean isComplete() throws IOException {
        return log().contains("Server startup complete");
    }

    @Override
    public void close() throws IOException {
        if (epmd != null) {
            epmd.destroyForcibly();
        }
        super.close();
    }
}
