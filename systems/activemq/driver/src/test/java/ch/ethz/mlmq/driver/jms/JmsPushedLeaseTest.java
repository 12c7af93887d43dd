package ch.ethz.mlmq.driver.jms;

import ch.ethz.mlmq.driver.contract.LeaseContract;
import ch.ethz.mlmq.driver.contract.ServerUnderTest;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests leases of messages that ActiveMQ pushes. */
class JmsPushedLeaseTest extends LeaseContract {
    private static ActiveMqServer server;

    @BeforeAll
    static void startServer() throws Exception {
        server = ActiveMqServer.started();
    }

    @AfterAll
    static void stopServer() throws Exception {
        server.close();
    }

    @Override
    protected ServerUnderTest server() {
        return server;
    }

    @Override
    protected Map<String, String> driver() {
        return Map.of("", "jms", "take", "consume", "prefetch", "8");
    }
}
