package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * A blocking client: each thread that uses it has one request at a time. Thread-safe.
 *
 * <p>A call ends with its result or an {@link MlmqException}, at the latest after the request timeout plus the query's
 * wait. Without a connection a call waits for one as long as the request timeout, then fails with
 * {@link MlmqException.NotConnected}. An interrupted call fails with {@link CancellationException} and leaves the
 * thread interrupted. Its request may have been executed, but a message that it took is requeued; a result that is
 * already there is returned. Calls are safe to repeat as those of {@link AsyncClient} are.
 */
public final class Client implements AutoCloseable {
    private final ClientLoop loop;
    private final AsyncClient async;
    private final int timeoutMillis;

    private Client(ClientLoop loop, ClientConfig config) {
        this.loop = loop;
        this.async = AsyncClient.open(loop, config);
        this.timeoutMillis = config.requestTimeoutMillis();
    }

    /**
     * Connects to the first broker that responds.
     *
     * @param brokers {@code host:port,host:port}, first choice first
     * @throws MlmqException.NotConnected if none responds
     */
    public static Client connect(String brokers) {
        return connect(ClientConfig.of(brokers));
    }

    /**
     * Connects to the first broker that responds.
     *
     * @throws MlmqException.NotConnected if none responds
     */
    public static Client connect(ClientConfig config) {
        Client client = new Client(ClientLoop.start("mlmq-client"), config);
        try {
            await(client.async.whenConnected());
            return client;
        } catch (RuntimeException e) {
            client.loop.close();
            throw e;
        }
    }

    public ClientState state() {
        return async.state();
    }

    /** @return the broker's description of itself and its limits; empty if it is of an old version */
    public Optional<Response.Welcome> broker() {
        return async.broker();
    }

    /**
     * @return number of messages that were taken for this client, not delivered, and not requeued; a request of unknown
     * outcome counts as one
     */
    public long droppedMessages() {
        return async.droppedMessages();
    }

    /** Registers this client under a name; see {@link AsyncClient#register}. Safe to repeat. */
    public Response.Registered register(String name) {
        return call(() -> async.register(name));
    }

    /** Registers this client without a name, so that nothing of it stays; see {@link AsyncClient#register()}. */
    public Response.Registered register() {
        return call(async::register);
    }

    /**
     * Creates a queue. If it was executed before, a repetition fails with {@link MlmqException.QueueExists}.
     *
     * @return id of the queue
     */
    public int createQueue(String name) {
        return call(() -> async.createQueue(name));
    }

    /** Finds the queue of that name, and creates it if there is none. Safe to repeat. @return id of the queue */
    public int createQueueIfAbsent(String name) {
        return call(() -> async.createQueueIfAbsent(name));
    }

    /** Deletes a queue. If it was executed before, a repetition fails with {@link MlmqException.QueueDoesNotExist}. */
    public void deleteQueue(int queue, boolean onlyIfEmpty) {
        call(() -> async.deleteQueue(queue, onlyIfEmpty));
    }

    /**
     * Looks up a queue. Safe to repeat.
     *
     * @return id of the queue
     */
    public int lookupQueue(String name) {
        return call(() -> async.lookupQueue(name));
    }

    /**
     * Looks up a client. Safe to repeat.
     *
     * @return id of the client
     */
    public int lookupClient(String name) {
        return call(() -> async.lookupClient(name));
    }

    /**
     * Looks up a client's personal queue. Safe to repeat.
     *
     * @return id of the queue
     */
    public int lookupClientQueue(String client) {
        return call(() -> async.lookupClientQueue(client));
    }

    /**
     * Looks up a client's personal queue. Safe to repeat.
     *
     * @return id of the queue
     */
    public int lookupClientQueue(int client) {
        return call(() -> async.lookupClientQueue(client));
    }

    /** Sends to one queue, for any receiver, with the priority 5 of 1 to 10. */
    public void sendMessage(int queue, byte[] content) {
        call(() -> async.sendMessage(queue, content));
    }

    /** Sends to one queue, for any receiver. A repetition may store the message twice. */
    public void sendMessage(int queue, byte[] content, int priority) {
        call(() -> async.sendMessage(queue, content, priority));
    }

    /** Sends to all of the queues or to none. Safe to repeat with a key; see {@link AsyncClient#sendMessage}. */
    public void sendMessage(int[] queues, byte[] content, int priority, SendOptions options) {
        call(() -> async.sendMessage(queues, content, priority, options));
    }

    /**
     * Creates a topic. If it was executed before, a repetition fails with {@link MlmqException.TopicExists}.
     *
     * @return id of the topic
     */
    public int createTopic(String name) {
        return call(() -> async.createTopic(name));
    }

    /** Deletes a topic with its subscriptions and their messages; see {@link AsyncClient#deleteTopic}. */
    public void deleteTopic(int topic) {
        call(() -> async.deleteTopic(topic));
    }

    /** Looks up a topic. Safe to repeat. @return id of the topic */
    public int lookupTopic(String name) {
        return call(() -> async.lookupTopic(name));
    }

    /** Makes or finds a subscription; see {@link AsyncClient#subscribe}. Safe to repeat. @return id of its queue */
    public int subscribe(int topic, String name, String filter, boolean durable) {
        return call(() -> async.subscribe(topic, name, filter, durable));
    }

    /** Ends a subscription and deletes its messages; see {@link AsyncClient#unsubscribe}. */
    public void unsubscribe(int topic, String name) {
        call(() -> async.unsubscribe(topic, name));
    }

    /**
     * Puts a copy of a message into each subscription whose filter takes it, or into none; see
     * {@link AsyncClient#publish}. Safe to repeat with a key.
     *
     * @return number of copies
     */
    public int publish(int topic, byte[] content, int priority, SendOptions options) {
        return call(() -> async.publish(topic, content, priority, options));
    }

    /** Sends to a client's personal queue. A repetition may store the message twice. */
    public void sendMessageToClient(int client, byte[] content, int priority) {
        call(() -> async.sendMessageToClient(client, content, priority));
    }

    /**
     * Sends to a client's personal queue and expects a response. A repetition may store the request twice.
     *
     * @return the context for {@link MessageQuery#response}
     */
    public long sendRequestToClient(int client, byte[] content, int priority) {
        return call(() -> async.sendRequestToClient(client, content, priority));
    }

    /** Responds to a request. A repetition may store the response twice. */
    public void sendResponseToClient(int client, long context, byte[] content, int priority) {
        call(() -> async.sendResponseToClient(client, context, content, priority));
    }

    /** Stores 1..1,000 messages, all or none. Safe to repeat if each has a key. */
    public void sendMessages(List<OutgoingMessage> messages) {
        call(() -> async.sendMessages(messages));
    }

    /** Counts and finds waiting messages; see {@link AsyncClient#queuesWithPendingMessages}. Safe to repeat. */
    public Response.PendingQueues queuesWithPendingMessages(int max) {
        return call(() -> async.queuesWithPendingMessages(max));
    }

    /** Finds messages addressed to this client; see {@link AsyncClient#queuesWithMessagesToMe}. Safe to repeat. */
    public Response.PendingQueues queuesWithMessagesToMe(int max) {
        return call(() -> async.queuesWithMessagesToMe(max));
    }

    /** Counts the messages of a queue; see {@link AsyncClient#queueLength}. Safe to repeat. */
    public Response.QueueLength queueLength(int queue) {
        return call(() -> async.queueLength(queue));
    }

    /** Moves messages to another queue, or removes them; see {@link AsyncClient#moveMessages}. */
    public int moveMessages(int queue, int target, int max) {
        return call(() -> async.moveMessages(queue, target, max));
    }

    /** Returns the first message without removing it. Safe to repeat. */
    public Optional<Message> peekMessage(MessageQuery query) {
        return call(() -> async.peekMessage(query));
    }

    /** Dequeues the first message, which may be lost with the connection; see {@link AsyncClient#dequeueMessage}. */
    public Optional<Message> dequeueMessage(MessageQuery query) {
        return call(() -> async.dequeueMessage(query));
    }

    /** Dequeues the first messages, which may be lost with the connection; see {@link AsyncClient#dequeueMessages}. */
    public List<Message> dequeueMessages(MessageQuery query, int max) {
        return call(() -> async.dequeueMessages(query, max));
    }

    /** Takes the first message under a lease [ms]; see {@link AsyncClient#receiveMessage}. Safe to repeat. */
    public Optional<Message> receiveMessage(MessageQuery query, int leaseMillis) {
        return call(() -> async.receiveMessage(query, leaseMillis));
    }

    /** Removes a received message. A repetition fails with {@link MlmqException.UnknownLease} if it was executed. */
    public void acknowledge(Message message) {
        acknowledge(message.id(), message.leaseToken());
    }

    /** Removes a received message. A repetition fails with {@link MlmqException.UnknownLease} if it was executed. */
    public void acknowledge(long message, long leaseToken) {
        call(() -> async.acknowledge(message, leaseToken));
    }

    /** Extends the lease of a received message to {@code leaseMillis} [ms] from now. Safe to repeat. */
    public void extend(Message message, int leaseMillis) {
        extend(message.id(), message.leaseToken(), leaseMillis);
    }

    /** Extends the lease of a received message to {@code leaseMillis} [ms] from now. Safe to repeat. */
    public void extend(long message, long leaseToken, int leaseMillis) {
        call(() -> async.extend(message, leaseToken, leaseMillis));
    }

    /** Releases a message. A repetition fails with {@link MlmqException.UnknownLease} if it was executed. */
    public void release(Message message) {
        release(message.id(), message.leaseToken());
    }

    /** Releases a message. A repetition fails with {@link MlmqException.UnknownLease} if it was executed. */
    public void release(long message, long leaseToken) {
        call(() -> async.release(message, leaseToken));
    }

    /** Receives messages, each under a lease [ms]; see {@link AsyncClient#receiveMessages}. Safe to repeat. */
    public List<Message> receiveMessages(MessageQuery query, int max, int leaseMillis) {
        return call(() -> async.receiveMessages(query, max, leaseMillis));
    }

    /**
     * Removes 1..1,000 received messages; see {@link AsyncClient#acknowledgeMessages}.
     *
     * @param leases from {@link Message#lease}
     * @return for each lease, in order, {@link Status#OK} or {@link Status#UNKNOWN_LEASE}
     */
    public List<Status> acknowledgeMessages(List<Lease> leases) {
        return call(() -> async.acknowledgeMessages(leases));
    }

    /**
     * Extends 1..1,000 leases to {@code leaseMillis} [ms] from now; see {@link AsyncClient#extendLeases}. Safe to
     * repeat.
     *
     * @return for each lease, in order, {@link Status#OK} or {@link Status#UNKNOWN_LEASE}
     */
    public List<Status> extendLeases(List<Lease> leases, int leaseMillis) {
        return call(() -> async.extendLeases(leases, leaseMillis));
    }

    /**
     * Makes 1..1,000 received messages visible again at once; see {@link AsyncClient#releaseMessages}.
     *
     * @return for each lease, in order, {@link Status#OK} or {@link Status#UNKNOWN_LEASE}
     */
    public List<Status> releaseMessages(List<Lease> leases) {
        return call(() -> async.releaseMessages(leases));
    }

    /** Lets the broker echo the bytes. Safe to repeat. */
    public byte[] echo(byte[] content) {
        return call(() -> async.echo(content));
    }

    /** Returns the broker's state as one line of JSON. Safe to repeat. */
    public String brokerStatus() {
        return call(async::brokerStatus);
    }

    /** @see AsyncClient#execute */
    public String execute(String statement) {
        return call(() -> async.execute(statement));
    }

    /** Says goodbye and closes the connection. */
    @Override
    public void close() {
        try {
            await(async.close());
        } finally {
            loop.close();
        }
    }

    private <T> T call(Supplier<CompletableFuture<T>> operation) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        while (true) {
            awaitConnection(deadline);
            try {
                return await(operation.get());
            } catch (MlmqException.NotConnected e) {
                if (async.state() == ClientState.CLOSED || System.nanoTime() - deadline >= 0) {
                    throw e;
                }
            }
        }
    }

    private void awaitConnection(long deadline) {
        while (async.state() != ClientState.CONNECTED) {
            try {
                async.whenConnected().get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (ExecutionException | TimeoutException e) {
                if (async.state() == ClientState.CLOSED || System.nanoTime() - deadline >= 0) {
                    throw MlmqException.of(Status.NOT_CONNECTED, "not connected: " + async.stateReason());
                }
            } catch (InterruptedException e) {
                throw interrupted();
            }
        }
    }

    private static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw failure(e);
        } catch (InterruptedException e) {
            CancellationException interrupted = interrupted();
            if (future.cancel(false)) {
                throw interrupted;
            }
            return result(future);
        }
    }

    /** Waits for the result; a result that comes while the caller is interrupted is not lost. */
    private static <T> T result(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            throw failure(e);
        }
    }

    private static RuntimeException failure(Exception e) {
        return e.getCause() instanceof MlmqException failure
                ? MlmqException.of(failure.status(), failure.getMessage()) : new CompletionException(e.getCause());
    }

    private static CancellationException interrupted() {
        Thread.currentThread().interrupt();
        return new CancellationException("interrupted while waiting for the broker");
    }
}
