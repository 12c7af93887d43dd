package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.driver.contract.LeaseContract;
import ch.ethz.mlmq.driver.contract.ServerUnderTest;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests leases of messages that RabbitMQ pushes. */
class AmqpPushedLeaseTest extends LeaseContract {
    private static RabbitServer server;

    @BeforeAll
    static void startServer() throws Exception {
        server = RabbitServer.started();
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
        return Map.of("", "amqp", "take", "consume", "prefetch", "8");
    }
}
