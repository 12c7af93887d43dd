package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A client that may have many requests in flight on its one connection. Thread-safe.
 *
 * <p>Each operation gives a future that ends with the result or an {@link MlmqException}, at the latest after the
 * request timeout (on top of the query's wait). A message that comes later, or for a future that was cancelled or ended
 * by its own time limit ({@link CompletableFuture#orTimeout}), goes back into its queue. What depends on a future runs
 * on the loop's thread and must not block there. {@link #submit} is the same without a future.
 *
 * <p>A lost connection is made again by itself, with the next broker, under the name last registered. While there is
 * none, requests fail with {@link MlmqException.NotConnected}.
 *
 * <p><b>Repeating.</b> After {@link MlmqException.Timeout}, {@link MlmqException.ConnectionLost} or
 * {@link MlmqException.BrokerError} it is not known whether the request was executed. Each operation says whether it is
 * safe to repeat then. Every operation is safe to repeat after {@link MlmqException.Overloaded}, {@link
 * MlmqException.BrokerStopping}, {@link MlmqException.NotConnected} and {@link MlmqException.TooManyInFlight}: it was
 * not executed.
 */
public final class AsyncClient {
    private final Session session;
    private final FutureCalls calls;

    private AsyncClient(ClientLoop loop, ClientConfig config, StateListener listener) {
        session = new Session(loop, config, listener);
        calls = new FutureCalls(session, config);
    }

    /** Begins to connect, and goes on trying until it is closed. See {@link #whenConnected}. */
    public static AsyncClient open(ClientLoop loop, ClientConfig config, StateListener listener) {
        AsyncClient client = new AsyncClient(loop, config, listener);
        client.session.start();
        return client;
    }

    /** The same with nobody who listens. */
    public static AsyncClient open(ClientLoop loop, ClientConfig config) {
        return open(loop, config, StateListener.NONE);
    }

    public ClientState state() {
        return session.state();
    }

    /** @return one line for people that says why it is in its state */
    public String stateReason() {
        return session.reason();
    }

    /**
     * @return completed when requests can go out; failed with {@link MlmqException.NotConnected} when every broker was
     *         tried once more in vain, though the client goes on trying
     */
    public CompletableFuture<Void> whenConnected() {
        return session.whenConnected();
    }

    /** @return what the broker said of itself; empty where none was reached yet, or it is of an old version */
    public Optional<Response.Welcome> broker() {
        return Optional.ofNullable(session.welcome());
    }

    /** @return requests that wait for their answer */
    public int inFlight() {
        return session.inFlight();
    }

    /** @return answers that came after their request had been given up; their messages were put back */
    public long lateAnswers() {
        return session.drops().lateAnswers();
    }

    /**
     * @return messages that were taken for this client, handed over to nobody, and could not be put back; one for each
     *         request of which no broker knows whether it took any
     */
    public long droppedMessages() {
        return session.drops().droppedMessages();
    }

    /**
     * Sends a request; for callers that allocate nothing a request.
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
     * Makes this the client of that name, which is created where there is none. After a lost connection the client
     * registers again by itself. Safe to repeat.
     *
     * @throws MlmqException.ClientAlreadyOnline where another connection, to any broker, holds the name
     * @throws MlmqException.BrokerFull          where the broker has as many clients as it may have
     */
    public CompletableFuture<Response.Registered> register(String name) {
        return calls.call(new Request.Register(name), Response.Registered.class, Function.identity());
    }

    /**
     * Repeated, it fails with {@link MlmqException.QueueExists} where it had been executed.
     *
     * @return id of the queue
     */
    public CompletableFuture<Integer> createQueue(String name) {
        return calls.call(new Request.CreateQueue(name), Response.QueueFound.class, Response.QueueFound::queue);
    }

    /**
     * Deletes a queue and its messages. Repeated, it fails with {@link MlmqException.QueueDoesNotExist} where it had
     * been executed.
     *
     * @param onlyIfEmpty fails with {@link MlmqException.QueueNotEmpty} where there is a message
     */
    public CompletableFuture<Void> deleteQueue(int queue, boolean onlyIfEmpty) {
        return calls.done(new Request.DeleteQueue(queue, onlyIfEmpty));
    }

    /**
     * Safe to repeat.
     *
     * @return id of the queue
     */
    public CompletableFuture<Integer> lookupQueue(String name) {
        return calls.call(new Request.LookupQueue(name), Response.QueueFound.class, Response.QueueFound::queue);
    }

    /**
     * Safe to repeat.
     *
     * @return id of the client
     */
    public CompletableFuture<Integer> lookupClient(String name) {
        return calls.call(new Request.LookupClient(name), Response.ClientFound.class, Response.ClientFound::client);
    }

    /**
     * Safe to repeat.
     *
     * @return id of the client's personal queue
     */
    public CompletableFuture<Integer> lookupClientQueue(String client) {
        return calls.call(new Request.LookupClientQueue(0, client), Response.QueueFound.class,
                Response.QueueFound::queue);
    }

    /**
     * Safe to repeat.
     *
     * @return id of the client's personal queue
     */
    public CompletableFuture<Integer> lookupClientQueue(int client) {
        return calls.call(new Request.LookupClientQueue(client, ""), Response.QueueFound.class,
                Response.QueueFound::queue);
    }

    /** Sends to one queue, for anybody. Repeated, the message may be stored twice. */
    public CompletableFuture<Void> sendMessage(int queue, byte[] content, int priority) {
        return sendMessage(new int[] {queue}, content, priority, SendOptions.none());
    }

    /**
     * Sends to all of the queues or to none. Safe to repeat with a key, within the broker's window; without, the
     * message may be stored twice.
     *
     * @param queues   1..1,000 ids
     * @param content  not copied, so not to be changed until the future ends
     * @param priority 1..10, 10 first
     */
    public CompletableFuture<Void> sendMessage(int[] queues, byte[] content, int priority, SendOptions options) {
        return calls.done(new Request.SendMessage(
                queues, options.receiver(), priority, options.context(), options.key(), content));
    }

    /** Sends to a client's personal queue. Repeated, the message may be stored twice. */
    public CompletableFuture<Void> sendMessageToClient(int client, byte[] content, int priority) {
        return calls.done(new Request.SendMessageToClient(client, priority, content));
    }

    /**
     * Sends to a client's personal queue and expects a response. Repeated, the request may be stored twice, each with a
     * context of its own.
     *
     * @return the context, unique over all brokers, to ask for {@link MessageQuery#response} with
     */
    public CompletableFuture<Long> sendRequestToClient(int client, byte[] content, int priority) {
        return calls.call(new Request.SendRequestToClient(client, priority, content), Response.ContextAssigned.class,
                Response.ContextAssigned::context);
    }

    /**
     * Responds to a request. Repeated, the response may be stored twice.
     *
     * @param client  who sent the request
     * @param context that of the request
     */
    public CompletableFuture<Void> sendResponseToClient(int client, long context, byte[] content, int priority) {
        return calls.done(new Request.SendResponseToClient(client, context, priority, content));
    }

    /**
     * Stores 1..1,000 messages in one transaction, all or none. Safe to repeat where each has a key; the others may be
     * stored twice.
     */
    public CompletableFuture<Void> sendMessages(List<OutgoingMessage> messages) {
        return calls.done(new Request.SendMessages(messages));
    }

    /**
     * Counts what waits in the own queue and names public queues that hold something for this client or for anybody.
     * Safe to repeat.
     *
     * @param max how many queues to name at most, 0..1,000
     */
    public CompletableFuture<Response.PendingQueues> queuesWithPendingMessages(int max) {
        return calls.call(new Request.QueuesWithPendingMessages(max), Response.PendingQueues.class,
                Function.identity());
    }

    /** Shows the first message of a query, which must not wait, and leaves it where it is. Safe to repeat. */
    public CompletableFuture<Optional<Message>> peekMessage(MessageQuery query) {
        return calls.delivery(new Request.PeekMessage(query));
    }

    /**
     * Removes the first message of a query. After {@link MlmqException.ConnectionLost} the message may be lost; use
     * {@link #receiveMessage} where that matters.
     *
     * @return empty where none came within the query's wait
     */
    public CompletableFuture<Optional<Message>> dequeueMessage(MessageQuery query) {
        return calls.delivery(new Request.DequeueMessage(query));
    }

    /**
     * Removes the first messages of a query in one transaction. As {@link #dequeueMessage}.
     *
     * @param max 1..1,000; fewer come where they would not fit into a frame
     */
    public CompletableFuture<List<Message>> dequeueMessages(MessageQuery query, int max) {
        return calls.call(new Request.DequeueMessages(query, max), Response.Deliveries.class,
                Response.Deliveries::messages);
    }

    /**
     * Takes the first message of a query and hides it from others until it is acknowledged or the lease runs out.
     * Safe to repeat: a message whose delivery was lost comes again, and counts one delivery more.
     *
     * @param leaseMillis [ms], 1..43,200,000
     */
    public CompletableFuture<Optional<Message>> receiveMessage(MessageQuery query, int leaseMillis) {
        return calls.delivery(new Request.ReceiveMessage(query, leaseMillis));
    }

    /**
     * Removes a message received, for good. Repeated, it fails with {@link MlmqException.UnknownLease} where it had
     * been executed.
     */
    public CompletableFuture<Void> acknowledge(long message, long leaseToken) {
        return calls.done(new Request.Acknowledge(message, leaseToken));
    }

    /**
     * Lets the lease of a message run out later. Safe to repeat.
     *
     * @param leaseMillis [ms] from now, 1..43,200,000
     */
    public CompletableFuture<Void> extend(long message, long leaseToken, int leaseMillis) {
        return calls.done(new Request.Extend(message, leaseToken, leaseMillis));
    }

    /**
     * Makes a message received visible to others at once. Repeated, it fails with {@link MlmqException.UnknownLease}
     * where it had been executed.
     */
    public CompletableFuture<Void> release(long message, long leaseToken) {
        return calls.done(new Request.Release(message, leaseToken));
    }

    /**
     * Takes the first messages of a query, each under a lease of its own, in one transaction. As {@link
     * #receiveMessage}. A broker that is too old for bulk leases hands over one message at most.
     *
     * @param max         1..1,000; fewer come where they would not fit into a frame
     * @param leaseMillis [ms], 1..43,200,000
     */
    public CompletableFuture<List<Message>> receiveMessages(MessageQuery query, int max, int leaseMillis) {
        return calls.receive(new Request.ReceiveMessages(query, max, leaseMillis));
    }

    /**
     * Removes messages received, for good, in one transaction. Repeated, the status of those that it had removed is
     * {@link Status#UNKNOWN_LEASE}.
     *
     * <p>A broker that is too old for bulk leases gets a request for each lease. Where one of these fails otherwise
     * than by an unknown lease, the future fails, and it is not known which of them were executed.
     *
     * @param leases 1..1,000, none with an id or token of 0; of one that is named twice the second is unknown
     * @return for each in order {@link Status#OK}, or {@link Status#UNKNOWN_LEASE} where it ran out, was acknowledged,
     *         or never was; such ones stop none of the others
     */
    public CompletableFuture<List<Status>> acknowledgeMessages(List<Lease> leases) {
        return calls.each(new Request.AcknowledgeMessages(leases),
                lease -> new Request.Acknowledge(lease.message(), lease.token()));
    }

    /**
     * Lets the leases of messages received run out later. Safe to repeat. Otherwise as {@link #acknowledgeMessages}.
     *
     * @param leaseMillis [ms] from now, 1..43,200,000
     */
    public CompletableFuture<List<Status>> extendLeases(List<Lease> leases, int leaseMillis) {
        return calls.each(new Request.ExtendLeases(leases, leaseMillis),
                lease -> new Request.Extend(lease.message(), lease.token(), leaseMillis));
    }

    /** Makes messages received visible to others at once. Otherwise as {@link #acknowledgeMessages}. */
    public CompletableFuture<List<Status>> releaseMessages(List<Lease> leases) {
        return calls.each(new Request.ReleaseMessages(leases),
                lease -> new Request.Release(lease.message(), lease.token()));
    }

    /** Has the broker send the bytes back; needs no registration. Safe to repeat. */
    public CompletableFuture<byte[]> echo(byte[] content) {
        return calls.call(new Request.Echo(content), Response.Echoed.class, Response.Echoed::content);
    }

    /**
     * Needs no registration. Safe to repeat.
     *
     * @return the broker's state as one line of JSON
     */
    public CompletableFuture<String> brokerStatus() {
        return calls.call(new Request.BrokerStatus(), Response.StatusReport.class, Response.StatusReport::json);
    }

    /** Says goodbye and closes the connection for good; what else is in flight fails. Safe to repeat. */
    public CompletableFuture<Void> close() {
        return session.close();
    }
}
