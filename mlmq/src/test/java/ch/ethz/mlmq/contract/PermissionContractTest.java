package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.BrokerAddress;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.ClientConfig;
import ch.ethz.mlmq.client.ClientLoop;
import ch.ethz.mlmq.client.Credentials;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.client.SendOptions;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.scram.ScramVerifier;
import ch.ethz.mlmq.storage.postgresql.access.AccountScript;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What users may do at two brokers of one database. */
class PermissionContractTest {
    private static final int PATIENT_MILLIS = 20_000;
    private static final String PASSWORD = "correct horse";
    private static final byte[] CONTENT = {7};
    private static final int DELIVERIES = 2;

    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    private static String here;
    private static String elsewhere;

    private final List<Client> clients = new ArrayList<>();
    private final String prefix = BROKERS.name("orders") + ".";

    @BeforeAll
    static void makeUsersAndBrokers() throws Exception {
        BROKERS.address(StorageKind.POSTGRESQL);
        for (String user : List.of("app", "admin", "auditor", "reader", "neighbour")) {
            users().add(user, ScramVerifier.of(PASSWORD));
        }
        change("grant manage on queue 'orders-%' to admin");
        here = BROKERS.start(StorageKind.POSTGRESQL, Map.of("broker.auth", "scram",
                "broker.deliveries.max", Integer.toString(DELIVERIES)));
        elsewhere = BROKERS.start(StorageKind.POSTGRESQL, Map.of("broker.auth", "scram"));
    }

    @AfterEach
    void close() {
        clients.forEach(Client::close);
    }

    @Test
    void shouldLetUsersDoWhatWasGrantedAndNothingElse() throws Exception {
        int queue = connect(here, "admin").createQueue(prefix + "eu");
        Client client = connect(here, "app");
        assertRefused(() -> client.createQueue(prefix + "us"));
        assertRefused(() -> client.sendMessage(queue, CONTENT, 5));
        assertRefused(() -> client.sendMessages(List.of(new OutgoingMessage(queue, CONTENT, 5))));
        assertRefused(() -> client.dequeueMessage(MessageQuery.queue(queue)));
        assertRefused(() -> client.receiveMessages(MessageQuery.queue(queue), 10, 1_000));
        assertRefused(() -> client.peekMessage(MessageQuery.any()));
        assertRefused(() -> client.queuesWithPendingMessages(10));
        assertRefused(() -> client.queueLength(queue));
        assertRefused(() -> client.deleteQueue(queue, false));
        assertRefused(() -> client.moveMessages(queue, 0, 10));
        assertRefused(client::brokerStatus);
        assertThat(client.lookupQueue(prefix + "eu")).isEqualTo(queue);

        change("grant send, receive on queue '" + prefix + "%' to app");
        untilPermitted(() -> client.sendMessage(queue, CONTENT, 5));
        assertThat(client.dequeueMessage(MessageQuery.queue(queue))).isPresent();
        assertThat(client.queueLength(queue).ready()).isZero();
        assertRefused(() -> client.deleteQueue(queue, false));
        assertRefused(() -> client.peekMessage(MessageQuery.any()));

        Client auditor = connect(here, "auditor");
        change("grant receive on queue '%' to auditor");
        untilPermitted(() -> auditor.peekMessage(MessageQuery.any()));
        change("grant receive on broker to auditor");
        untilPermitted(auditor::brokerStatus);
    }

    @Test
    void shouldLetThoseLimitAQueueWhoManageIt() throws Exception {
        Client admin = connect(here, "admin");
        String name = prefix + "limited";
        int queue = admin.createQueue(name);
        Client client = connect(elsewhere, "app");
        for (String statement : List.of("limit queue " + name + " to 5 messages", "unlimit queue #" + queue,
                "describe queue " + name, "list limits")) {
            assertRefused(() -> client.execute(statement));
        }
        assertThatThrownBy(() -> client.execute("limit queue absent to age 1h"))
                .isInstanceOf(MlmqException.QueueDoesNotExist.class);
        assertThatThrownBy(() -> client.execute("limit queue " + name + " to 5 apples"))
                .isInstanceOf(MlmqException.InvalidRequest.class);

        change("grant receive on queue '" + name + "' to app");
        untilPermitted(() -> client.execute("describe queue " + name));
        assertRefused(() -> client.execute("limit queue " + name + " to 5 messages"));
        assertThat(admin.execute("limit queue " + name + " to 5 messages")).contains("5 messages, refuse");
        assertThat(client.execute("describe queue " + name)).contains("5 messages, refuse");
        change("grant manage on queue '" + name + "' to app");
        untilPermitted(() -> client.execute("limit queue " + name + " to 6 messages"));
    }

    /** Statements need no registration, so they come without a client, as public queues and topics have none. */
    @Test
    void shouldLetNobodyLimitAQueueWithoutARightBeforeItRegisters() {
        Client admin = connect(here, "admin");
        String name = prefix + "limited";
        int queue = admin.createQueue(name);
        admin.subscribe(admin.createTopic(prefix + "news"), "all", "", true);
        try (Client unregistered = Client.connect(config(here, "app"))) {
            for (String statement : List.of("limit queue " + name + " to 1 messages", "unlimit queue #" + queue,
                    "limit queue " + prefix + "news/all to 1 messages", "describe queue " + name)) {
                assertRefused(() -> unregistered.execute(statement));
            }
        }
        try (Client owner = Client.connect(config(here, "admin"))) {
            assertThat(owner.execute("limit queue " + name + " to 5 messages")).contains("5 messages");
        }
    }

    @Test
    void shouldLetNoSubscriberMakePublishersPay() throws Exception {
        Client admin = connect(here, "admin");
        int topic = admin.createTopic(prefix + "news");
        change("grant receive on queue '" + prefix + "news' to app");
        Client client = connect(elsewhere, "app");
        untilPermitted(() -> client.subscribe(topic, "durable", "", true));
        String name = prefix + "news/durable";

        assertRefused(() -> client.execute("limit queue " + name + " to 5 messages, drop oldest"));
        assertThat(client.execute("limit queue " + name + " to age 1h")).contains("age 3600s");
        assertRefused(() -> connect(here, "auditor").execute("unlimit queue " + name));

        change("grant manage on queue '" + prefix + "news%' to app");
        untilPermitted(() -> client.execute("limit queue " + name + " to 5 messages, drop oldest"));
    }

    @Test
    void shouldLetUsersPublishAndSubscribeWhereThatWasGranted() throws Exception {
        Client admin = connect(here, "admin");
        int topic = admin.createTopic(prefix + "news");
        int queue = admin.subscribe(topic, "all", "", true);
        Client client = connect(here, "app");
        assertRefused(() -> client.createTopic(prefix + "more"));
        assertRefused(() -> client.publish(topic, CONTENT, 5, SendOptions.none()));
        assertRefused(() -> client.subscribe(topic, "mine", "", false));
        assertRefused(() -> client.deleteTopic(topic));
        assertThat(client.lookupTopic(prefix + "news")).isEqualTo(topic);

        change("grant send, receive on queue '" + prefix + "news' to app");
        untilPermitted(() -> client.publish(topic, CONTENT, 5, SendOptions.none()));
        int mine = client.subscribe(topic, "mine", "", true);
        assertThat(client.publish(topic, CONTENT, 5, SendOptions.none())).isEqualTo(2);
        assertThat(client.dequeueMessage(MessageQuery.queue(mine))).isPresent();
        assertRefused(() -> client.dequeueMessage(MessageQuery.queue(queue)));
        assertThatThrownBy(() -> client.unsubscribe(topic, "all")).isInstanceOf(MlmqException.NotOwner.class);
        client.unsubscribe(topic, "mine");

        String open = BROKERS.start(StorageKind.POSTGRESQL, Map.of());
        try (Client anybody = Client.connect(open)) {
            anybody.register(prefix + "anybody");
            anybody.subscribe(topic, "of-nobody", "", true);
        }
        assertThatThrownBy(() -> client.unsubscribe(topic, "of-nobody")).isInstanceOf(MlmqException.NotOwner.class);
        assertThatThrownBy(() -> client.subscribe(topic, "of-nobody", "", true))
                .isInstanceOf(MlmqException.SubscriptionExists.class);

        change("grant receive on queue '" + prefix + "news/%' to app");
        untilPermitted(() -> client.dequeueMessage(MessageQuery.queue(queue)));
    }

    @Test
    void shouldGiveNoDeadLettersToAnotherUserWhoSubscribesByTheSameName() throws Exception {
        Client admin = connect(here, "admin");
        int topic = admin.createTopic(prefix + "news");
        change("grant receive on queue '" + prefix + "news' to app");
        change("grant receive on queue '" + prefix + "news' to neighbour");
        Client client = connect(here, "app");
        untilPermitted(() -> client.subscribe(topic, "durable", "", true));
        int queue = client.lookupQueue(prefix + "news/durable");
        admin.publish(topic, CONTENT, 5, SendOptions.none());
        for (int i = 0; i < DELIVERIES; i++) {
            client.release(client.receiveMessage(MessageQuery.queue(queue), 10_000).orElseThrow());
        }
        int dead = client.lookupQueue(prefix + "news/durable.dead");
        client.unsubscribe(topic, "durable");
        Client another = connect(here, "neighbour");
        untilPermitted(() -> another.subscribe(topic, "free", "", true));

        assertThatThrownBy(() -> another.subscribe(topic, "durable", "", true))
                .isInstanceOf(MlmqException.SubscriptionExists.class);
        assertRefused(() -> another.dequeueMessage(MessageQuery.queue(dead)));
        client.subscribe(topic, "durable", "id = 7", true);
        assertThat(client.dequeueMessage(MessageQuery.queue(dead))).isPresent();
        client.unsubscribe(topic, "durable");
        int again = another.subscribe(topic, "durable", "", true);
        assertThat(another.queueLength(again).ready()).isZero();
    }

    @Test
    void shouldPublishNothingMoreToSubscriptionsOfAUserThatLostTheRight() throws Exception {
        Client admin = connect(here, "admin");
        int topic = admin.createTopic(prefix + "news");
        String granted = "receive on queue '" + prefix + "news'";
        change("grant " + granted + " to reader");
        Client client = connect(here, "reader");
        untilPermitted(() -> client.subscribe(topic, "durable", "", true));
        client.subscribe(topic, "while-online", "", false);
        assertThat(admin.publish(topic, CONTENT, 5, SendOptions.none())).isEqualTo(2);

        change("revoke " + granted + " from reader");
        untilCopies(admin, topic, 0);
        assertThat(admin.publish(topic, CONTENT, 5, SendOptions.none().withKey("k"))).isZero();
        untilCopies(connect(elsewhere, "admin"), topic, 0);

        change("grant " + granted + " to reader");
        untilCopies(admin, topic, 2);
        change("drop user reader");
        untilCopies(admin, topic, 2);
    }

    private static void untilCopies(Client publisher, int topic, int copies) throws Exception {
        BROKERS.until(copies + " copies are stored",
                () -> publisher.publish(topic, CONTENT, 5, SendOptions.none()) == copies);
    }

    @Test
    void shouldRevokeAtEveryBroker() throws Exception {
        int queue = connect(here, "admin").createQueue(prefix + "eu");
        change("grant send on queue '" + prefix + "eu' to app");
        Client near = connect(here, "app");
        Client far = connect(elsewhere, "app");
        untilPermitted(() -> near.sendMessage(queue, CONTENT, 5));
        untilPermitted(() -> far.sendMessage(queue, CONTENT, 5));

        change("revoke send on queue '" + prefix + "eu' from app");

        untilRefused(() -> near.sendMessage(queue, CONTENT, 5));
        untilRefused(() -> far.sendMessage(queue, CONTENT, 5));
    }

    @Test
    void shouldPermitNothingWhileTheDatabaseKeepsTheUsersFromTheBroker() throws Exception {
        int queue = connect(here, "admin").createQueue(prefix + "eu");
        change("grant send on queue '" + prefix + "eu' to app");
        Client client = connect(here, "app");
        untilPermitted(() -> client.sendMessage(queue, CONTENT, 5));

        try (Connection locking = BROKERS.database().address().connect(); Statement lock = locking.createStatement()) {
            locking.setAutoCommit(false);
            lock.execute("LOCK TABLE membership");
            change("revoke send on queue '" + prefix + "eu' from app");
            untilSaid("cannot read in the database who may do what", () -> client.sendMessage(queue, CONTENT, 5));
            locking.rollback();
        }
        untilSaid("lacks the right", () -> client.sendMessage(queue, CONTENT, 5));
    }

    private static void untilSaid(String words, Runnable request) throws Exception {
        BROKERS.until("it is said: " + words, () -> {
            try {
                request.run();
                return false;
            } catch (MlmqException e) {
                return e.getMessage().contains(words);
            }
        });
    }

    @Test
    void shouldLetMembersOfARoleDoWhatWasGrantedToIt() throws Exception {
        String role = prefix + "senders";
        int queue = connect(here, "admin").createQueue(prefix + "eu");
        change("create role " + role);
        change("grant send on queue '" + prefix + "%' to " + role);
        change("grant " + role + " to app");
        Client near = connect(here, "app");
        Client far = connect(elsewhere, "app");
        untilPermitted(() -> near.sendMessage(queue, CONTENT, 5));
        untilPermitted(() -> far.sendMessage(queue, CONTENT, 5));
        assertRefused(() -> near.dequeueMessage(MessageQuery.queue(queue)));

        change("revoke " + role + " from app");

        untilRefused(() -> near.sendMessage(queue, CONTENT, 5));
        untilRefused(() -> far.sendMessage(queue, CONTENT, 5));
        change("grant " + role + " to app");
        untilPermitted(() -> near.sendMessage(queue, CONTENT, 5));
        change("drop role " + role);
        untilRefused(() -> near.sendMessage(queue, CONTENT, 5));
    }

    @Test
    void shouldLetNobodySignInAsARole() throws Exception {
        change("create role " + prefix + "role");
        assertThatThrownBy(() -> Client.connect(config(here, prefix + "role")))
                .hasMessageContaining("user or password is wrong");
    }

    @Test
    void shouldGiveNoMessageToAWaitingQueryWhoseRightWasRevoked() throws Exception {
        Client sender = connect(here, "admin");
        int queue = sender.createQueue(prefix + "eu");
        change("grant receive on queue '" + prefix + "%' to app");
        try (ClientLoop loop = ClientLoop.start("waiting")) {
            CompletableFuture<Optional<Message>> first = waiting(loop, "app", queue);
            BROKERS.until("it waits", () -> BROKERS.gauge(here, "waiting") == 1);
            CompletableFuture<Optional<Message>> second = waiting(loop, "admin", queue);
            BROKERS.until("both wait", () -> BROKERS.gauge(here, "waiting") == 2);
            change("revoke receive on queue '" + prefix + "%' from app");
            Client probe = connect(here, "app");
            untilRefused(() -> probe.queueLength(queue));

            sender.sendMessage(queue, CONTENT, 5);

            assertThat(second.get(PATIENT_MILLIS, TimeUnit.MILLISECONDS)).as("the next in line").isPresent();
            assertThatThrownBy(() -> first.get(PATIENT_MILLIS, TimeUnit.MILLISECONDS))
                    .isInstanceOf(ExecutionException.class).hasCauseInstanceOf(MlmqException.NotPermitted.class);
        }
    }

    private CompletableFuture<Optional<Message>> waiting(ClientLoop loop, String user, int queue) throws Exception {
        AsyncClient client = AsyncClient.open(loop, config(here, user));
        client.whenConnected().get(PATIENT_MILLIS, TimeUnit.MILLISECONDS);
        client.register(BROKERS.name("waiting")).get(PATIENT_MILLIS, TimeUnit.MILLISECONDS);
        BROKERS.until("its grant is in force", () -> mayReceive(client, queue));
        return client.dequeueMessage(MessageQuery.queue(queue).waiting(60_000));
    }

    private static boolean mayReceive(AsyncClient client, int queue) throws Exception {
        try {
            return client.queueLength(queue).get(PATIENT_MILLIS, TimeUnit.MILLISECONDS) != null;
        } catch (ExecutionException e) {
            return false;
        }
    }

    @Test
    void shouldLetTheUserThatMadeAQueueDoEverythingThere() throws Exception {
        change("grant manage on queue '" + prefix + "own.%' to app");
        Client owner = connect(here, "app");
        BROKERS.until("it may create", () -> permitted(() -> owner.createQueue(prefix + "own.1")));
        int queue = owner.lookupQueue(prefix + "own.1");
        change("revoke manage on queue '" + prefix + "own.%' from app");
        untilRefused(() -> owner.createQueue(BROKERS.name(prefix + "own.x")));

        owner.sendMessage(queue, CONTENT, 5);
        assertThat(connect(elsewhere, "app").dequeueMessage(MessageQuery.queue(queue))).isPresent();
        assertRefused(() -> connect(here, "admin").sendMessage(queue, CONTENT, 5));
        int foreign = connect(here, "admin").createQueue(prefix + "foreign");
        assertRefused(() -> owner.moveMessages(queue, foreign, 10));
        assertRefused(() -> owner.moveMessages(foreign, queue, 10));
        assertThat(owner.moveMessages(queue, 0, 10)).isZero();
        owner.deleteQueue(queue, true);
    }

    @Test
    void shouldLetNobodyReadByAMoveWhatItMayNotReceive() throws Exception {
        int queue = connect(here, "admin").createQueue(prefix + "eu");
        connect(here, "admin").sendMessage(queue, CONTENT, 5);
        change("grant manage on queue '" + prefix + "%' to app");
        Client client = connect(here, "app");
        AtomicInteger own = new AtomicInteger();
        untilPermitted(() -> own.set(client.createQueue(prefix + "own")));

        assertRefused(() -> client.moveMessages(queue, own.get(), 10));
        change("grant receive on queue '" + prefix + "eu' to app");
        untilPermitted(() -> client.moveMessages(queue, own.get(), 10));
        assertThat(client.dequeueMessage(MessageQuery.queue(own.get()))).isPresent();
    }

    @Test
    void shouldLetUsersSendToClientsOfTheirOwnAndToThoseThatWereGranted() throws Exception {
        Client worker = registered(here, "admin", prefix + "worker");
        String name = BROKERS.name("sender");
        Client sender = registered(here, "app", name);
        Response.Registered own = sender.register(name);
        int id = sender.lookupClient(prefix + "worker");
        int queue = sender.lookupClientQueue(id);
        assertRefused(() -> sender.sendMessageToClient(id, CONTENT, 5));
        assertRefused(() -> sender.sendRequestToClient(id, CONTENT, 5));
        assertRefused(() -> sender.sendMessage(queue, CONTENT, 5));
        assertThatThrownBy(() -> sender.dequeueMessage(MessageQuery.queue(queue)))
                .isInstanceOf(MlmqException.NotOwner.class);
        sender.sendMessageToClient(own.client(), CONTENT, 5);
        assertThat(sender.dequeueMessage(MessageQuery.queue(own.ownQueue()))).isPresent();
        Client another = registered(elsewhere, "app", BROKERS.name("another"));
        another.sendMessageToClient(own.client(), CONTENT, 5);

        change("grant send on client '" + prefix + "%' to everybody");

        untilPermitted(() -> sender.sendMessageToClient(id, CONTENT, 5));
        sender.sendMessage(queue, CONTENT, 5);
        assertThat(worker.queueLength(queue).ready()).isEqualTo(2);
    }

    @Test
    void shouldGiveDeadLettersToTheUserOfTheirQueueWhoeverMadeAQueueOfThatName() throws Exception {
        change("grant manage on queue '" + prefix + "%' to app");
        Client other = connect(here, "app");
        BROKERS.until("it may create", () -> permitted(() -> other.createQueue(prefix + "eu.dead")));
        int dead = other.lookupQueue(prefix + "eu.dead");
        other.queueLength(dead);
        Client owner = connect(here, "admin");
        int queue = owner.createQueue(prefix + "eu");
        owner.sendMessage(queue, CONTENT, 5);
        for (int i = 0; i < DELIVERIES; i++) {
            Message message = owner.receiveMessage(MessageQuery.queue(queue), 10_000).orElseThrow();
            owner.release(message);
        }

        assertThat(owner.queueLength(dead).ready()).isEqualTo(1);
        assertRefused(() -> other.dequeueMessage(MessageQuery.queue(dead)));
        assertThat(owner.dequeueMessage(MessageQuery.queue(dead))).isPresent();
    }

    private static AccountScript users() {
        return new AccountScript(BROKERS.database().address());
    }

    private static void change(String statement) throws Exception {
        users().execute(statement);
    }

    private static void assertRefused(Runnable request) {
        assertThatThrownBy(request::run).isInstanceOf(MlmqException.NotPermitted.class)
                .hasMessageContaining("lacks the right");
    }

    private static boolean permitted(Runnable request) {
        try {
            request.run();
            return true;
        } catch (MlmqException.NotPermitted e) {
            return false;
        }
    }

    private static void untilPermitted(Runnable request) throws Exception {
        BROKERS.until("it is permitted", () -> permitted(request));
    }

    private static void untilRefused(Runnable request) throws Exception {
        BROKERS.until("it is refused", () -> !permitted(request));
    }

    private Client connect(String address, String user) {
        return registered(address, user, BROKERS.name("client"));
    }

    private Client registered(String address, String user, String name) {
        Client client = Client.connect(config(address, user));
        clients.add(client);
        client.register(name);
        return client;
    }

    private static ClientConfig config(String address, String user) {
        return ClientConfig.builder().brokers(BrokerAddress.parseList(address)).connectTimeoutMillis(PATIENT_MILLIS)
                .requestTimeoutMillis(PATIENT_MILLIS).backoffMillis(10, 200)
                .credentials(Credentials.of(user, PASSWORD)).build();
    }
}
