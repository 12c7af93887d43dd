package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.AsyncClient;
import ch.ethz.mlmq.client.Client;
import ch.ethz.mlmq.client.SendOptions;
import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.RegisterExtension;

class DedupContractTest {
    private static final byte[] CONTENT = {1};
    private static final SendOptions KEY = SendOptions.none().withKey("order 17");

    @RegisterExtension
    static final Brokers BROKERS = new Brokers(Map.of("broker.dedup.window", "2s"));

    @OnEveryStorage
    void shouldStoreTheSameKeyOnceAndAcknowledgeItEachTime(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);

        client.sendMessage(new int[] {queue}, "first".getBytes(), 5, KEY);
        client.sendMessage(new int[] {queue}, "again".getBytes(), 5, KEY);
        BROKERS.registered(storage).sendMessage(new int[] {queue}, "by another".getBytes(), 5, KEY);

        assertThat(all(client, queue)).extracting(Message::text).containsExactly("first");
    }

    @OnEveryStorage
    void shouldStoreTheSameKeyOnceEvenWhenManySendItAtOnce(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        List<AsyncClient> senders = new ArrayList<>();
        for (int sender = 0; sender < 8; sender++) {
            senders.add(BROKERS.asyncRegistered(storage));
        }
        List<CompletableFuture<Void>> sends = new ArrayList<>();
        for (AsyncClient other : senders) {
            for (int i = 0; i < 25; i++) {
                sends.add(other.sendMessage(new int[] {queue}, CONTENT, 5, SendOptions.none().withKey("key " + i)));
            }
        }

        for (CompletableFuture<Void> send : sends) {
            send.get(30, TimeUnit.SECONDS);
        }

        assertThat(all(client, queue)).hasSize(25);
    }

    @OnEveryStorage
    void shouldRememberTheKeyOfAMessageThatWasTaken(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        client.sendMessage(new int[] {queue}, CONTENT, 5, KEY);
        assertThat(client.dequeueMessage(MessageQuery.queue(queue))).isPresent();

        client.sendMessage(new int[] {queue}, CONTENT, 5, KEY);

        assertThat(client.dequeueMessage(MessageQuery.queue(queue))).isEmpty();
    }

    @OnEveryStorage
    void shouldTellQueuesApart(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int one = BROKERS.queue(client);
        int other = BROKERS.queue(client);

        client.sendMessage(new int[] {one}, CONTENT, 5, KEY);
        client.sendMessage(new int[] {one, other}, CONTENT, 5, KEY);

        assertThat(all(client, one)).hasSize(1);
        assertThat(all(client, other)).hasSize(1);
    }

    @OnEveryStorage
    void shouldStoreEveryMessageWithoutAKey(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);

        client.sendMessage(queue, CONTENT, 5);
        client.sendMessage(queue, CONTENT, 5);

        assertThat(all(client, queue)).hasSize(2);
    }

    @OnEveryStorage
    void shouldDeduplicateWithinABulkToo(StorageKind storage) {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        List<OutgoingMessage> messages = List.of(keyed(queue, "a"), keyed(queue, "b"), keyed(queue, "a"));

        client.sendMessages(messages);
        client.sendMessages(messages);

        assertThat(all(client, queue)).hasSize(2);
    }

    @OnEveryStorage
    void shouldForgetAKeyAfterTheWindow(StorageKind storage) throws Exception {
        Client client = BROKERS.registered(storage);
        int queue = BROKERS.queue(client);
        client.sendMessage(new int[] {queue}, CONTENT, 5, KEY);

        assertThat(all(client, queue)).hasSize(1);

        BROKERS.until("the key is forgotten", () -> {
            client.sendMessage(new int[] {queue}, CONTENT, 5, KEY);
            return !all(client, queue).isEmpty();
        });
    }

    private static OutgoingMessage keyed(int queue, String key) {
        return new OutgoingMessage(queue, 0, 5, 0, key, CONTENT);
    }

    private static List<Message> all(Client client, int queue) {
        return client.dequeueMessages(MessageQuery.queue(queue).oldestFirst(), 1_000);
    }
}
