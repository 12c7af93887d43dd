package ch.ethz.mlmq.driver.contract;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests leases of the driver on functions like pgmq's, whose messages are archived. */
class PgmqLeaseTest extends LeaseContract {
    private static PostgresqlServer server;

    @BeforeAll
    static void startServer() throws Exception {
        server = PostgresqlServer.started();
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
        return Map.of("", "jdbc", "table", "pgmq");
    }

    @Override
    protected boolean hasOwnersOfLeases() {
        return false;
    }
}
