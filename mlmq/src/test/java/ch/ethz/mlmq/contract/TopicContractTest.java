package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.client.SendOptions;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageProperties;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Response;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.RegisterExtension;

class TopicContractTest {
    private static final int LEASE_MILLIS = 600_000;

    @RegisterExtension
    static final Brokers BROKERS = new Brokers(Map.of("broker.client.keep", "2s"));

    @OnEveryStorage
    void shouldNameTheOwnerOfASubscriptionAsReceiverToAQueryOfAnyQueue(StorageKind storage) {
        Client client = BROKERS.client(storage);
        int id = client.register(BROKERS.name("client")).client();
        int topic = client.createTopic(BROKERS.name("topic"));
        client.subscribe(topic, "mine", "", false);
        client.publish(topic, new byte[1], 10, SendOptions.none().withContext(77));

        assertThat(client.dequeueMessage(MessageQuery.any()).orElseThrow().receiver()).isEqualTo(id);
    }

    @OnEveryStorage
    void shouldCopyAMessageIntoEachSubscriptionThatTakesIt(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int topic = client.createTopic(BROKERS.name("topic"));
        int all = client.subscribe(topic, "all", "", true);
        int some = client.subscribe(topic, "some", "id = 'x' AND $priority > 4", true);
        int none = client.subscribe(topic, "none", "id = 'y'", false);

        assertThat(client.publish(topic, text("one"), 5, id("x"))).isEqualTo(2);
        assertThat(client.publish(topic, text("two"), 4, id("x").withContext(7))).isEqualTo(1);

        assertThat(texts(client, all)).containsExactly("one", "two");
        assertThat(texts(client, some)).containsExactly("one");
        assertThat(texts(client, none)).isEmpty();
    }

    @OnEveryStorage
    void shouldDeliverACopyWithAllThatQueuesHave(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int topic = client.createTopic(BROKERS.name("topic"));
        int queue = client.subscribe(topic, "mine", "", false);
        AsyncClient waiting = BROKERS.asyncRegistered(storage);
        int durable = waiting.subscribe(topic, "durable", "", true).get(20, TimeUnit.SECONDS);
        CompletableFuture<Optional<Message>> woken =
                waiting.receiveMessage(MessageQuery.queue(durable).waiting(50_000), LEASE_MILLIS);
        BROKERS.roundTrip(waiting);

        client.publish(topic, text("low"), 1, id("x").withContext(9));
        Message first = woken.get(20, TimeUnit.SECONDS).orElseThrow();
        client.publish(topic, text("high"), 10, id("x"));

        assertThat(first.context()).isEqualTo(9);
        assertThat(first.properties()).isEqualTo(id("x").properties());
        assertThat(client.queueLength(queue)).isEqualTo(new Response.QueueLength(2, 0));
        Message leased = client.receiveMessage(MessageQuery.queue(queue), LEASE_MILLIS).orElseThrow();
        assertThat(leased.text()).isEqualTo("high");
        client.release(leased);
        assertThat(texts(client, queue)).containsExactly("high", "low");
        assertThat(client.queueLength(queue)).isEqualTo(new Response.QueueLength(0, 0));
    }

    @OnEveryStorage
    void shouldLimitTheFiltersThatTakeLong(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int topic = client.createTopic(BROKERS.name("topic"));
        String filter = "x LIKE '%b'" + " OR x LIKE '%b'".repeat(250);
        for (int i = 0; i < 4; i++) {
            client.subscribe(topic, "s" + i, filter + " OR y = " + i, true);
        }

        assertThatThrownBy(() -> client.subscribe(topic, "s4", filter, true))
                .isInstanceOf(MlmqException.InvalidRequest.class).hasMessageContaining("LIKE");
        client.unsubscribe(topic, "s0");
        client.subscribe(topic, "s4", filter, true);
    }

    @OnEveryStorage
    void shouldFindASubscriptionThatIsThere(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        String name = BROKERS.name("topic");
        int topic = client.createTopic(name);
        int queue = client.subscribe(topic, "all", "id = 7", true);

        assertThat(client.subscribe(topic, "all", "id = 7", true)).isEqualTo(queue);
        assertThat(client.lookupTopic(name)).isEqualTo(topic);
        assertThat(client.lookupQueue(name + "/all")).isEqualTo(queue);
        assertThatThrownBy(() -> client.subscribe(topic, "all", "id = 8", true))
                .isInstanceOf(MlmqException.SubscriptionExists.class);
        assertThatThrownBy(() -> client.subscribe(topic, "all", "id = 7", false))
                .isInstanceOf(MlmqException.SubscriptionExists.class);
        assertThatThrownBy(() -> client.createTopic(name)).isInstanceOf(MlmqException.TopicExists.class);
    }

    @OnEveryStorage
    void shouldEndASubscriptionInEveryWay(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int topic = client.createTopic(BROKERS.name("topic"));
        int first = client.subscribe(topic, "first", "", true);
        int second = client.subscribe(topic, "second", "", true);
        client.subscribe(topic, "third", "", false);
        assertThat(client.publish(topic, text("a"), 5, SendOptions.none())).isEqualTo(3);

        client.unsubscribe(topic, "third");
        assertThat(client.publish(topic, text("b"), 5, SendOptions.none())).isEqualTo(2);
        client.deleteQueue(first, false);
        assertThat(client.publish(topic, text("c"), 5, SendOptions.none())).isEqualTo(1);
        client.deleteTopic(topic);

        assertThatThrownBy(() -> client.publish(topic, text("d"), 5, SendOptions.none()))
                .isInstanceOf(MlmqException.TopicDoesNotExist.class);
        assertThatThrownBy(() -> client.peekMessage(MessageQuery.queue(second)))
                .isInstanceOf(MlmqException.QueueDoesNotExist.class);
    }

    @OnEveryStorage
    void shouldEndWithItsClientUnlessItIsDurable(StorageKind storage) throws Exception {
        Client publisher = BROKERS.registered(storage);
        int topic = publisher.createTopic(BROKERS.name("topic"));
        Client polite = BROKERS.registered(storage);
        polite.subscribe(topic, "polite", "", false);
        polite.subscribe(topic, "durable", "", true);
        AsyncClient cut = BROKERS.asyncRegistered(storage);
        cut.subscribe(topic, "cut", "", false).get(20, TimeUnit.SECONDS);
        assertThat(publisher.publish(topic, text("a"), 5, SendOptions.none())).isEqualTo(3);

        polite.close();
        assertThat(publisher.publish(topic, text("b"), 5, SendOptions.none())).isEqualTo(2);
        BROKERS.disconnect(cut);

        BROKERS.until("the subscription of the lost client ends",
                () -> publisher.publish(topic, text("c"), 5, SendOptions.none()) == 1);
    }

    @OnEveryStorage
    void shouldBelongToItsClientUnlessItIsDurable(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        Client other = BROKERS.registered(storage);
        int topic = client.createTopic(BROKERS.name("topic"));
        int mine = client.subscribe(topic, "mine", "", false);
        int shared = client.subscribe(topic, "shared", "", true);
        other.publish(topic, text("a"), 5, SendOptions.none());

        assertThatThrownBy(() -> other.dequeueMessage(MessageQuery.queue(mine)))
                .isInstanceOf(MlmqException.NotOwner.class);
        assertThatThrownBy(() -> other.unsubscribe(topic, "mine")).isInstanceOf(MlmqException.NotOwner.class);
        assertThat(texts(other, shared)).containsExactly("a");
        assertThat(texts(client, mine)).containsExactly("a");
    }

    @OnEveryStorage
    void shouldPublishAKeyOnce(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int topic = client.createTopic(BROKERS.name("topic"));
        int queue = client.subscribe(topic, "all", "", true);

        assertThat(client.publish(topic, text("a"), 5, SendOptions.none().withKey("k"))).isEqualTo(1);
        assertThat(client.publish(topic, text("a"), 5, SendOptions.none().withKey("k"))).isZero();
        assertThat(client.publish(topic, text("b"), 5, SendOptions.none().withKey("l"))).isEqualTo(1);

        assertThat(texts(client, queue)).containsExactly("a", "b");
    }

    @OnEveryStorage
    void shouldKeepTheOrderOfAConnection(StorageKind storage) throws Exception {
        AsyncClient client = BROKERS.asyncRegistered(storage);
        int topic = client.createTopic(BROKERS.name("topic")).get(20, TimeUnit.SECONDS);
        int queue = client.subscribe(topic, "all", "", true).get(20, TimeUnit.SECONDS);
        List<CompletableFuture<Optional<Message>>> taken = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            if (i % 3 == 0) {
                client.sendMessage(queue, text("" + i));
            } else {
                client.publish(topic, text("" + i), 5, SendOptions.none());
            }
            if (i % 5 == 4) {
                taken.add(client.dequeueMessage(MessageQuery.queue(queue)));
            }
        }
        for (int i = 0; i < taken.size(); i++) {
            assertThat(taken.get(i).get(20, TimeUnit.SECONDS).orElseThrow().text()).isEqualTo("" + i);
        }
        for (int i = taken.size(); i < 200; i++) {
            assertThat(client.dequeueMessage(MessageQuery.queue(queue)).get(20, TimeUnit.SECONDS).orElseThrow().text())
                    .isEqualTo("" + i);
        }
    }

    @OnEveryStorage
    void shouldRefuseWhatIsWrong(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int topic = client.createTopic(BROKERS.name("topic"));

        assertThatThrownBy(() -> client.subscribe(topic, "all", "id = ", true))
                .isInstanceOf(MlmqException.InvalidRequest.class)
                .hasMessage("the filter: column 6: a property, a value, NOT or ( was expected, not the end");
        for (String wrong : new String[] {"", "a/b", "a b", "a.dead"}) {
            assertThatThrownBy(() -> client.subscribe(topic, wrong, "", true))
                    .isInstanceOf(MlmqException.InvalidRequest.class);
        }
        assertThatThrownBy(() -> client.unsubscribe(topic, "all"))
                .isInstanceOf(MlmqException.SubscriptionDoesNotExist.class);
        for (int missing : new int[] {0, -1, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> client.publish(missing, text("a"), 5, SendOptions.none()))
                    .isInstanceOf(MlmqException.TopicDoesNotExist.class);
            assertThatThrownBy(() -> client.publish(missing, text("a"), 5, SendOptions.none().withKey("k")))
                    .isInstanceOf(MlmqException.TopicDoesNotExist.class);
            assertThatThrownBy(() -> client.subscribe(missing, "all", "", true))
                    .isInstanceOf(MlmqException.TopicDoesNotExist.class);
            assertThatThrownBy(() -> client.unsubscribe(missing, "all"))
                    .isInstanceOf(MlmqException.TopicDoesNotExist.class);
            assertThatThrownBy(() -> client.deleteTopic(missing)).isInstanceOf(MlmqException.TopicDoesNotExist.class);
        }
        assertThatThrownBy(() -> client.lookupTopic("missing")).isInstanceOf(MlmqException.TopicDoesNotExist.class);
    }

    private static SendOptions id(String id) {
        return SendOptions.none().withProperties(MessageProperties.NONE.with("id", id));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static List<String> texts(Client client, int queue) {
        return client.dequeueMessages(MessageQuery.queue(queue), 100).stream().map(Message::text).toList();
    }
}
