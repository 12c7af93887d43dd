package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.BrokerAddress;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientConfig;
import ch.ethz.mlmq.client.ClientLoop;
import ch.ethz.mlmq.client.ClientState;
import ch.ethz.mlmq.client.Credentials;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.scram.ScramVerifier;
import ch.ethz.mlmq.storage.postgresql.access.AccountScript;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Limits of each user and of each address. */
class QuotaContractTest {
    private static final int PATIENT_MILLIS = 20_000;
    private static final String PASSWORD = "correct horse";
    private static final String HERE = "127.0.0.1";
    private static final String NEIGHBOUR = "127.0.0.2";

    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    @BeforeAll
    static void makeUsers() throws Exception {
        BROKERS.address(StorageKind.POSTGRESQL);
        AccountScript users = new AccountScript(BROKERS.database().address());
        users.add("alice", ScramVerifier.of(PASSWORD));
        users.add("bob", ScramVerifier.of(PASSWORD));
        users.add("carol", ScramVerifier.of(PASSWORD));
        users.execute("grant send, receive, manage on queue '%' to everybody");
    }

    @Test
    void shouldLimitTheConnectionsOfAUser() throws Exception {
        String address = withUsers("broker.user.connections", "1");
        try (Client first = connect(address, "alice"); Client other = connect(address, "bob")) {
            try (Client second = connect(address, "alice")) {
                assertThatThrownBy(() -> connect(address, "alice")).isInstanceOf(MlmqException.NotConnected.class)
                        .hasMessageContaining("user alice has as many connections as broker.user.connections=1");
                assertThatThrownBy(() -> second.echo(new byte[1])).isInstanceOf(MlmqException.Overloaded.class)
                        .hasMessageContaining("user alice has as many connections as broker.user.connections=1");
            }
            BROKERS.until("another name is refused beyond the limit", () -> {
                try (Client second = connect(address, "alice")) {
                    return second.register(BROKERS.name("second")) == null;
                } catch (MlmqException.NotConnected e) {
                    return false;
                } catch (MlmqException.Overloaded e) {
                    return true;
                }
            });
            assertThat(first.echo(new byte[] {1})).containsExactly(1);
            assertThat(other.echo(new byte[] {1})).containsExactly(1);
            assertThat(BROKERS.gauge(address, "limited")).isPositive();
        }
        BROKERS.until("alice's place is free", () -> {
            try (Client again = connect(address, "alice")) {
                return again.echo(new byte[] {1}).length == 1;
            } catch (MlmqException.NotConnected e) {
                return false;
            }
        });
    }

    @Test
    void shouldLetAClientTakeOverItsOwnPlace() {
        String address = withUsers("broker.user.connections", "1");
        try (Client lost = connect(address, "alice"); Client next = connect(address, "alice")) {
            String name = BROKERS.name("client");
            int id = lost.register(name).client();

            assertThat(next.register(name).client()).isEqualTo(id);
            assertThat(next.echo(new byte[] {1})).containsExactly(1);
        }
    }

    @Test
    @SuppressWarnings("try")
    void shouldCloseAConnectionBeyondTheLimitThatOnlyShowsThatItLives() throws Exception {
        String address = withUsers(Map.of("broker.user.connections", "1", "broker.connection.register.timeout", "1s",
                "broker.connection.keepalive.timeout", "500ms"));
        try (Client first = connect(address, "alice"); Client second = connect(address, "alice")) {
            first.register(BROKERS.name("first"));
            BROKERS.until("it is closed", () -> BROKERS.sentAway(address) > 0);
            assertThat(first.echo(new byte[] {1})).containsExactly(1);
        }
    }

    @Test
    void shouldCloseAConnectionBeyondTheLimitThatAsksForMore() throws Exception {
        String address = withUsers("broker.user.connections", "1");
        try (Client first = connect(address, "alice"); ClientLoop loop = ClientLoop.start("second")) {
            first.register(BROKERS.name("first"));
            AtomicInteger connections = new AtomicInteger();
            AsyncClient second = AsyncClient.open(loop, config(address, "alice"), (state, why) -> {
                if (state == ClientState.CONNECTED) {
                    connections.incrementAndGet();
                }
            });
            second.whenConnected().get(30, TimeUnit.SECONDS);
            assertThatThrownBy(() -> second.echo(new byte[1]).get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(MlmqException.Overloaded.class);
            BROKERS.until("it was closed and has connected again", () -> connections.get() > 1);
        }
    }

    @Test
    void shouldLimitTheQueuesOfAUser() {
        String address = withUsers("broker.user.queues", "2");
        try (Client alice = connect(address, "alice"); Client bob = connect(address, "bob")) {
            alice.register(BROKERS.name("alice"));
            bob.register(BROKERS.name("bob"));
            String name = BROKERS.name("queue");
            int first = alice.createQueue(name);
            alice.createQueue(BROKERS.name("queue"));

            assertThatThrownBy(() -> alice.createQueue(BROKERS.name("queue")))
                    .isInstanceOf(MlmqException.Overloaded.class).hasMessageContaining("broker.user.queues=2");
            assertThatThrownBy(() -> alice.createQueue(name)).isInstanceOf(MlmqException.QueueExists.class);
            assertThat(BROKERS.gauge(address, "limited")).isEqualTo(1);
            bob.createQueue(BROKERS.name("queue"));
            String news = BROKERS.name("topic");
            assertThatThrownBy(() -> alice.createTopic(news))
                    .isInstanceOf(MlmqException.Overloaded.class).hasMessageContaining("broker.user.queues=2");
            alice.deleteQueue(first, false);
            int made = alice.createTopic(news);
            assertThatThrownBy(() -> alice.createTopic(news)).isInstanceOf(MlmqException.TopicExists.class);
            assertThatThrownBy(() -> alice.createQueue(BROKERS.name("queue")))
                    .isInstanceOf(MlmqException.Overloaded.class);
            alice.deleteTopic(made);
            int second = alice.createQueue(BROKERS.name("queue"));

            int topic = bob.createTopic(BROKERS.name("topic"));
            assertThatThrownBy(() -> alice.subscribe(topic, "all", "", true))
                    .isInstanceOf(MlmqException.Overloaded.class).hasMessageContaining("broker.user.queues=2");
            alice.deleteQueue(second, false);
            int all = alice.subscribe(topic, "all", "", true);
            assertThat(alice.subscribe(topic, "all", "", true)).as("it is there already").isEqualTo(all);

            assertThatThrownBy(() -> alice.subscribe(topic, "mine", "", false))
                    .isInstanceOf(MlmqException.Overloaded.class).hasMessageContaining("broker.user.queues=2");
            alice.unsubscribe(topic, "all");
            int mine = alice.subscribe(topic, "mine", "", false);
            assertThat(alice.subscribe(topic, "mine", "", false)).as("it is there already").isEqualTo(mine);
            assertThatThrownBy(() -> alice.createQueue(BROKERS.name("queue")))
                    .isInstanceOf(MlmqException.Overloaded.class).hasMessageContaining("broker.user.queues=2");
        }
    }

    @Test
    void shouldLimitTheNamesOfAUsersClients() {
        String address = withUsers("broker.user.clients", "2");
        String first = BROKERS.name("first");
        for (String name : List.of(first, BROKERS.name("second"))) {
            try (Client carol = connect(address, "carol")) {
                carol.register(name);
            }
        }
        try (Client carol = connect(address, "carol"); Client bob = connect(address, "bob")) {
            String third = BROKERS.name("third");
            assertThatThrownBy(() -> carol.register(third)).isInstanceOf(MlmqException.Overloaded.class)
                    .hasMessageContaining("user carol has as many names of clients as broker.user.clients=2");
            assertThatThrownBy(carol::register).isInstanceOf(MlmqException.Overloaded.class);
            assertThat(BROKERS.gauge(address, "limited")).isEqualTo(2);
            bob.register(third);
            carol.register(first);
        }
    }

    @Test
    void shouldLimitTheRequestsASecondOfAUser() throws Exception {
        String address = withUsers("broker.user.requests", "5");
        try (Client alice = connect(address, "alice"); Client more = connect(address, "alice");
                Client bob = connect(address, "bob")) {
            assertThatThrownBy(() -> {
                for (int i = 0; i < 1_000; i++) {
                    (i % 2 == 0 ? alice : more).echo(new byte[1]);
                }
            }).isInstanceOf(MlmqException.Overloaded.class)
                    .hasMessageContaining("user alice sends more requests a second than broker.user.requests=5");
            assertThat(bob.echo(new byte[] {1})).containsExactly(1);
            BROKERS.until("alice may send again", () -> {
                try {
                    return alice.echo(new byte[1]).length == 1;
                } catch (MlmqException.Overloaded e) {
                    return false;
                }
            });
        }
    }

    @Test
    void shouldLimitTheConnectionsOfAnAddress() throws Exception {
        String address = BROKERS.start(StorageKind.MEMORY, Map.of("broker.address.connections", "1"));
        try (RawClient first = new RawClient(address, HERE, 0)) {
            first.hello(Features.ALL);
            try (RawClient second = new RawClient(address, HERE, 0)) {
                second.hello(Features.ALL);
                assertThat(refused(second.ask(new Request.Register("second"))))
                        .contains("address 127.0.0.1", "broker.address.connections=1");
                assertThat(second.isClosed()).isTrue();
            }
            try (RawClient neighbour = new RawClient(address, NEIGHBOUR, 0)) {
                neighbour.hello(Features.ALL);
                assertThat(neighbour.register("neighbour")).isNotNull();
            }
            assertThat(first.register("first")).isNotNull();
        }
        BROKERS.until("the place is free", () -> {
            try (RawClient next = new RawClient(address, HERE, 0)) {
                next.hello(Features.ALL);
                return next.ask(new Request.Register("first")) instanceof Response.Registered;
            }
        });
    }

    @Test
    void shouldGiveNoPlaceOfOthersToConnectionsBeyondTheLimitOfTheirAddress() throws Exception {
        String address = BROKERS.start(StorageKind.MEMORY, Map.of("broker.address.connections", "1",
                "broker.maxclients", "10"));
        List<RawClient> all = new ArrayList<>();
        try {
            RawClient first = new RawClient(address, HERE, 0);
            all.add(first);
            first.hello(Features.ALL & ~Features.KEEP_ALIVE);
            first.register("first");
            for (int i = 0; i < 150; i++) {
                all.add(new RawClient(address, HERE, 0));
            }
            BROKERS.until("they count no more", () -> BROKERS.gauge(address, "clients") == 1);
            for (int i = 0; i < 9; i++) {
                RawClient neighbour = new RawClient(address, NEIGHBOUR + i, 0);
                all.add(neighbour);
                neighbour.hello(Features.ALL);
                assertThat(neighbour.register("neighbour" + i)).isNotNull();
            }
        } finally {
            for (RawClient client : all) {
                client.close();
            }
        }
        BROKERS.until("all have left", () -> BROKERS.gauge(address, "clients") == 0);
        try (RawClient next = new RawClient(address, HERE, 0)) {
            next.hello(Features.ALL);
            assertThat(next.register("next")).isNotNull();
        }
    }

    @Test
    void shouldCloseARefusedConnectionThatOnlyShowsThatItLives() throws Exception {
        String address = BROKERS.start(StorageKind.MEMORY, Map.of("broker.address.connections", "1",
                "broker.connection.register.timeout", "200ms"));
        try (RawClient first = new RawClient(address, HERE, 0); RawClient second = new RawClient(address, HERE, 0)) {
            first.hello(Features.ALL);
            first.register("first");
            second.hello(Features.ALL);
            Response answer = second.ask(new Request.KeepAlive());
            for (int i = 0; i < 200 && answer instanceof Response.Done; i++) {
                Thread.sleep(20);
                second.send(new Request.KeepAlive());
                answer = second.read();
            }
            assertThat(((Response.Failure) answer).status()).isEqualTo(Status.CONNECTION_CLOSED);
        }
    }

    @Test
    void shouldLimitTheBytesThatAnAddressHolds() throws Exception {
        String address = BROKERS.start(StorageKind.MEMORY, Map.of("broker.address.bytes", "2000"));
        try (RawClient client = new RawClient(address, HERE, 0)) {
            client.hello(Features.ALL & ~Features.KEEP_ALIVE);
            client.register("waiting");
            for (int i = 0; i < 20; i++) {
                client.send(new Request.DequeueMessage(MessageQuery.any().waiting(60_000)));
            }
            assertThat(refused(client.read())).contains("address 127.0.0.1", "broker.address.bytes=2000");
            BROKERS.until("some wait", () -> BROKERS.gauge(address, "waiting") > 0);
            assertThat(BROKERS.gauge(address, "waiting")).isLessThan(10);
            try (RawClient neighbour = new RawClient(address, NEIGHBOUR, 0)) {
                neighbour.hello(Features.ALL);
                assertThat(neighbour.register("neighbour")).isNotNull();
            }
        }
        BROKERS.until("all is given back", () -> BROKERS.gauge(address, "clients") == 0);
        try (RawClient client = new RawClient(address, HERE, 0)) {
            client.hello(Features.ALL);
            assertThat(client.register("waiting")).isNotNull();
        }
    }

    private static String refused(Response response) {
        Response.Failure failure = (Response.Failure) response;
        assertThat(failure.status()).isEqualTo(Status.OVERLOADED);
        return failure.text();
    }

    private static String withUsers(String key, String value) {
        return withUsers(Map.of(key, value));
    }

    private static String withUsers(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of("broker.auth", "scram"));
        settings.putAll(more);
        return BROKERS.start(StorageKind.POSTGRESQL, settings);
    }

    private static Client connect(String address, String user) {
        return Client.connect(config(address, user));
    }

    private static ClientConfig config(String address, String user) {
        return ClientConfig.builder().brokers(BrokerAddress.parseList(address))
                .connectTimeoutMillis(PATIENT_MILLIS).requestTimeoutMillis(PATIENT_MILLIS).backoffMillis(10, 200)
                .credentials(Credentials.of(user, PASSWORD)).build();
    }
}
