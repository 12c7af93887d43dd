package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.BrokerAddress;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientConfig;
import ch.ethz.mlmq.client.Credentials;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Statement;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.scram.ScramVerifier;
import ch.ethz.mlmq.storage.postgresql.access.AccountScript;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Users, roles and rights, changed over the wire. */
class StatementContractTest {
    private static final int PATIENT_MILLIS = 20_000;
    private static final String PASSWORD = "correct horse";

    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    private static String here;
    private static String elsewhere;

    @BeforeAll
    static void makeUsersAndBrokers() throws Exception {
        BROKERS.address(StorageKind.POSTGRESQL);
        AccountScript users = new AccountScript(BROKERS.database().address());
        users.add("admin", ScramVerifier.of(PASSWORD));
        users.add("app", ScramVerifier.of(PASSWORD));
        users.execute("grant manage on broker to admin");
        users.execute("grant receive on broker to app");
        here = BROKERS.start(StorageKind.POSTGRESQL, Map.of("broker.auth", "scram"));
        elsewhere = BROKERS.start(StorageKind.POSTGRESQL, Map.of("broker.auth", "scram"));
    }

    @Test
    void shouldChangeUsersAtEveryBroker() throws Exception {
        String verifier = ScramVerifier.of(PASSWORD).text();
        try (Client admin = connect(here, "admin")) {
            assertThat(admin.execute("create user carol password '" + verifier + "'")).isEqualTo("added user carol");
            assertThat(admin.execute("create role senders")).isEqualTo("added role senders");
            admin.execute("grant send, manage on queue 'carol.%' to senders");
            admin.execute("grant senders to carol");
            assertThat(admin.execute("list users").lines()).contains("carol", "senders (role)",
                    "grant senders to carol", "grant send, manage on queue 'carol.%' to senders")
                    .noneMatch(line -> line.contains("SCRAM"));
            for (String broker : List.of(here, elsewhere)) {
                BROKERS.until("carol can sign in", () -> can(() -> connect(broker, "carol").close()));
            }
            try (Client carol = connect(elsewhere, "carol")) {
                BROKERS.until("she is of the role", () -> carol.execute("whoami")
                        .equals("user carol, of role senders"));
                int client = carol.register(BROKERS.name("carol")).client();
                assertThat(carol.execute("WhoAmI")).isEqualTo("user carol, of role senders, client #" + client);
                carol.createQueue("carol.1");
                admin.execute("revoke senders from carol");
                BROKERS.until("it is in force", () -> !can(() -> carol.createQueue(BROKERS.name("carol.x"))));
                admin.execute("drop user carol");
            }
            BROKERS.until("carol cannot sign in", () -> !can(() -> connect(elsewhere, "carol").close()));
        }
    }

    @Test
    void shouldLetOnlyThoseManageWhoMayManageTheBroker() {
        try (Client app = connect(here, "app")) {
            app.brokerStatus();
            for (String statement : List.of("create user eve", "grant manage on broker to app", "list users",
                    "drop user admin")) {
                assertThatThrownBy(() -> app.execute(statement)).as(statement)
                        .isInstanceOf(MlmqException.NotPermitted.class).hasMessageContaining("manage on broker");
            }
        }
    }

    @Test
    void shouldSayWhatIsWrongWithAStatement() {
        try (Client admin = connect(here, "admin")) {
            assertThatThrownBy(() -> admin.execute("create user admin"))
                    .isInstanceOf(MlmqException.InvalidRequest.class).hasMessageContaining("already");
            assertThatThrownBy(() -> admin.execute("select 1")).isInstanceOf(MlmqException.InvalidRequest.class)
                    .hasMessageContaining("write create user");
            assertThatThrownBy(() -> admin.execute("")).hasMessageContaining("1..1000");
            assertThatThrownBy(() -> admin.execute("grant nothing to nobody")).hasMessageContaining("no role nothing");
            assertThat(admin.execute("whoami")).startsWith("user admin");
        }
        try (Client client = BROKERS.clientAt(BROKERS.address(StorageKind.POSTGRESQL))) {
            assertThatThrownBy(() -> client.execute("whoami")).isInstanceOf(MlmqException.InvalidRequest.class)
                    .hasMessageContaining("no users");
        }
    }

    @Test
    void shouldListenToNoStranger() throws Exception {
        try (RawClient stranger = new RawClient(here)) {
            stranger.hello(Features.ALL);
            assertThat(stranger.ask(new Statement("grant manage on broker to app"))).isInstanceOfSatisfying(
                    Response.Failure.class,
                    failure -> assertThat(failure.status()).isEqualTo(Status.NOT_AUTHENTICATED));
        }
    }

    private static boolean can(Runnable action) {
        try {
            action.run();
            return true;
        } catch (MlmqException e) {
            return false;
        }
    }

    private static Client connect(String address, String user) {
        return Client.connect(ClientConfig.builder().brokers(BrokerAddress.parseList(address))
                .connectTimeoutMillis(PATIENT_MILLIS).requestTimeoutMillis(PATIENT_MILLIS).backoffMillis(10, 200)
                .credentials(Credentials.of(user, PASSWORD)).build());
    }
}
