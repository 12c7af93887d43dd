package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientState;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.io.IOException;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests peers that have vanished: to a broker they look like an open socket that sends nothing. */
class DeadPeersTest {
    private static final Map<String, String> IMPATIENT = Map.of("broker.connection.keepalive.timeout", "1s",
            "broker.connection.register.timeout", "300ms", "broker.connection.write.timeout", "300ms",
            "broker.maxclients", "3");

    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    @OnEveryStorage
    void shouldTakeItsNameOverFromItsLostConnectionWithItsToken(StorageKind storage) throws Exception {
        takeOver(BROKERS.address(storage), BROKERS.address(storage));
    }

    @Test
    void shouldTakeItsNameOverFromAConnectionToAnotherBroker() throws Exception {
        takeOver(BROKERS.address(StorageKind.POSTGRESQL), BROKERS.start(StorageKind.POSTGRESQL, Map.of()));
    }

    private static void takeOver(String lostAt, String backAt) throws Exception {
        String name = BROKERS.name("alice");
        Client sender = BROKERS.clientAt(lostAt);
        sender.register(BROKERS.name("sender"));
        int queue = BROKERS.queue(sender);
        MessageQuery waiting = MessageQuery.queue(queue).waiting(30_000);
        try (RawClient lost = new RawClient(lostAt)) {
            lost.hello(Features.ALL);
            Response.Registered first = lost.register(name);
            assertThat(first.token()).isNotZero();
            lost.send(new Request.DequeueMessage(waiting));

            try (RawClient back = new RawClient(backAt)) {
                back.hello(Features.ALL);
                BROKERS.until("it is back", () -> back.ask(new Request.Register(name, first.token())).equals(first));

                sender.sendMessage(queue, new byte[] {7}, 5);
                assertThat(back.ask(new Request.DequeueMessage(waiting))).isInstanceOfSatisfying(
                        Response.Delivery.class, answer -> assertThat(answer.message().content()).containsExactly(7));
            }
            assertThat(lost.read()).isInstanceOfSatisfying(Response.Failure.class,
                    failure -> assertThat(failure.status()).isEqualTo(Status.CONNECTION_CLOSED));
            assertThat(lost.correlationId()).isZero();
        }
    }

    @OnEveryStorage
    void shouldNotGiveANameAwayForAWrongTokenOrOneOfEarlier(StorageKind storage) throws Exception {
        String name = BROKERS.name("bob");
        String address = BROKERS.address(storage);
        long old;
        try (RawClient earlier = new RawClient(address)) {
            earlier.hello(Features.ALL);
            old = earlier.register(name).token();
            earlier.ask(new Request.Goodbye());
        }
        try (RawClient holder = new RawClient(address); RawClient thief = new RawClient(address)) {
            holder.hello(Features.ALL);
            thief.hello(Features.ALL);
            assertThat(holder.register(name).token()).isNotEqualTo(old);

            for (long token : new long[] {old, 1, -1}) {
                assertThat(thief.ask(new Request.Register(name, token))).isInstanceOfSatisfying(Response.Failure.class,
                        failure -> assertThat(failure.status()).isEqualTo(Status.CLIENT_ALREADY_ONLINE));
            }
            assertThat(holder.ask(new Request.Echo(new byte[0]))).isInstanceOf(Response.Echoed.class);
        }
    }

    @Test
    void shouldGiveNoTokenToThoseWhoDidNotAskForOne() throws Exception {
        try (RawClient client = new RawClient(BROKERS.address(StorageKind.MEMORY))) {
            assertThat(client.register(BROKERS.name("plain")).token()).isZero();
        }
    }

    @Test
    void shouldCloseAClientThatSendsNoPromisedSignOfLife() throws Exception {
        String address = BROKERS.start(StorageKind.MEMORY, IMPATIENT);
        String name = BROKERS.name("silent");
        try (RawClient silent = new RawClient(address)) {
            silent.hello(Features.KEEP_ALIVE);
            silent.register(name);

            assertThat(silent.read()).isInstanceOfSatisfying(Response.Failure.class,
                    failure -> assertThat(failure.text()).contains("broker.connection.keepalive.timeout"));
            assertThat(silent.isClosed()).isTrue();
        }
        try (RawClient next = new RawClient(address)) {
            BROKERS.until("its name is free",
                    () -> next.ask(new Request.Register(name)) instanceof Response.Registered);
        }
    }

    /** The library's signs of life keep it connected, however long its only request waits. */
    @Test
    void shouldKeepAClientThatGivesSignsOfLife() throws Exception {
        String address = BROKERS.start(StorageKind.MEMORY, IMPATIENT);
        AsyncClient quiet = BROKERS.asyncAt(address);
        int queue = quiet.register(BROKERS.name("quiet")).get(30, TimeUnit.SECONDS).ownQueue();

        CompletableFuture<Optional<Message>> waiting =
                quiet.dequeueMessage(MessageQuery.queue(queue).waiting(3_000));

        assertThat(waiting.get(30, TimeUnit.SECONDS)).isEmpty();
        assertThat(quiet.state()).isEqualTo(ClientState.CONNECTED);
        assertThat(BROKERS.gauge(address, "clients")).isEqualTo(1);
    }

    /** Requests of the client are no sign of life of the broker, as long as none has a response. */
    @Test
    void shouldNotTakeABrokerForGoneThatHasNoAnswerYet() throws Exception {
        String address = BROKERS.start(StorageKind.MEMORY, IMPATIENT);
        AsyncClient busy = BROKERS.asyncAt(address);
        int queue = busy.register(BROKERS.name("busy")).get(30, TimeUnit.SECONDS).ownQueue();
        List<CompletableFuture<?>> waiting = new ArrayList<>();
        long start = System.nanoTime();

        BROKERS.until("it has asked for longer than the limit", () -> {
            waiting.add(busy.dequeueMessage(MessageQuery.queue(queue).waiting(50_000)));
            return System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(3_000);
        });

        assertThat(busy.state()).isEqualTo(ClientState.CONNECTED);
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
    }

    @Test
    void shouldNotLetSilentStrangersHoldTheRoomForClients() throws Exception {
        String address = BROKERS.start(StorageKind.MEMORY, IMPATIENT);
        try (RawClient one = new RawClient(address); RawClient two = new RawClient(address);
                RawClient three = new RawClient(address)) {
            three.send(new byte[] {0, 0});
            assertThat(one.read()).isInstanceOfSatisfying(Response.Failure.class,
                    failure -> assertThat(failure.text()).contains("broker.connection.register.timeout"));
            assertThat(two.read()).isInstanceOf(Response.Failure.class);
            assertThat(three.read()).isInstanceOf(Response.Failure.class);
        }
        Client client = BROKERS.clientAt(address);
        BROKERS.until("there is room", () -> BROKERS.gauge(address, "clients") == 1);
        assertThat(client.echo(new byte[] {1})).containsExactly(1);
    }

    @Test
    void shouldCloseAConnectionThatTakesNoneOfItsAnswers() throws Exception {
        String address = BROKERS.start(StorageKind.MEMORY, IMPATIENT);
        try (RawClient client = new RawClient(address)) {
            client.register(BROKERS.name("slow"));
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> sendUntilClosed(client));

            BROKERS.until("it is closed", () -> BROKERS.gauge(address, "clients") == 0);
            BROKERS.until("its buffers are back", () -> BROKERS.gauge(address, "buffers") == 0);
            sending.get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldKeepAClientThatReadsSlowly() throws Exception {
        String address = BROKERS.start(StorageKind.MEMORY, Map.of("broker.connection.write.timeout", "1s",
                "broker.content.max", "1000000", "broker.connection.outbound.max", "16000000"));
        try (RawClient client = new RawClient(address)) {
            client.register(BROKERS.name("slow"));
            byte[] content = new byte[1_000_000];
            for (int i = 0; i < 12; i++) {
                client.send(new Request.Echo(content));
            }
            for (int i = 0; i < 60; i++) {
                client.skip(80_000);
                Thread.sleep(100);
            }

            client.skip(12L * (content.length + 16) - 60 * 80_000);

            assertThat(client.ask(new Request.Echo(new byte[] {7}))).isInstanceOf(Response.Echoed.class);
        }
    }

    @Test
    void shouldKeepAClientWhoseFrameComesSlowly() throws Exception {
        String address = BROKERS.start(StorageKind.MEMORY, Map.of("broker.connection.idle.timeout", "400ms"));
        try (RawClient client = new RawClient(address)) {
            client.register(BROKERS.name("slow"));
            byte[] frame = {0, 0, 0, 22, 0, 0, 0, 20, 0, 0, 0, 9, 0, 0, 0, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
            for (byte one : frame) {
                client.send(new byte[] {one});
                Thread.sleep(50);
            }

            assertThat(client.read()).isInstanceOf(Response.Echoed.class);
        }
    }

    @Test
    void shouldAnswerTheStatusWhileTheDatabaseHangs() throws Exception {
        String address = BROKERS.start(StorageKind.POSTGRESQL, Map.of("broker.connection.register.timeout", "300ms",
                "broker.workers", "1", "broker.db.timeout", "60s"));
        try (RawClient waiting = new RawClient(address); Connection connection = BROKERS.database().address().connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("LOCK TABLE client IN ACCESS EXCLUSIVE MODE");
            waiting.send(new Request.Register(BROKERS.name("waiting")));
            try (RawClient stranger = new RawClient(address)) {
                for (int i = 0; i < 4; i++) {
                    assertThat(stranger.ask(new Request.BrokerStatus())).isInstanceOf(Response.StatusReport.class);
                    Thread.sleep(200);
                }
            }
            connection.rollback();

            assertThat(waiting.read()).isInstanceOf(Response.Registered.class);
        }
    }

    private static void sendUntilClosed(RawClient client) {
        try {
            for (int sent = 0; sent < 1_000_000; sent++) {
                client.send(new Request.Echo(new byte[2_000]));
            }
        } catch (IOException e) {
            // The broker, or the end of the test, has closed it.
        }
    }

    @Test
    void shouldCloseAnIdleConnectionOnlyWhereItIsSetTo() throws Exception {
        String address = BROKERS.start(StorageKind.MEMORY, Map.of("broker.connection.idle.timeout", "300ms"));
        try (RawClient idle = new RawClient(address)) {
            idle.register(BROKERS.name("idle"));

            assertThat(idle.read()).isInstanceOfSatisfying(Response.Failure.class,
                    failure -> assertThat(failure.text()).contains("broker.connection.idle.timeout"));
        }
    }
}
