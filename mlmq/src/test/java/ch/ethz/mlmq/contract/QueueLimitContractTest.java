package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.client.SendOptions;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Response;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Queues with limits of length. */
class QueueLimitContractTest {
    private static final byte[] CONTENT = {1};
    private static final int LEASE_MILLIS = 600_000;
    private static final int WAIT_MILLIS = 20_000;

    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    @OnEveryStorage
    void shouldRefuseASendToAFullQueueUntilThereIsRoom(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int queue = limited(client, "2 messages");
        client.sendMessage(queue, CONTENT, 5);
        client.sendMessage(queue, CONTENT, 5);
        long before = BROKERS.gauge(BROKERS.address(storage), "full");

        assertThatThrownBy(() -> client.sendMessage(queue, CONTENT, 9)).isInstanceOf(MlmqException.Overloaded.class)
                .hasMessageContaining("2 messages");

        assertThat(client.queueLength(queue)).isEqualTo(new Response.QueueLength(2, 0));
        assertThat(BROKERS.gauge(BROKERS.address(storage), "full")).isEqualTo(before + 1);
        client.dequeueMessage(MessageQuery.queue(queue)).orElseThrow();
        BROKERS.until("there is room", () -> isSent(client, queue));
        assertThat(client.queueLength(queue).ready()).isEqualTo(2);
        assertThat(isSent(client, queue)).isFalse();
    }

    @OnEveryStorage
    void shouldDropTheOldestOfTheLowestPriority(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = limited(client, "3 messages, drop oldest");
        long before = BROKERS.gauge(BROKERS.address(storage), "dropped");
        for (int i = 0; i < 3; i++) {
            client.sendMessage(queue, new byte[] {(byte) i}, i == 0 ? 6 : 5);
        }

        client.sendMessage(queue, new byte[] {3}, 5);
        client.sendMessages(List.of(new OutgoingMessage(queue, new byte[] {4}, 6)));

        assertThat(BROKERS.gauge(BROKERS.address(storage), "dropped")).isEqualTo(before + 2);
        assertThat(client.queueLength(queue)).isEqualTo(new Response.QueueLength(3, 0));
        assertThatThrownBy(() -> client.sendMessage(queue, CONTENT, 4)).as("lower than all")
                .isInstanceOf(MlmqException.Overloaded.class);
        assertThat(client.dequeueMessages(MessageQuery.queue(queue), 10)).extracting(message -> message.content()[0])
                .containsExactly((byte) 0, (byte) 4, (byte) 3);
    }

    @OnEveryStorage
    void shouldDropMessagesForWhomeverTheyAre(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int other = BROKERS.client(storage).register(BROKERS.name("other")).client();
        int queue = limited(client, "2 messages, drop oldest");
        client.sendMessage(new int[] {queue}, new byte[] {1}, 5, SendOptions.none().withReceiver(other));
        client.sendMessage(queue, new byte[] {2}, 5);

        client.sendMessage(queue, new byte[] {3}, 5);
        client.sendMessage(new int[] {queue}, new byte[] {4}, 5, SendOptions.none().withReceiver(other));

        assertThat(client.queueLength(queue).ready()).isEqualTo(2);
        assertThat(client.dequeueMessages(MessageQuery.queue(queue), 10)).extracting(message -> message.content()[0])
                .containsExactly((byte) 3);
    }

    @OnEveryStorage
    void shouldCountBytesOfContentsAndProperties(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = limited(client, "1 KB");
        client.sendMessage(queue, new byte[600], 5);
        assertThatThrownBy(() -> client.sendMessage(queue, new byte[425], 5))
                .isInstanceOf(MlmqException.Overloaded.class).hasMessageContaining("1 KB");
        assertThatThrownBy(() -> client.sendMessage(queue, new byte[1_025], 5))
                .isInstanceOf(MlmqException.Overloaded.class);
        client.sendMessage(queue, new byte[424], 5);
        client.dequeueMessages(MessageQuery.queue(queue), 10);
        client.execute("limit queue #" + queue + " to 1 KB, drop oldest");
        for (int i = 0; i < 20; i++) {
            client.sendMessage(queue, new byte[50], 5);
        }

        client.sendMessage(queue, new byte[100], 5);

        assertThat(client.dequeueMessages(MessageQuery.queue(queue), 100).stream().mapToInt(Message::bytes).sum())
                .isEqualTo(1_000);
    }

    @OnEveryStorage
    void shouldStoreAllMessagesOfARequestOrNone(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = limited(client, "3 messages");
        int free = BROKERS.queue(client);
        client.sendMessages(Collections.nCopies(2, new OutgoingMessage(queue, CONTENT, 5)));

        assertThatThrownBy(() -> client.sendMessages(Collections.nCopies(2, new OutgoingMessage(queue, CONTENT, 5))))
                .isInstanceOf(MlmqException.Overloaded.class);
        client.sendMessage(new int[] {free, queue}, CONTENT, 5, SendOptions.none());
        assertThatThrownBy(() -> client.sendMessage(new int[] {free, queue}, CONTENT, 5, SendOptions.none()))
                .isInstanceOf(MlmqException.Overloaded.class);

        assertThat(client.queueLength(queue).ready()).isEqualTo(3);
        assertThat(client.queueLength(free).ready()).isEqualTo(1);
    }

    @OnEveryStorage
    void shouldNotKeepTheKeyOfARefusedMessage(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int queue = limited(client, "1 messages");
        SendOptions key = SendOptions.none().withKey("once");
        client.sendMessage(queue, CONTENT, 5);
        assertThatThrownBy(() -> client.sendMessage(new int[] {queue}, CONTENT, 5, key))
                .isInstanceOf(MlmqException.Overloaded.class);
        client.dequeueMessage(MessageQuery.queue(queue)).orElseThrow();

        BROKERS.until("it is stored", () -> {
            try {
                client.sendMessage(new int[] {queue}, CONTENT, 5, key);
                return true;
            } catch (MlmqException.Overloaded e) {
                return false;
            }
        });
        client.sendMessage(new int[] {queue}, CONTENT, 5, key);

        assertThat(client.queueLength(queue).ready()).isEqualTo(1);
    }

    @OnEveryStorage
    void shouldCountLeasedAndDelayedMessages(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int queue = limited(client, "2 messages, drop oldest");
        client.sendMessage(new int[] {queue}, CONTENT, 5, SendOptions.none().withDelay(LEASE_MILLIS));
        client.sendMessage(queue, CONTENT, 5);
        Message leased = client.receiveMessage(MessageQuery.queue(queue), LEASE_MILLIS).orElseThrow();

        assertThat(isSent(client, queue)).isFalse();

        client.acknowledge(leased);
        BROKERS.until("there is room", () -> isSent(client, queue));
        assertThat(client.queueLength(queue)).isEqualTo(new Response.QueueLength(1, 1));
    }

    @OnEveryStorage
    void shouldTakeBackWhatIsReleased(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = limited(client, "1 messages");
        client.sendMessage(queue, CONTENT, 5);
        client.release(client.receiveMessage(MessageQuery.queue(queue), LEASE_MILLIS).orElseThrow());

        assertThat(client.queueLength(queue)).isEqualTo(new Response.QueueLength(1, 0));
        assertThat(isSent(client, queue)).isFalse();
    }

    @OnEveryStorage
    void shouldRefuseAPublishThatDoesNotFitIntoAllSubscriptions(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        String name = BROKERS.name("topic");
        int topic = client.createTopic(name);
        int full = client.subscribe(topic, "full", "", true);
        int free = client.subscribe(topic, "free", "", true);
        client.execute("limit queue '" + name + "/full' to 1 messages");

        assertThat(client.publish(topic, CONTENT, 5, SendOptions.none())).isEqualTo(2);
        assertThatThrownBy(() -> client.publish(topic, CONTENT, 5, SendOptions.none()))
                .isInstanceOf(MlmqException.Overloaded.class);
        assertThatThrownBy(() -> client.publish(topic, CONTENT, 5, SendOptions.none().withKey("k")))
                .isInstanceOf(MlmqException.Overloaded.class);
        assertThat(client.queueLength(free).ready()).isEqualTo(1);

        client.execute("limit queue '" + name + "/full' to 1 messages, drop oldest");
        assertThat(client.publish(topic, new byte[] {2}, 5, SendOptions.none())).isEqualTo(2);
        assertThat(client.publish(topic, new byte[] {3}, 5, SendOptions.none().withKey("k"))).isEqualTo(2);
        assertThat(client.dequeueMessages(MessageQuery.queue(full), 10)).extracting(message -> message.content()[0])
                .containsExactly((byte) 3);
        assertThat(client.queueLength(free).ready()).isEqualTo(3);
    }

    @OnEveryStorage
    void shouldKeepTheLimitOfASubscriptionThatEndsWithItsClient(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        String name = BROKERS.name("topic");
        int topic = client.createTopic(name);
        int queue = client.subscribe(topic, "mine", "", false);
        client.execute("limit queue '" + name + "/mine' to 2 messages, drop oldest");
        for (int i = 0; i < 5; i++) {
            client.publish(topic, CONTENT, 5, SendOptions.none());
        }

        assertThat(client.queueLength(queue).ready()).isEqualTo(2);
        client.unsubscribe(topic, "mine");
        client.subscribe(topic, "mine", "", false);
        assertThat(client.execute("describe queue '" + name + "/mine'")).contains("no limits");
    }

    @OnEveryStorage
    void shouldLimitNoSubscriptionByALongerName(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        String name = BROKERS.name("topic");
        client.subscribe(client.createTopic(name), "mine", "", true);

        for (String longer : List.of("/mine/other", "/mine/")) {
            assertThatThrownBy(() -> client.execute("limit queue '" + name + longer + "' to 1 messages"))
                    .isInstanceOf(MlmqException.QueueDoesNotExist.class);
        }
        assertThat(client.execute("describe queue '" + name + "/mine'")).contains("no limits");
    }

    @OnEveryStorage
    void shouldLimitTheDeadLettersOfASubscription(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        String name = BROKERS.name("topic");
        int topic = client.createTopic(name);
        int queue = client.subscribe(topic, "mine", "", true);
        client.execute("limit queue '" + name + "/mine' to 1 attempts");
        client.publish(topic, CONTENT, 5, SendOptions.none());
        client.release(client.receiveMessage(MessageQuery.queue(queue), WAIT_MILLIS).orElseThrow());
        String dead = name + "/mine.dead";
        assertThat(client.receiveMessage(MessageQuery.queue(queue), WAIT_MILLIS)).isEmpty();
        assertThat(client.queueLength(client.lookupQueue(dead)).ready()).isEqualTo(1);

        assertThat(client.execute("limit queue '" + dead + "' to age 7d")).contains("'" + dead + "'");
        assertThat(client.execute("describe queue '" + dead + "'")).contains("age 604800s");
    }

    @OnEveryStorage
    void shouldNeverHoldMoreThanTheLimitWhileManySend(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        List<String> addresses = new ArrayList<>(List.of(BROKERS.address(storage)));
        if (storage == StorageKind.POSTGRESQL) {
            addresses.add(BROKERS.start(storage, Map.of()));
        }
        int queue = limited(client, "100 messages");
        int dropping = limited(client, "50 messages, drop oldest");
        for (String address : addresses) {
            BROKERS.until("it is in force", () -> knows(address, queue, dropping));
        }
        long before = client.queueLength(queue).ready();
        List<CompletableFuture<?>> sends = new ArrayList<>();
        for (String address : addresses) {
            for (int i = 0; i < 2; i++) {
                AsyncClient sender = BROKERS.asyncAt(address);
                sender.register(BROKERS.name("sender")).get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
                for (int j = 0; j < 300; j++) {
                    sends.add(sender.sendMessage(queue, CONTENT, 5));
                    sends.add(sender.sendMessage(dropping, CONTENT, 5));
                }
            }
        }
        long stored = before;
        for (int i = 0; i < sends.size(); i++) {
            CompletableFuture<?> send = sends.get(i);
            boolean failed = send.handle((done, failure) -> failure != null).get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
            stored += i % 2 == 0 && !failed ? 1 : 0;
            assertThat(i % 2 == 1 && failed).as("a send to a queue that drops").isFalse();
        }

        assertThat(client.queueLength(queue).ready()).isEqualTo(stored).isEqualTo(100L);
        assertThat(client.queueLength(dropping).ready()).isEqualTo(50);
    }

    @OnEveryStorage
    void shouldServeAQueueWhoseConsumersKeepUp(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int queue = limited(client, "5 messages");
        for (int i = 0; i < 200; i++) {
            BROKERS.until("it is stored", () -> isSent(client, queue));
            client.dequeueMessage(MessageQuery.queue(queue)).orElseThrow();
        }
        for (int i = 0; i < 20; i++) {
            BROKERS.until("all are stored", () -> areSent(client, queue));
            assertThat(client.dequeueMessages(MessageQuery.queue(queue), 10)).hasSize(5);
        }
        assertThat(client.queueLength(queue)).isEqualTo(new Response.QueueLength(0, 0));
    }

    @OnEveryStorage
    void shouldShowLimitsAndTakeThemAway(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        String name = BROKERS.name("queue");
        int queue = client.createQueue(name);
        assertThat(client.execute("limit queue '" + name + "' to 1 messages, age 1h, 5 attempts, backoff 1s to 1min"))
                .isEqualTo("limit queue '" + name
                        + "' to 1 messages, refuse, age 3600s, 5 attempts, backoff 1s to 60s");
        client.sendMessage(queue, CONTENT, 5);

        assertThat(client.execute("list limits").lines()).contains(
                "limit queue '" + name + "' to 1 messages, refuse, age 3600s, 5 attempts, backoff 1s to 60s");
        BROKERS.until("the length is known", () -> client.execute("describe queue " + name).equals("queue '" + name
                + "' (#" + queue + "): 1 messages, 0 leased\nlimit queue '" + name
                + "' to 1 messages, refuse, age 3600s, 5 attempts, backoff 1s to 60s"));
        assertThat(isSent(client, queue)).isFalse();

        assertThat(client.execute("unlimit queue " + name)).isEqualTo("queue '" + name + "' has no limits");
        BROKERS.until("it is in force", () -> isSent(client, queue));
        assertThat(client.execute("list limits")).doesNotContain("'" + name + "'");
        assertThat(client.execute("describe queue " + name)).endsWith("no limits");
    }

    @OnEveryStorage
    void shouldLetOnlyItsClientLimitAPersonalQueue(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        Client owner = BROKERS.client(storage);
        Response.Registered own = owner.register(BROKERS.name("owner"));
        String limit = "limit queue #" + own.ownQueue() + " to 1 messages";
        for (String statement : List.of(limit, "unlimit queue #" + own.ownQueue(),
                "describe queue #" + own.ownQueue())) {
            assertThatThrownBy(() -> client.execute(statement)).isInstanceOf(MlmqException.NotOwner.class);
        }

        owner.execute(limit);

        client.sendMessageToClient(own.client(), CONTENT, 5);
        assertThatThrownBy(() -> client.sendMessageToClient(own.client(), CONTENT, 5))
                .isInstanceOf(MlmqException.Overloaded.class);
        assertThatThrownBy(() -> client.sendRequestToClient(own.client(), CONTENT, 5))
                .isInstanceOf(MlmqException.Overloaded.class);
        assertThat(owner.queueLength(own.ownQueue()).ready()).isEqualTo(1);
    }

    @OnEveryStorage
    void shouldSayWhatIsWrongWithAStatement(StorageKind storage) {
        Client client = BROKERS.registered(storage);

        assertThatThrownBy(() -> client.execute("limit queue absent to 5 messages"))
                .isInstanceOf(MlmqException.QueueDoesNotExist.class).hasMessageContaining("absent");
        assertThatThrownBy(() -> client.execute("describe queue absent/one"))
                .isInstanceOf(MlmqException.QueueDoesNotExist.class).hasMessageContaining("absent/one");
        assertThatThrownBy(() -> client.execute("limit queue absent to 5 apples"))
                .isInstanceOf(MlmqException.InvalidRequest.class).hasMessageContaining("5 apples");
    }

    private static boolean knows(String address, int... queues) {
        Client client = BROKERS.clientAt(address);
        client.register(BROKERS.name("client"));
        for (int queue : queues) {
            try {
                client.sendMessages(Collections.nCopies(101, new OutgoingMessage(queue, CONTENT, 5)));
                client.dequeueMessages(MessageQuery.queue(queue), 1_000);
                return false;
            } catch (MlmqException.Overloaded e) {
                assertThat(e).hasMessageContaining("full");
            }
        }
        return true;
    }

    private static int limited(Client client, String limits) {
        String name = BROKERS.name("queue");
        int queue = client.createQueue(name);
        client.execute("limit queue '" + name + "' to " + limits);
        return queue;
    }

    private static boolean areSent(Client client, int queue) {
        try {
            client.sendMessages(Collections.nCopies(5, new OutgoingMessage(queue, CONTENT, 5)));
            return true;
        } catch (MlmqException.Overloaded e) {
            return false;
        }
    }

    private static boolean isSent(Client client, int queue) {
        try {
            client.sendMessage(queue, CONTENT, 5);
            return true;
        } catch (MlmqException.Overloaded e) {
            return false;
        }
    }
}
