package ch.ethz.mlmq.storage.postgresql.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import ch.ethz.mlmq.storage.StorageException;
import ch.ethz.mlmq.storage.postgresql.SwallowingProxy;
import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MembershipTest {
    private static final String HEARTBEAT = "SELECT heartbeat FROM broker WHERE name = 'Broker'";

    /** Otherwise the other brokers would consider it dead, without its notice. */
    @Test
    void shouldGoOnBeatingWhereTheNetworkSwallowsWhatItSays() {
        assertTimeoutPreemptively(Duration.ofMinutes(1), MembershipTest::goOnBeating);
    }

    private static void goOnBeating() throws Exception {
        try (TestDatabase database = new TestDatabase();
                SwallowingProxy network = new SwallowingProxy(database.address())) {
            Membership membership = new Membership(network.address(), new BrokerIdentity("Broker", "nowhere"));
            membership.join();
            beatUntil(membership, database, 1);

            network.swallow();
            beatUntil(membership, database, 2);

            assertThat(database.number("SELECT count(*) FROM broker")).isEqualTo(1);
            membership.onClose();
        }
    }

    @Test
    void shouldRefuseANameThatABrokerHasThatIsAlive() throws Exception {
        try (TestDatabase database = new TestDatabase()) {
            Membership first = membership(database, "Broker");
            first.join();
            beatUntil(first, database, 1);
            CompletableFuture<Throwable> second = CompletableFuture.supplyAsync(() ->
                    catchThrowable(() -> membership(database, "Broker").join()));
            while (!second.isDone()) {
                first.doWork();
                TimeUnit.MILLISECONDS.sleep(20);
            }

            assertThat(second.get()).isInstanceOf(StorageException.class)
                    .hasMessageContaining("another running broker has the name Broker")
                    .hasMessageContaining("it listens on nowhere").hasMessageContaining("broker.name");
            assertThat(database.number("SELECT count(*) FROM broker WHERE heartbeat > 0")).isEqualTo(1);
            first.onClose();
        }
    }

    @Test
    void shouldFreeTheNameOfAProcessThatIsGoneAtOnce() throws Exception {
        try (TestDatabase database = new TestDatabase()) {
            Membership gone = membership(database, "Broker");
            gone.join();
            database.execute("INSERT INTO client (name, queue_id, broker_id) SELECT 'c' || n, n, b.id "
                    + "FROM generate_series(1, 12000) n, broker b");

            Membership next = membership(database, "Broker");
            next.join();

            assertThat(database.number("SELECT count(*) FROM broker")).isEqualTo(1);
            assertThat(database.number("SELECT count(*) FROM client WHERE broker_id IS NOT NULL")).isZero();
            assertThat(database.number("SELECT count(*) FROM recount WHERE needed")).isEqualTo(1);
        }
    }

    @Test
    void shouldEndTheSessionsOfABrokerThatDiedAndFreeItsClientsStepByStep() throws Exception {
        try (TestDatabase database = new TestDatabase();
                Connection dead = database.address().calledBy(BrokerIdentity.applicationOf("dead")).connect();
                Statement locking = dead.createStatement()) {
            database.execute("INSERT INTO broker (name, instance, tables) "
                    + "SELECT 'Dead', 'dead', version FROM schema_version");
            database.execute("INSERT INTO client (name, queue_id, broker_id) SELECT 'c' || n, n, b.id "
                    + "FROM generate_series(1, 12000) n, broker b");
            dead.setAutoCommit(false);
            locking.execute("SELECT share_messages()");
            Membership membership = membership(database, "Broker");
            membership.join();

            Set<Long> online = new TreeSet<>();
            while (database.number("SELECT count(*) FROM broker") > 1) {
                membership.doWork();
                online.add(database.number("SELECT count(*) FROM client WHERE broker_id IS NOT NULL"));
                TimeUnit.MILLISECONDS.sleep(20);
            }

            assertThat(online).contains(12_000L, 7_000L, 2_000L, 0L);
            assertThat(dead.isValid(5)).isFalse();
            membership.onClose();
        }
    }

    /** The database was restored from a backup, in which an earlier process of this broker has the name. */
    @Test
    void shouldStartOnARestoredDatabaseThatHasItsName() throws Exception {
        try (TestDatabase database = new TestDatabase()) {
            BrokerIdentity identity = new BrokerIdentity("Broker", "nowhere");
            Membership membership = new Membership(database.address().calledBy(identity.application()), identity);
            membership.join();
            beatUntil(membership, database, 1);

            database.execute("DELETE FROM broker");
            database.execute("INSERT INTO broker (name, instance, heartbeat, tables) "
                    + "SELECT 'Broker', 'of the backup', 7, version FROM schema_version");

            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (System.nanoTime() - end < 0 && database.number("SELECT count(*) FROM broker WHERE instance = '"
                    + identity.instance() + "'") == 0) {
                membership.doWork();
                TimeUnit.MILLISECONDS.sleep(20);
            }
            assertThat(database.number("SELECT count(*) FROM broker WHERE instance = '" + identity.instance() + "'"))
                    .as("rows of the broker that lives").isEqualTo(1);
            membership.onClose();
        }
    }

    private static Membership membership(TestDatabase database, String name) {
        BrokerIdentity identity = new BrokerIdentity(name, "nowhere");
        return new Membership(database.address().calledBy(identity.application()), identity);
    }

    private static void beatUntil(Membership membership, TestDatabase database, long heartbeat) throws Exception {
        while (database.number(HEARTBEAT) < heartbeat) {
            if (membership.doWork() == 0) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
    }
}
