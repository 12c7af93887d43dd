package ch.ethz.mlmq.storage.postgresql;

import ch.ethz.mlmq.agent.Agent;
import ch.ethz.mlmq.broker.BrokerSettings;
import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.config.CommonKeys;
import ch.ethz.mlmq.config.KeyRegistry;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.storage.Call;
import ch.ethz.mlmq.storage.Lane;
import ch.ethz.mlmq.storage.StorageException;
import ch.ethz.mlmq.storage.postgresql.length.Lengths;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A broker's storage, used without a broker. */
public final class StorageUser implements AutoCloseable {
    public final PostgresStorage storage;
    private final ThreadLocal<Lane> lanes = ThreadLocal.withInitial(Lane::new);

    public StorageUser(TestDatabase database) throws StorageException {
        this(database, Map.of());
    }

    /** @param more settings of its broker */
    public StorageUser(TestDatabase database, Map<String, String> more) throws StorageException {
        this(database, more, BrokerSettings.SCENARIO + UUID.randomUUID());
    }

    /** The same. @param name of the broker */
    public StorageUser(TestDatabase database, Map<String, String> more, String name) throws StorageException {
        Map<String, String> all = new HashMap<>(database.settings());
        all.putAll(more);
        Settings settings = Settings.of(KeyRegistry.of(CommonKeys.ALL, BrokerKeys.ALL), all);
        storage = new PostgresStorage(settings, database.address(), new Limits(2_000, 1 << 22),
                name, "a test");
    }

    public int queue() {
        return ((Response.QueueFound) execute(new Request.CreateQueue("queue-" + UUID.randomUUID()))).queue();
    }

    public void send(int queue, int priority, String content) {
        done(execute(message(queue, priority, content)));
    }

    public static Request message(int queue, int priority, String content) {
        return new Request.SendMessage(new int[] {queue}, 0, priority, 0, "", content.getBytes());
    }

    /** Tells the lengths of queues now, as is done once a second. */
    public void tellLengths() {
        agent(Lengths.class).onClose();
    }

    /** @return the agent of this kind */
    public <T extends Agent> T agent(Class<T> kind) {
        return storage.agents().stream().filter(kind::isInstance).map(kind::cast).findFirst().orElseThrow();
    }

    /** @return null if there is none */
    public Message take(int queue) {
        return ((Response.Delivery) execute(new Request.DequeueMessage(MessageQuery.queue(queue)))).message();
    }

    /** @return null if there is none */
    public Message receive(int queue, int leaseMillis) {
        return ((Response.Delivery) execute(new Request.ReceiveMessage(MessageQuery.queue(queue), leaseMillis)))
                .message();
    }

    /** Receives up to that number of messages in one request, and acknowledges them in another one. */
    public List<Message> receiveAndAcknowledge(int queue, int max) {
        List<Message> messages = ((Response.Deliveries) execute(
                new Request.ReceiveMessages(MessageQuery.queue(queue), max, 600_000))).messages();
        List<Lease> leases = messages.stream().map(Message::lease).toList();
        if (!leases.isEmpty() && !((Response.LeaseStatuses) execute(new Request.AcknowledgeMessages(leases))).statuses()
                .stream().allMatch(Status.OK::equals)) {
            throw new AssertionError("some of " + leases + " have ended");
        }
        return messages;
    }

    public void release(Message message) {
        done(execute(new Request.Release(message.id(), message.leaseToken())));
    }

    public void acknowledge(Message message) {
        done(execute(new Request.Acknowledge(message.id(), message.leaseToken())));
    }

    public Response execute(Request request) {
        return executeAll(List.of(request)).get(0);
    }

    /** Executes requests of one connection together. */
    List<Response> executeAll(List<Request> requests) {
        List<Call> calls = requests.stream().map(request -> new Call(lanes.get(), request)).toList();
        storage.execute(calls);
        return calls.stream().map(Call::response).toList();
    }

    @Override
    public void close() {
        storage.agents().forEach(agent -> {
            try {
                agent.onClose();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        storage.close();
    }

    private static void done(Response response) {
        if (response != Response.Done.INSTANCE) {
            throw new AssertionError(response);
        }
    }
}
