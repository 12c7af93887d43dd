package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.client.SendOptions;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.scenario.jvm.ClientJvm;
import ch.ethz.mlmq.scenario.pacing.Phase;
import ch.ethz.mlmq.scenario.recording.MessageCounts;
import ch.ethz.mlmq.scenario.recording.RunSummary;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Publishers and subscribers as load clients of a real broker: each copy is received, or left. */
@Timeout(120)
class PublishedLoadTest {
    @RegisterExtension
    static final Brokers BROKERS = new Brokers();

    @OnEveryStorage
    void shouldReceiveEachCopyOrLeaveIt(StorageKind storage) throws Exception {
        String broker = BROKERS.start(storage, Map.of());
        CountDownLatch ready = new CountDownLatch(1);
        CompletableFuture<RunSummary> subscribers = load(broker, "Subscriber", ready, "clients", "3",
                "topics", "2", "topic.matching", "4", "topic.others", "5", "topic.filter", "and 2", "batch", "5",
                "topic.durable", "true", "duration", "6s");
        assertThat(ready.await(60, TimeUnit.SECONDS)).isTrue();
        RunSummary published = load(broker, "Publisher", new CountDownLatch(1), "clients", "2", "topics", "2",
                "topic.filter", "and 2", "rate", "100/s", "duration", "2s").get();
        RunSummary received = subscribers.get();

        MessageCounts messages = published.recording().messages(Phase.MEASURING);
        assertThat(published.recording().counts(Phase.MEASURING).errors()).isEmpty();
        assertThat(received.recording().counts(Phase.MEASURING).errors()).isEmpty();
        assertThat(messages.published()).isEqualTo(200);
        assertThat(messages.sent()).as("the replication grade is 4").isEqualTo(800);
        assertThat(received.registrations().times().count()).isEqualTo(18);
        assertThat(received.ledger().received() + received.registrations().left().orElseThrow())
                .as("nothing is lost").isEqualTo(published.ledger().sent());
        assertThat(received.ledger().received()).isPositive();
        assertThat(received.figures().endToEnd().count()).isPositive();
        assertThat(received.toJson().toString()).contains("\"subscribed\":{\"mean\":", "\"left\":");
        assertThat(published.toJson().toString()).contains("\"published_rate\":100.000");
        assertThat(published.toFigures().toString()).contains("\"unanswered_sends\":0");
        Client other = BROKERS.clientAt(broker);
        other.register("other");
        other.deleteTopic(other.lookupTopic("topic1"));
        other.deleteTopic(other.lookupTopic("topic2"));
    }

    @OnEveryStorage
    void shouldTimeTheFirstMessagesOfSubscriptionsThatAreMadeUnderLoad(StorageKind storage) throws Exception {
        String broker = BROKERS.start(storage, Map.of());
        CountDownLatch ready = new CountDownLatch(1);
        CompletableFuture<RunSummary> publisher = load(broker, "Publisher", ready, "clients", "1", "rate", "200/s",
                "duration", "5s");
        assertThat(ready.await(60, TimeUnit.SECONDS)).isTrue();
        RunSummary received = load(broker, "Subscriber", new CountDownLatch(1), "clients", "1", "steps",
                "+3 clients every 1s up to 4", "topic.matching", "8", "duration", "3s").get();

        assertThat(received.registrations().times().count()).isEqualTo(8);
        assertThat(received.registrations().rate()).isPositive();
        assertThat(received.registrations().firsts().count()).as("the two of the first client were there before")
                .isEqualTo(6);
        assertThat(received.registrations().eachFirst()).isNotEmpty()
                .allMatch(bucket -> bucket.get(0) >= 0 && bucket.get(1) > 0);
        assertThat(received.toJson().toString()).contains("\"first_message\":{\"mean\":", "\"times\":[[");
        assertThat(publisher.get().toJson().toString()).contains("\"published\":"
                + publisher.get().ledger().published() + ",");
        Client other = BROKERS.clientAt(broker);
        other.register("other");
        other.deleteTopic(other.lookupTopic("topic1"));
    }

    @OnEveryStorage
    void shouldCountWhatIsLeftInASubscriptionThatWasMadeAgain(StorageKind storage) throws Exception {
        String broker = BROKERS.start(storage, Map.of());
        CountDownLatch ready = new CountDownLatch(1);
        CompletableFuture<RunSummary> subscriber = load(broker, "Subscriber", ready, "clients", "1",
                "topic.matching", "1", "topic.filter", "none", "topic.durable", "true", "duration", "4s");
        assertThat(ready.await(60, TimeUnit.SECONDS)).isTrue();
        Client other = BROKERS.clientAt(broker);
        other.register("other");
        int topic = other.lookupTopic("topic1");
        int before = other.lookupQueue("topic1/matching0");
        other.unsubscribe(topic, "matching0");
        BROKERS.until("the subscription is there again", () -> isThere(other, "topic1/matching0"));

        assertThat(other.lookupQueue("topic1/matching0")).isNotEqualTo(before);
        assertThat(other.publish(topic, new byte[100], 5, SendOptions.none().withDelay(600_000))).isEqualTo(1);

        assertThat(subscriber.get().registrations().left()).hasValue(1);
        other.deleteTopic(topic);
    }

    @Test
    void shouldGiveEachPublisherABrokerAndSubscribeAtAll() throws Exception {
        assertThat(copiesIn("publisher", "3", "2")).as("two subscribers of four subscriptions at three brokers")
                .isEqualTo(4 * 3);
    }

    @Test
    void shouldGiveEachSubscriberABrokerAndPublishAtAll() throws Exception {
        assertThat(copiesIn("subscriber", "2", "3")).as("each is at the broker of its subscriber").isEqualTo(4);
    }

    /** @return number of registrations; each message has four copies, none of which is lost */
    private static long copiesIn(String layout, String publishers, String subscribers) throws Exception {
        String brokers = BROKERS.start(StorageKind.MEMORY, Map.of()) + "," + BROKERS.start(StorageKind.MEMORY, Map.of())
                + "," + BROKERS.start(StorageKind.MEMORY, Map.of());
        Client other = BROKERS.clientAt(brokers.substring(0, brokers.indexOf(',')));
        other.register("other");
        other.createTopic("another"); // so that ids of topics differ from broker to broker
        CountDownLatch ready = new CountDownLatch(1);
        CompletableFuture<RunSummary> subscribed = load(brokers, "Subscriber", ready, "clients", subscribers,
                "topic.matching", "4", "topic.filter", "none", "batch", "5", "topic.layout", layout, "duration", "4s");
        assertThat(ready.await(60, TimeUnit.SECONDS)).isTrue();
        RunSummary published = load(brokers, "Publisher", new CountDownLatch(1), "clients", publishers,
                "topic.layout", layout, "rate", "100/s", "inflight.max", "10", "topic.filter", "none", "duration", "2s")
                .get();
        RunSummary received = subscribed.get();

        assertThat(published.recording().counts(Phase.MEASURING).errors()).isEmpty();
        assertThat(received.recording().counts(Phase.MEASURING).errors()).isEmpty();
        assertThat(published.ledger().published()).isEqualTo(200);
        assertThat(published.ledger().sent()).isEqualTo(800);
        assertThat(received.ledger().received() + received.registrations().left().orElseThrow()).isEqualTo(800);
        assertThat(received.ledger().received()).isPositive();
        return received.registrations().times().count();
    }

    private static boolean isThere(Client client, String queue) {
        try {
            client.lookupQueue(queue);
            return true;
        } catch (MlmqException.QueueDoesNotExist e) {
            return false;
        }
    }

    private static CompletableFuture<RunSummary> load(String broker, String scenario, CountDownLatch measuring,
            String... settings) {
        Map<String, String> text = new HashMap<>(Map.of("common.scenario.mytype", "client",
                "common.scenario.mapping.broker", "Broker#" + broker, "client.timeout", "10s",
                "common.scenario.mapping.client", scenario + "#127.0.0.1", "common.commandofile.path", ""));
        for (int i = 0; i < settings.length; i += 2) {
            text.put("client." + settings[i], settings[i + 1]);
        }
        ClientJvm jvm = new ClientJvm(Settings.of(ClientJvm.keys(), text));
        return CompletableFuture.supplyAsync(() -> {
            try {
                return jvm.runWithoutLogs(line -> {
                    if (line.contains("\"state\":\"measuring\"")) {
                        measuring.countDown();
                    }
                }).orElseThrow();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }, command -> new Thread(command, scenario).start());
    }
}
