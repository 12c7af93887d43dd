package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.client.SendOptions;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.wire.RequestCodec;
import java.io.EOFException;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests details of docs/reference/protocol.md beside the operations. */
class ProtocolDetailsTest {
    private static final byte[] CONTENT = {7};

    @RegisterExtension
    static final Brokers BROKERS = new Brokers(Map.of("broker.deliveries.max", "1"));

    @Test
    void shouldRefuseACorrelationIdOfZero() throws Exception {
        try (RawClient client = new RawClient(BROKERS.address(StorageKind.MEMORY))) {
            client.send(new Request.Echo(CONTENT), 0);

            assertThat(client.read()).isInstanceOfSatisfying(Response.Failure.class, failure -> {
                assertThat(failure.status()).isEqualTo(Status.PROTOCOL_ERROR);
                assertThat(failure.text()).contains("correlation id");
            });
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void shouldTakeALongFrameRightBehindARegistration() throws Exception {
        String address = BROKERS.start(StorageKind.MEMORY, Map.of("broker.content.max", "100000"));
        try (RawClient client = new RawClient(address)) {
            ByteBuffer both = ByteBuffer.allocate(101_000);
            RequestCodec.encode(new Request.Register(BROKERS.name("alice")), 1, both);
            RequestCodec.encode(new Request.Echo(new byte[100_000]), 2, both);
            client.send(Arrays.copyOf(both.array(), both.position()));

            assertThat(client.read()).isInstanceOf(Response.Registered.class);
            assertThat(client.read()).isInstanceOf(Response.Echoed.class);
        }
    }

    @OnEveryStorage
    void shouldTakeNoLongFrameOnceARegistrationWasRefused(StorageKind storage) throws Exception {
        String name = BROKERS.name("alice");
        BROKERS.client(storage).register(name);
        try (RawClient client = new RawClient(BROKERS.address(storage))) {
            assertThat(client.ask(new Request.Register(name))).isInstanceOfSatisfying(Response.Failure.class,
                    failure -> assertThat(failure.status()).isEqualTo(Status.CLIENT_ALREADY_ONLINE));
            client.send(new Request.Echo(new byte[16_384]));

            assertThat(client.read()).isInstanceOfSatisfying(Response.Failure.class,
                    failure -> assertThat(failure.status()).isEqualTo(Status.PROTOCOL_ERROR));
        }
    }

    @OnEveryStorage
    void shouldAnswerRequestsBesideAGoodbyeWithoutAMessageOrNotAtAll(StorageKind storage) throws Exception {
        for (int round = 0; round < 20; round++) {
            try (RawClient client = new RawClient(BROKERS.address(storage))) {
                int queue = client.register(BROKERS.name("leaving")).ownQueue();
                client.send(new Request.DequeueMessage(MessageQuery.queue(queue).waiting(60_000)));
                int goodbye = client.send(new Request.Goodbye());
                client.send(new Request.DequeueMessage(MessageQuery.queue(queue)));

                boolean answered = false;
                try {
                    while (true) {
                        Response answer = client.read();
                        answered |= client.correlationId() == goodbye;
                        assertThat(answer).isEqualTo(client.correlationId() == goodbye ? Response.Done.INSTANCE
                                : Response.Delivery.NONE);
                    }
                } catch (EOFException e) {
                    assertThat(answered).isTrue();
                }
            }
        }
    }

    @Test
    void shouldAnswerOnlyGreetingSignOfLifeAndStatusWhenFull() throws Exception {
        String address = BROKERS.start(StorageKind.MEMORY, Map.of("broker.maxclients", "1"));
        BROKERS.clientAt(address).register(BROKERS.name("first"));
        try (RawClient client = new RawClient(address)) {
            client.hello(0);
            assertThat(client.ask(new Request.KeepAlive())).isEqualTo(Response.Done.INSTANCE);
            assertThat(client.ask(new Request.BrokerStatus())).isInstanceOf(Response.StatusReport.class);
            assertThat(client.ask(new Request.Echo(new byte[] {7}))).isInstanceOfSatisfying(Response.Failure.class,
                    failure -> assertThat(failure.status()).isEqualTo(Status.BROKER_FULL));
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void shouldReportAnInvalidFrameBehindUnansweredRequests() throws Exception {
        String address = BROKERS.start(StorageKind.POSTGRESQL, Map.of("broker.db.timeout", "60s"));
        try (RawClient client = new RawClient(address); Connection connection = BROKERS.database().address().connect();
                Statement statement = connection.createStatement()) {
            int queue = client.register(BROKERS.name("client")).ownQueue();
            connection.setAutoCommit(false);
            statement.execute("LOCK TABLE message IN ACCESS EXCLUSIVE MODE");
            client.send(new Request.DequeueMessage(MessageQuery.queue(queue)));
            client.send(new byte[] {0, 0, 0, 8, 0, 0, 0, 99, 0, 0, 0, 9});

            assertThat(client.read()).isInstanceOfSatisfying(Response.Failure.class,
                    failure -> assertThat(failure.status()).isEqualTo(Status.PROTOCOL_ERROR));
            assertThat(client.correlationId()).isEqualTo(9);
            assertThat(client.isClosed()).isTrue();
            connection.rollback();
        }
    }

    @Test
    void shouldForgetNoClientInMemory() throws Exception {
        String address = BROKERS.start(StorageKind.MEMORY,
                Map.of("broker.client.keep", "1ms", "broker.deliveries.max", "10"));
        String passing = BROKERS.name("passing");
        try (RawClient client = new RawClient(address)) {
            client.register(passing);
            client.ask(new Request.Goodbye());
        }
        Client stays = BROKERS.clientAt(address);
        stays.register(BROKERS.name("stays"));
        // When a lease has expired, the housekeeping has run.
        stays.sendMessageToClient(stays.lookupClient(passing), CONTENT, 5);
        int queue = BROKERS.queue(stays);
        stays.sendMessage(queue, CONTENT, 5);
        stays.receiveMessage(MessageQuery.queue(queue), 1);
        assertThat(stays.dequeueMessage(MessageQuery.queue(queue).waiting(20_000))).isPresent();

        assertThat(stays.lookupClient(passing)).isPositive();
    }

    @OnEveryStorage
    void shouldFreeTheNameBeforeItSaysGoodbye(StorageKind storage) throws Exception {
        String name = BROKERS.name("alice");
        String address = BROKERS.address(storage);
        try (RawClient leaving = new RawClient(address); RawClient next = new RawClient(address)) {
            leaving.register(name);

            assertThat(leaving.ask(new Request.Goodbye())).isInstanceOf(Response.Done.class);

            assertThat(next.ask(new Request.Register(name))).isInstanceOf(Response.Registered.class);
        }
    }

    @OnEveryStorage
    void shouldGiveNoMessageToARequestOfAClientThatHasSaidGoodbye(StorageKind storage) throws Exception {
        String address = BROKERS.address(storage);
        Client other = BROKERS.registered(storage);
        int queue = BROKERS.queue(other);
        try (RawClient leaving = new RawClient(address)) {
            leaving.register(BROKERS.name("leaving"));
            leaving.send(new Request.DequeueMessage(MessageQuery.queue(queue).waiting(20_000)));
            assertThat(leaving.ask(new Request.Goodbye())).isInstanceOf(Response.Done.class);

            other.sendMessage(queue, CONTENT, 5);

            assertThat(other.dequeueMessage(MessageQuery.queue(queue).waiting(20_000))).isPresent();
        }
    }

    @OnEveryStorage
    void shouldCountTheCharactersOfAKeyAndNotItsBytes(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        for (int characters : new int[] {60, 100}) {
            String key = "\uD83D\uDE00".repeat(characters);
            for (int i = 0; i < 2; i++) {
                client.sendMessage(new int[] {queue}, CONTENT, 5, SendOptions.none().withKey(key));
            }
        }

        assertThat(client.dequeueMessages(MessageQuery.queue(queue), 10)).hasSize(2);
        assertThatThrownBy(() -> client.sendMessage(new int[] {queue}, CONTENT, 5,
                SendOptions.none().withKey("\uD83D\uDE00".repeat(101))))
                .isInstanceOf(MlmqException.InvalidRequest.class);
    }

    @OnEveryStorage
    void shouldSayWhyOnesOwnPersonalQueueCannotBeDeleted(StorageKind storage) {
        Client client = BROKERS.client(storage);
        int own = client.register(BROKERS.name("alice")).ownQueue();

        assertThatThrownBy(() -> client.deleteQueue(own, true)).isInstanceOf(MlmqException.InvalidRequest.class)
                .hasMessageContaining("own personal queue");
    }

    /** Waiting requests must get a response, too, without a message. */
    @OnEveryStorage
    void shouldAnswerWhatCameBeforeABadFrameBeforeItCloses(StorageKind storage) throws Exception {
        try (RawClient client = new RawClient(BROKERS.address(storage))) {
            int own = client.register(BROKERS.name("alice")).ownQueue();
            int waiting = client.send(new Request.DequeueMessage(MessageQuery.queue(own).waiting(50_000)));
            int creating = client.send(new Request.CreateQueue(BROKERS.name("jobs")));
            client.send(new byte[] {0, 0, 0, 8, 0, 0, 0, 99, 0, 0, 0, 77});

            Map<Integer, Response> answers = new HashMap<>();
            for (int i = 0; i < 3; i++) {
                Response answer = client.read();
                answers.put(client.correlationId(), answer);
            }

            assertThat(client.correlationId()).as("the last").isEqualTo(77);
            assertThat(answers.get(waiting)).isEqualTo(Response.Delivery.NONE);
            assertThat(answers.get(creating)).isInstanceOf(Response.QueueFound.class);
            assertThat(client.isClosed()).isTrue();
        }
    }

    @OnEveryStorage
    void shouldGiveDeadLettersOnlyToThoseWhoAskForTheirQueue(StorageKind storage) {
        Client client = BROKERS.client(storage);
        int me = client.register(BROKERS.name("alice")).client();
        String name = BROKERS.name("jobs");
        int queue = client.createQueue(name);
        dieIn(client, queue);

        int dead = client.lookupQueue(name + ".dead");

        for (MessageQuery any : List.of(MessageQuery.any(), MessageQuery.any().oldestFirst(),
                MessageQuery.any().from(me))) {
            assertThat(drain(client, any)).noneMatch(message -> message.queue() == dead);
        }
        assertThat(client.dequeueMessage(MessageQuery.queue(dead))).isPresent();
    }

    @OnEveryStorage
    void shouldFindTheDeadLettersOfAPersonalQueueByALookup(StorageKind storage) {
        Client client = BROKERS.client(storage);
        String name = BROKERS.name("alice");
        int own = client.register(name).ownQueue();
        assertThatThrownBy(() -> client.lookupClientQueue(name + ".dead"))
                .isInstanceOf(MlmqException.QueueDoesNotExist.class);
        assertThatThrownBy(() -> client.lookupClientQueue("nobody.dead"))
                .isInstanceOf(MlmqException.ClientDoesNotExist.class);
        dieIn(client, own);

        int dead = client.lookupClientQueue(name + ".dead");

        assertThat(client.dequeueMessage(MessageQuery.queue(dead))).isPresent();
        Client other = BROKERS.registered(storage);
        assertThatThrownBy(() -> other.dequeueMessage(MessageQuery.queue(dead)))
                .isInstanceOf(MlmqException.NotOwner.class);
    }

    @Test
    void shouldForgetClientsThatWereAwayForLongAndHaveNoMessage() throws Exception {
        String address = BROKERS.start(StorageKind.POSTGRESQL, Map.of("broker.client.keep", "100ms"));
        Client stays = BROKERS.clientAt(address);
        String here = BROKERS.name("stays");
        stays.register(here);
        String passing = BROKERS.name("passing");
        String expected = BROKERS.name("expected");
        for (String name : List.of(passing, expected)) {
            try (RawClient client = new RawClient(address)) {
                client.register(name);
                client.ask(new Request.Goodbye());
            }
        }
        stays.sendMessageToClient(stays.lookupClient(expected), CONTENT, 5);

        BROKERS.until("it is forgotten", () -> isUnknown(stays, passing));

        assertThat(stays.lookupClient(expected)).isPositive();
        assertThat(stays.lookupClient(here)).isPositive();
    }

    private static boolean isUnknown(Client client, String name) {
        try {
            client.lookupClient(name);
            return false;
        } catch (MlmqException.ClientDoesNotExist e) {
            return true;
        }
    }

    private static void dieIn(Client client, int queue) {
        client.sendMessages(List.of(new OutgoingMessage(queue, CONTENT, 5)));
        client.release(client.receiveMessage(MessageQuery.queue(queue), 10_000).orElseThrow());
    }

    private static List<Message> drain(Client client, MessageQuery query) {
        return Stream.generate(() -> client.dequeueMessage(query)).takeWhile(Optional::isPresent)
                .map(Optional::orElseThrow).toList();
    }
}
