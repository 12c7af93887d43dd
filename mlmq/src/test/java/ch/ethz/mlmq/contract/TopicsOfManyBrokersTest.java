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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Topics of two brokers on one database. */
class TopicsOfManyBrokersTest {
    private static final byte[] CONTENT = {1};
    private static final long PATIENCE_SECONDS = 60;

    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    private static String one;
    private static String other;

    @BeforeAll
    static void start() {
        one = BROKERS.start(StorageKind.POSTGRESQL, Map.of("broker.wait.poll", "60s"));
        other = BROKERS.start(StorageKind.POSTGRESQL, Map.of());
    }

    @Test
    void shouldMissNoSubscriptionThatWasAnsweredBefore() {
        Client subscriber = registered(one);
        Client publisher = registered(other);
        int topic = publisher.createTopic(BROKERS.name("topic"));
        for (int i = 1; i <= 60; i++) {
            int queue = subscriber.subscribe(topic, "number-" + i, i % 2 == 0 ? "" : "id = 7", i % 3 == 0);

            assertThat(publisher.publish(topic, CONTENT, 5, seven())).isEqualTo(i);
            assertThat(subscriber.dequeueMessage(MessageQuery.queue(queue))).isPresent();
        }
        for (int i = 60; i >= 1; i--) {
            subscriber.unsubscribe(topic, "number-" + i);

            assertThat(publisher.publish(topic, CONTENT, 5, seven())).isEqualTo(i - 1);
        }
    }

    /** Publishes are in flight all the time, so that subscriptions come between their evaluation and their storing. */
    @Test
    void shouldMissNoSubscriptionWhilePublishing() throws Exception {
        Client subscriber = registered(one);
        AsyncClient publisher = BROKERS.asyncAt(other);
        publisher.register(BROKERS.name("publisher")).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        int topic = subscriber.createTopic(BROKERS.name("topic"));
        Deque<CompletableFuture<Integer>> inFlight = new ArrayDeque<>();
        AtomicBoolean failed = new AtomicBoolean();
        List<Integer> queues = new ArrayList<>();
        for (int i = 1; i <= 40; i++) {
            for (int n = 0; n < 20; n++) {
                inFlight.add(publisher.publish(topic, CONTENT, 5, seven()));
            }
            queues.add(subscriber.subscribe(topic, "number-" + i, "id = 7", true));
            int answered = i;
            CompletableFuture<Integer> after = publisher.publish(topic, CONTENT, 5, seven());
            inFlight.add(after.thenApply(copies -> {
                failed.compareAndSet(false, copies < answered);
                return copies;
            }));
        }
        long copies = 0;
        for (CompletableFuture<Integer> published : inFlight) {
            copies += published.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
        assertThat(failed).isFalse();
        long taken = 0;
        for (int queue : queues) {
            List<Message> some = subscriber.dequeueMessages(MessageQuery.queue(queue), 1_000);
            assertThat(some).extracting(Message::id).isSorted();
            taken += some.size();
        }
        assertThat(taken).as("what was answered is what is there").isEqualTo(copies);
    }

    /** Without workers, subscriptions and publishes of one connection share batches. */
    @Test
    void shouldPublishBehindASubscriptionInTheSameBatch() throws Exception {
        AsyncClient client = BROKERS.asyncAt(BROKERS.start(StorageKind.POSTGRESQL, Map.of("broker.workers", "0")));
        client.register(BROKERS.name("client")).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        int topic = client.createTopic(BROKERS.name("topic")).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        List<CompletableFuture<Integer>> published = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            client.subscribe(topic, "number-" + i, "", true);
            published.add(client.publish(topic, CONTENT, 5,
                    i % 2 == 0 ? SendOptions.none() : SendOptions.none().withKey("key-" + i)));
        }
        for (int i = 0; i < 50; i++) {
            assertThat(published.get(i).get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(i + 1);
        }
    }

    @Test
    void shouldWakeWhoWaitsAtAnotherBroker() throws Exception {
        AsyncClient waiter = BROKERS.asyncAt(one);
        waiter.register(BROKERS.name("waiter")).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        Client publisher = registered(other);
        int topic = publisher.createTopic(BROKERS.name("topic"));
        int mine = waiter.subscribe(topic, "mine", "id = 7", false).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        for (int i = 0; i < 10; i++) {
            CompletableFuture<Optional<Message>> waiting =
                    waiter.dequeueMessage(MessageQuery.queue(mine).waiting(50_000));
            BROKERS.roundTrip(waiter);

            assertThat(publisher.publish(topic, CONTENT, 5, seven())).isEqualTo(1);

            assertThat(waiting.get(20, TimeUnit.SECONDS)).isPresent();
        }
    }

    @Test
    void shouldNoticeThatATopicWasDeletedAndMadeAgain() {
        Client publisher = registered(one);
        Client owner = registered(other);
        String name = BROKERS.name("topic");
        int topic = owner.createTopic(name);
        owner.subscribe(topic, "all", "", true);
        assertThat(publisher.publish(topic, CONTENT, 5, SendOptions.none())).isEqualTo(1);

        owner.deleteTopic(topic);
        int again = owner.createTopic(name);

        assertThat(again).isNotEqualTo(topic);
        assertThat(publisher.publish(again, CONTENT, 5, SendOptions.none())).isZero();
        assertThatThrownBy(
                () -> publisher.publish(topic, CONTENT, 5, SendOptions.none()))
                .isInstanceOf(MlmqException.TopicDoesNotExist.class);
    }

    /** What one broker knows of a topic is more than what is true: it must load all again. */
    @Test
    void shouldNoticeThatASubscriptionWasReplaced() {
        Client publisher = registered(one);
        Client owner = registered(other);
        int topic = owner.createTopic(BROKERS.name("topic"));
        owner.subscribe(topic, "a", "", true);
        owner.subscribe(topic, "b", "id = 8", true);
        assertThat(publisher.publish(topic, CONTENT, 5, seven())).isEqualTo(1);

        owner.unsubscribe(topic, "a");
        owner.subscribe(topic, "a", "id = 8", true);
        owner.subscribe(topic, "c", "id = 7", true);

        assertThat(publisher.publish(topic, CONTENT, 5, seven())).isEqualTo(1);
    }

    private static SendOptions seven() {
        return SendOptions.none().withProperties(MessageProperties.NONE.with("id", 7));
    }

    private static Client registered(String address) {
        Client client = BROKERS.clientAt(address);
        client.register(BROKERS.name("client"));
        return client;
    }
}
