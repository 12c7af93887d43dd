package ch.ethz.mlmq.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.agent.JavaProcess;
import ch.ethz.mlmq.campaign.FreePort;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.storage.postgresql.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests clients of a dead broker that reconnect to another one, or to the same one. */
class TakeoverTest {
    @TempDir
    private Path folder;
    private TestDatabase database;
    private int port;
    private JavaProcess dying;

    @BeforeEach
    void start() throws Exception {
        database = new TestDatabase();
        port = FreePort.find();
        dying = startBroker();
    }

    @AfterEach
    void stop() {
        dying.close();
        database.close();
    }

    @Test
    void shouldBeFreeForAnotherBrokerWhenTheirsHasDied() throws Exception {
        try (Broker other = TestBroker.start(database.settings());
                Client alice = TestBroker.client(port, "alice");
                Client again = Client.connect(TestBroker.config(other.port()))) {
            alice.createQueue("jobs");
            assertThatThrownBy(() -> again.register("alice")).isInstanceOf(MlmqException.ClientAlreadyOnline.class);

            dying.kill();

            long beats = heartbeats(other);
            TestBroker.until("alice is free", () -> registers(again, "alice"));
            assertThat(heartbeats(other) - beats).isLessThan(10);
            assertThat(again.lookupQueue("jobs")).isPositive();
        }
    }

    @Test
    void shouldBeFreeAtOnceWhenTheirBrokerIsBack() throws Exception {
        try (Client alice = TestBroker.client(port, "alice")) {
            assertThat(alice.createQueue("jobs")).isPositive();
            dying.kill();
        }
        dying = startBroker();

        try (Client again = TestBroker.client(port, "alice")) {
            assertThat(again.lookupQueue("jobs")).isPositive();
        }
    }

    @Test
    void shouldBeSentAwayByABrokerThatWasTakenForDead() throws Exception {
        try (Broker broker = TestBroker.start(database.settings());
                Client alice = TestBroker.client(broker.port(), "alice")) {
            database.execute("DELETE FROM broker WHERE name NOT LIKE '%:" + port + "'");

            TestBroker.until("alice has registered anew", () -> database.number(
                    "SELECT count(*) FROM client WHERE name = 'alice' AND broker_id IS NOT NULL") == 1);
            assertThat(alice.state()).isNotNull();
        }
    }

    @Test
    void shouldCountLengthsAnewThatADeadBrokerHadNotTold() throws Exception {
        try (Client alice = TestBroker.client(port, "alice")) {
            int queue = alice.createQueue("jobs");
            for (int i = 0; i < 500; i++) {
                alice.sendMessage(queue, new byte[10], 5);
            }
            dying.kill();
            dying = startBroker();

            TestBroker.until("the length is right", () -> database.number(
                    "SELECT messages FROM queue_length WHERE queue_id = " + queue) == 500);
        }
    }

    /** The registration was committed, but the connection to the database broke before the broker got the response. */
    @Test
    void shouldBeFreeWhereARegistrationWasNeverConfirmed() throws Exception {
        TestBroker.client(port, "alice").close();
        try (Broker other = TestBroker.start(database.settings())) {
            database.execute("UPDATE client SET session = nextval('session_number'), "
                    + "broker_id = (SELECT id FROM broker WHERE name LIKE '%:" + port + "')");

            try (Client again = Client.connect(TestBroker.config(other.port()))) {
                TestBroker.until("alice is free", () -> registers(again, "alice"));
            }
        }
    }

    /** Brokers look for dead ones as often as their own heart beats: once a second. */
    private long heartbeats(Broker broker) throws Exception {
        return database.number("SELECT heartbeat FROM broker WHERE name LIKE '%:" + broker.port() + "'");
    }

    private static boolean registers(Client client, String name) {
        try {
            client.register(name);
            return true;
        } catch (MlmqException.ClientAlreadyOnline e) {
            return false;
        }
    }

    private JavaProcess startBroker() throws Exception {
        JavaProcess broker = JavaProcess.start(Files.createTempFile(folder, "broker", ".out"),
                List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"), "ch.ethz.mlmq.cli.Main",
                List.of("broker", "--progress", "--port", Integer.toString(port),
                        "--set", "broker.db.url=" + database.address().url(),
                        "--set", "broker.db.user=" + database.address().user(),
                        "--set", "broker.db.password=" + database.address().password()));
        broker.awaitOutput("\"state\":\"ready\"");
        return broker;
    }
}
