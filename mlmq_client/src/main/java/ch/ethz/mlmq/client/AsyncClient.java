package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.Features;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.MoveMessages;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Statement;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.protocol.TopicRequest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A client that may have many requests in flight on its one connection. Thread-safe.
 *
 * <p>Each operation returns a future that ends with the result or an {@link MlmqException}, at the latest after the
 * request timeout (plus the query's wait). A message that comes later, or for a future that was cancelled or ended by
 * its own time limit ({@link CompletableFuture#orTimeout}), is requeued. Dependent stages of a future run on the loop's
 * thread and must not block there. {@link #submit} does the same without a future.
 *
 * <p>A lost connection is restored automatically, with the next broker, under the name last registered. Until then,
 * requests fail with {@link MlmqException.NotConnected}.
 *
 * <p><b>Repeating.</b> After {@link MlmqException.Timeout}, {@link MlmqException.ConnectionLost} or
 * {@link MlmqException.BrokerError} it is not known whether the request was executed. Each operation documents whether
 * it is safe to repeat then. Every operation is safe to repeat after {@link MlmqException.Overloaded},
 * {@link MlmqException.BrokerStopping}, {@link MlmqException.NotConnected} and {@link MlmqException.TooManyInFlight},
 * because it was not executed.
 */
public final class AsyncClient {
    private static final int USUAL_PRIORITY = 5;

    final Session session;
    private final FutureCalls calls;

    private AsyncClient(ClientLoop loop, ClientConfig config, StateListener listener) {
        session = new Session(loop, config, listener);
        calls = new FutureCalls(session, config);
    }

    /** Begins to connect, and repeats attempts until it is closed. See {@link #whenConnected}. */
    public static AsyncClient open(ClientLoop loop, ClientConfig config, StateListener listener) {
        AsyncClient client = new AsyncClient(loop, config, listener);
        client.session.start();
        return client;
    }

    /** Opens a client without a listener. */
    public static AsyncClient open(ClientLoop loop, ClientConfig config) {
        return open(loop, config, StateListener.NONE);
    }

    public ClientState state() {
        return session.state();
    }

    /** @return one line for people with the reason of its state */
    public String stateReason() {
        return session.reason();
    }

    /**
     * @return a future that completes when requests can be sent; it fails with {@link MlmqException.NotConnected} when
     * an attempt with every broker has failed, though the client repeats its attempts
     */
    public CompletableFuture<Void> whenConnected() {
        return session.whenConnected();
    }

    /** @return the broker's description of itself; empty if none was reached yet, or the broker is of an old version */
    public Optional<Response.Welcome> broker() {
        return Optional.ofNullable(session.welcome());
    }

    /** @return number of requests in flight */
    public int inFlight() {
        return session.inFlight();
    }

    /** @return number of responses that came after their request was given up; their messages were requeued */
    public long lateAnswers() {
        return session.drops().lateAnswers();
    }

    /**
     * @return number of messages that were taken for this client, not delivered, and not requeued; a request of unknown
     * outcome counts as one
     */
    public long droppedMessages() {
        return session.drops().droppedMessages();
    }

    /**
     * Sends a request, for callers that must not allocate for each request.
     *
     * @param tag        handed to the completion
     * @param completion called once where the status is OK, else never
     * @return {@link Status#OK}, {@link Status#NOT_CONNECTED}, {@link Status#TOO_MANY_IN_FLIGHT},
     *         {@link Status#CONTENT_TOO_LONG} where it is longer than the longest frame, or
     *         {@link Status#INVALID_REQUEST} where the broker lacks the feature that the request needs
     */
    public Status submit(Request request, long tag, Completion completion) {
        return session.submit(request, tag, completion);
    }

    /**
     * Registers this client under a name, which is created if it is missing. After a lost connection the client
     * registers again automatically. Safe to repeat. The name and its personal queue stay when the client has gone: see
     * {@link #register()} for clients that nobody looks up by a name.
     *
     * @throws MlmqException.ClientAlreadyOnline if another connection, to any broker, holds the name
     * @throws MlmqException.BrokerFull          if the broker has its largest number of clients
     */
    public CompletableFuture<Response.Registered> register(String name) {
        return calls.register(name);
    }

    /**
     * Registers this client without a name, as a temporary one: the broker removes it, and its personal queue with all
     * messages, when it has said goodbye, or has been offline for a minute. If it reconnects later, it gets another id
     * and queue. Safe to repeat. Fails with {@link MlmqException.InvalidRequest} if the broker is older than
     * {@link Features#TEMPORARY_CLIENTS}.
     */
    public CompletableFuture<Response.Registered> register() {
        return calls.register();
    }

    /**
     * Creates a queue. If it was executed before, a repetition fails with {@link MlmqException.QueueExists}.
     *
     * @return id of the queue
     */
    public CompletableFuture<Integer> createQueue(String name) {
        return calls.call(new Request.CreateQueue(name), Response.QueueFound.class, Response.QueueFound::queue);
    }

    /**
     * Finds the queue of that name, and creates it if there is none. Safe to repeat. Fails with
     * {@link MlmqException.QueueDoesNotExist} if somebody deletes the queue at the same moment.
     *
     * @return id of the queue
     */
    public CompletableFuture<Integer> createQueueIfAbsent(String name) {
        CompletableFuture<Integer> created = createQueue(name);
        return created.handle((queue, failure) -> failure instanceof MlmqException.QueueExists
                ? lookupQueue(name) : created).thenCompose(Function.identity());
    }

    /**
     * Deletes a queue and its messages. If it was executed before, a repetition fails with
     * {@link MlmqException.QueueDoesNotExist}.
     *
     * @param onlyIfEmpty if true, fails with {@link MlmqException.QueueNotEmpty} if there is a message
     */
    public CompletableFuture<Void> deleteQueue(int queue, boolean onlyIfEmpty) {
        return calls.done(new Request.DeleteQueue(queue, onlyIfEmpty));
    }

    /**
     * Looks up a queue. Safe to repeat.
     *
     * @return id of the queue
     */
    public CompletableFuture<Integer> lookupQueue(String name) {
        return calls.call(new Request.LookupQueue(name), Response.QueueFound.class, Response.QueueFound::queue);
    }

    /**
     * Looks up a client. Safe to repeat.
     *
     * @return id of the client
     */
    public CompletableFuture<Integer> lookupClient(String name) {
        return calls.call(new Request.LookupClient(name), Response.ClientFound.class, Response.ClientFound::client);
    }

    /**
     * Looks up a client's personal queue. Safe to repeat.
     *
     * @return id of the queue
     */
    public CompletableFuture<Integer> lookupClientQueue(String client) {
        return calls.call(new Request.LookupClientQueue(0, client), Response.QueueFound.class,
                Response.QueueFound::queue);
    }

    /**
     * Looks up a client's personal queue. Safe to repeat.
     *
     * @return id of the queue
     */
    public CompletableFuture<Integer> lookupClientQueue(int client) {
        return calls.call(new Request.LookupClientQueue(client, ""), Response.QueueFound.class,
                Response.QueueFound::queue);
    }

    /** Sends to one queue, for any receiver, with the priority {@value #USUAL_PRIORITY} of 1 to 10. */
    public CompletableFuture<Void> sendMessage(int queue, byte[] content) {
        return sendMessage(queue, content, USUAL_PRIORITY);
    }

    /** Sends to one queue, for any receiver. A repetition may store the message twice. */
    public CompletableFuture<Void> sendMessage(int queue, byte[] content, int priority) {
        return sendMessage(new int[] {queue}, content, priority, SendOptions.none());
    }

    /**
     * Sends to all of the queues or to none. Safe to repeat with a key, within the broker's window; without a key, a
     * repetition may store the message twice.
     *
     * @param queues   1..1,000 ids
     * @param content  not copied; do not change it until the future ends
     * @param priority 1..10, 10 first
     */
    public CompletableFuture<Void> sendMessage(int[] queues, byte[] content, int priority, SendOptions options) {
        return calls.done(new Request.SendMessage(queues, options.receiver(), priority, options.context(),
                options.key(), content, options.properties()));
    }

    /**
     * Creates a topic. If it was executed before, a repetition fails with {@link MlmqException.TopicExists}. This and
     * the other operations on topics fail with {@link MlmqException.InvalidRequest} if the broker is older than
     * {@link Features#TOPICS}.
     *
     * @return id of the topic
     */
    public CompletableFuture<Integer> createTopic(String name) {
        return calls.call(new TopicRequest.CreateTopic(name), Response.TopicFound.class, Response.TopicFound::topic);
    }

    /**
     * Deletes a topic, its subscriptions, and all messages in them. If it was executed before, a repetition fails with
     * {@link MlmqException.TopicDoesNotExist}.
     */
    public CompletableFuture<Void> deleteTopic(int topic) {
        return calls.done(new TopicRequest.DeleteTopic(topic));
    }

    /**
     * Looks up a topic. Safe to repeat.
     *
     * @return id of the topic
     */
    public CompletableFuture<Integer> lookupTopic(String name) {
        return calls.call(new TopicRequest.LookupTopic(name), Response.TopicFound.class, Response.TopicFound::topic);
    }

    /**
     * Makes a subscription of a topic, a queue that gets a copy of each message that is published from now on and that
     * the filter takes. Finds the subscription if it is there already. Safe to repeat.
     *
     * @param name    of the subscription, unique within the topic
     * @param filter  message selector over properties, {@code $priority} and {@code $context}; empty for all messages
     * @param durable false for a subscription of this client alone, which ends when the client closes, or is offline
     *                for a minute; true for one that stays, and that other clients may take from
     * @return id of the queue
     */
    public CompletableFuture<Integer> subscribe(int topic, String name, String filter, boolean durable) {
        return calls.call(new TopicRequest.Subscribe(topic, name, filter, durable), Response.QueueFound.class,
                Response.QueueFound::queue);
    }

    /**
     * Ends a subscription, and deletes its queue and messages. If it was executed before, a repetition fails with
     * {@link MlmqException.SubscriptionDoesNotExist}.
     */
    public CompletableFuture<Void> unsubscribe(int topic, String name) {
        return calls.done(new TopicRequest.Unsubscribe(topic, name));
    }

    /**
     * Puts a copy of a message into each subscription whose filter takes it, or into none of them. Safe to repeat with
     * a key, within the broker's window; without a key, a repetition may store the copies twice.
     *
     * @param content  not copied; do not change it until the future ends
     * @param priority 1..10, 10 first
     * @param options  without a receiver
     * @return number of copies; 0 also if a message with this key was published before
     */
    public CompletableFuture<Integer> publish(int topic, byte[] content, int priority, SendOptions options) {
        if (options.receiver() != 0) {
            throw new IllegalArgumentException("a published message has no receiver");
        }
        return calls.call(new TopicRequest.Publish(topic, priority, options.context(), options.key(), content,
                options.properties()), Response.Published.class, Response.Published::copies);
    }

    /** Sends to a client's personal queue. A repetition may store the message twice. */
    public CompletableFuture<Void> sendMessageToClient(int client, byte[] content, int priority) {
        return calls.done(new Request.SendMessageToClient(client, priority, content));
    }

    /**
     * Sends to a client's personal queue and expects a response. A repetition may store the request twice, each with
     * its own context.
     *
     * @return the context for {@link MessageQuery#response}, unique over all brokers
     */
    public CompletableFuture<Long> sendRequestToClient(int client, byte[] content, int priority) {
        return calls.call(new Request.SendRequestToClient(client, priority, content), Response.ContextAssigned.class,
                Response.ContextAssigned::context);
    }

    /**
     * Responds to a request. A repetition may store the response twice.
     *
     * @param client  sender of the request
     * @param context of the request
     */
    public CompletableFuture<Void> sendResponseToClient(int client, long context, byte[] content, int priority) {
        return calls.done(new Request.SendResponseToClient(client, context, priority, content));
    }

    /**
     * Stores 1..1,000 messages in one transaction, all or none. Safe to repeat if each message has a key; the others
     * may be stored twice.
     */
    public CompletableFuture<Void> sendMessages(List<OutgoingMessage> messages) {
        return calls.done(new Request.SendMessages(messages));
    }

    /**
     * Counts messages in the own queue, and finds up to {@code max} (0..1,000) public queues with messages for this
     * client or for any receiver. Safe to repeat.
     */
    public CompletableFuture<Response.PendingQueues> queuesWithPendingMessages(int max) {
        return calls.pending(new Request.QueuesWithPendingMessages(max, false));
    }

    /** The same, but finds only queues with messages that are addressed to this client. */
    public CompletableFuture<Response.PendingQueues> queuesWithMessagesToMe(int max) {
        return calls.pending(new Request.QueuesWithPendingMessages(max, true));
    }

    /**
     * Counts the messages of a queue: a public one, or this client's own. Safe to repeat. Fails with
     * {@link MlmqException.InvalidRequest} if the broker is older than {@link Features#QUEUE_LENGTHS}.
     *
     * @return numbers that may be a second old; up to 999 messages without a lease are counted at this moment
     */
    public CompletableFuture<Response.QueueLength> queueLength(int queue) {
        return calls.call(new Request.QueueLength(queue), Response.QueueLength.class, Function.identity());
    }

    /**
     * Moves messages that are not leased to another queue, dead letters as new ones; both queues are public or this
     * client's own. A repetition moves further ones. Fails with {@link MlmqException.InvalidRequest} if the broker is
     * older than {@link Features#MOVES}.
     *
     * @param target queue, or 0 to remove the messages
     * @param max    most messages, 1..1,000
     * @return number of moved messages; 0 if there was none that nobody else is taking at this moment
     */
    public CompletableFuture<Integer> moveMessages(int queue, int target, int max) {
        return calls.call(new MoveMessages(queue, target, max), Response.Moved.class, Response.Moved::messages);
    }

    /** Returns the first message of a query, which must not wait, without removing it. Safe to repeat. */
    public CompletableFuture<Optional<Message>> peekMessage(MessageQuery query) {
        return calls.delivery(new Request.PeekMessage(query));
    }

    /**
     * Dequeues the first message of a query. After {@link MlmqException.ConnectionLost} the message may be lost; use
     * {@link #receiveMessage} if that matters.
     *
     * @return empty if none came within the query's wait
     */
    public CompletableFuture<Optional<Message>> dequeueMessage(MessageQuery query) {
        return calls.delivery(new Request.DequeueMessage(query));
    }

    /**
     * Dequeues the first messages of a query in one transaction. They may be lost as with {@link #dequeueMessage}.
     *
     * @param max 1..1,000; fewer come if more do not fit into a frame
     */
    public CompletableFuture<List<Message>> dequeueMessages(MessageQuery query, int max) {
        return calls.call(new Request.DequeueMessages(query, max), Response.Deliveries.class,
                Response.Deliveries::messages);
    }

    /**
     * Takes the first message of a query and hides it from others until it is acknowledged or the lease expires. Safe
     * to repeat: a message whose delivery was lost is redelivered, which counts as one more delivery.
     *
     * @param leaseMillis [ms], 1..43,200,000
     */
    public CompletableFuture<Optional<Message>> receiveMessage(MessageQuery query, int leaseMillis) {
        return calls.delivery(new Request.ReceiveMessage(query, leaseMillis));
    }

    /** Removes a received message. Once executed, a repetition fails with {@link MlmqException.UnknownLease}. */
    public CompletableFuture<Void> acknowledge(long message, long leaseToken) {
        return calls.done(new Request.Acknowledge(message, leaseToken));
    }

    /**
     * Extends the lease of a message. Safe to repeat.
     *
     * @param leaseMillis [ms] from now, 1..43,200,000
     */
    public CompletableFuture<Void> extend(long message, long leaseToken, int leaseMillis) {
        return calls.done(new Request.Extend(message, leaseToken, leaseMillis));
    }

    /**
     * Makes a received message visible to others at once. If it was executed before, a repetition fails with
     * {@link MlmqException.UnknownLease}.
     */
    public CompletableFuture<Void> release(long message, long leaseToken) {
        return calls.done(new Request.Release(message, leaseToken));
    }

    /**
     * Receives the first messages of a query in one transaction, each under its own lease; otherwise like
     * {@link #receiveMessage}. A broker without {@link Features#BULK_LEASES} returns at most one message.
     *
     * @param max         1..1,000; fewer messages are returned if more do not fit into a frame
     * @param leaseMillis [ms], 1..43,200,000
     */
    public CompletableFuture<List<Message>> receiveMessages(MessageQuery query, int max, int leaseMillis) {
        return calls.receive(new Request.ReceiveMessages(query, max, leaseMillis));
    }

    /**
     * Removes received messages in one transaction. A repetition returns {@link Status#UNKNOWN_LEASE} for messages that
     * were removed before.
     *
     * <p>A broker without {@link Features#BULK_LEASES} gets one request for each lease, at most 16 at once, each with
     * the request timeout. If one of them fails for another reason than an unknown lease, the future fails, and the
     * others may have been executed.
     *
     * @param leases 1..1,000 without an id or token of 0; the second of two equal leases is unknown
     * @return for each lease, in order, {@link Status#OK}, or {@link Status#UNKNOWN_LEASE} if it expired, was
     *         acknowledged or never existed; such a lease does not affect the others
     */
    public CompletableFuture<List<Status>> acknowledgeMessages(List<Lease> leases) {
        return calls.each(new Request.AcknowledgeMessages(leases),
                lease -> new Request.Acknowledge(lease.message(), lease.token()));
    }

    /**
     * Extends the leases of received messages. Safe to repeat. Otherwise like {@link #acknowledgeMessages}.
     *
     * @param leaseMillis [ms] from now, 1..43,200,000
     */
    public CompletableFuture<List<Status>> extendLeases(List<Lease> leases, int leaseMillis) {
        return calls.each(new Request.ExtendLeases(leases, leaseMillis),
                lease -> new Request.Extend(lease.message(), lease.token(), leaseMillis));
    }

    /** Makes received messages visible again at once. Otherwise like {@link #acknowledgeMessages}. */
    public CompletableFuture<List<Status>> releaseMessages(List<Lease> leases) {
        return calls.each(new Request.ReleaseMessages(leases),
                lease -> new Request.Release(lease.message(), lease.token()));
    }

    /** Lets the broker echo the bytes; needs no registration. Safe to repeat. */
    public CompletableFuture<byte[]> echo(byte[] content) {
        return calls.call(new Request.Echo(content), Response.Echoed.class, Response.Echoed::content);
    }

    /**
     * Asks for the broker's state; needs no registration. Safe to repeat.
     *
     * @return one line of JSON
     */
    public CompletableFuture<String> brokerStatus() {
        return calls.call(new Request.BrokerStatus(), Response.StatusReport.class, Response.StatusReport::json);
    }

    /**
     * Executes a statement about users, roles and rights, such as {@code grant readers to alice}; needs no
     * registration. All but {@code whoami} need the right {@code manage on broker}. A repetition may fail, as nothing
     * is left to do.
     *
     * @param statement 1..1,000 characters, with the verifier of a password instead of the password
     * @return lines for people
     */
    public CompletableFuture<String> execute(String statement) {
        return calls.call(new Statement(statement), Response.Report.class, Response.Report::text);
    }

    /** Says goodbye and closes the client; other requests in flight fail. Safe to repeat. */
    public CompletableFuture<Void> close() {
        return session.close();
    }
}
