package ch.ethz.mlmq.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MembershipTest {
    private static final String HEARTBEAT = "SELECT heartbeat FROM broker WHERE name = 'Broker'";

    /** Otherwise the other brokers would take it for dead, and it would not even notice. */
    @Test
    void shouldGoOnBeatingWhereTheNetworkSwallowsWhatItSays() {
        assertTimeoutPreemptively(Duration.ofMinutes(1), MembershipTest::goOnBeating);
    }

    private static void goOnBeating() throws Exception {
        try (TestDatabase database = new TestDatabase();
                SwallowingProxy network = new SwallowingProxy(database.address())) {
            Membership membership = new Membership(network.address(), "Broker", new BrokerIdentity());
            membership.join();
            beatUntil(membership, database, 1);

            network.swallow();
            beatUntil(membership, database, 2);

            assertThat(database.number("SELECT count(*) FROM broker")).isEqualTo(1);
            membership.onClose();
        }
    }

    private static void beatUntil(Membership membership, TestDatabase database, long heartbeat) throws Exception {
        while (database.number(HEARTBEAT) < heartbeat) {
            if (membership.doWork() == 0) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
    }
}
