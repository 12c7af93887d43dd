package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.driver.contract.ServerUnderTest;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** RabbitMQ of a test's own, with a name server of its own, so that two do not meet. */
final class RabbitServer extends ServerUnderTest {
    private final int epmdPort = freePort();
    private final int distributionPort = freePort();
    private Process epmd;

    private RabbitServer() throws IOException {
        super("rabbitmq");
    }

    static RabbitServer started() throws IOException, InterruptedException {
        RabbitServer server = new RabbitServer();
        server.epmd = server.spawn(server.folder().resolve("epmd.log"),
                List.of("epmd", "-port", String.valueOf(server.epmdPort), "-address", "127.0.0.1"));
        server.start();
        return server;
    }

    @Override
    public String address() {
        return "amqp://guest@127.0.0.1:" + port();
    }

    @Override
    protected List<String> command() {
        return List.of("/usr/lib/rabbitmq/bin/rabbitmq-server");
    }

    @Override
    protected Map<String, String> environment() {
        String folder = folder().toString();
        return Map.ofEntries(Map.entry("HOME", folder), Map.entry("RABBITMQ_MNESIA_BASE", folder + "/mnesia"),
                Map.entry("RABBITMQ_LOGS", "-"),
                Map.entry("RABBITMQ_NODENAME", "test" + port() + "@localhost"),
                Map.entry("RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1"),
                Map.entry("RABBITMQ_NODE_PORT", String.valueOf(port())),
                Map.entry("RABBITMQ_DIST_PORT", String.valueOf(distributionPort)),
                Map.entry("RABBITMQ_CONFIG_FILE", folder + "/none"),
                Map.entry("RABBITMQ_ENABLED_PLUGINS_FILE", folder + "/plugins"),
                Map.entry("RABBITMQ_PID_FILE", folder + "/pid"),
                Map.entry("ERL_EPMD_PORT", String.valueOf(epmdPort)), Map.entry("ERL_EPMD_ADDRESS", "127.0.0.1"));
    }

    @Override
    public void close() throws IOException {
        if (epmd != null) {
            epmd.destroyForcibly();
        }
        super.close();
    }
}
