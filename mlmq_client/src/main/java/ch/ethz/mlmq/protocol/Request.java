package ch.ethz.mlmq.protocol;

import java.util.List;

/**
 * A request of a client to a broker; each operation has a record.
 *
 * <p>Ids are those that the broker assigned; 0 means "none" or "any". The records accept any values: {@link Limits}
 * checks them.
 */
public interface Request {
    FrameType type();

    /** Calls the visitor's method for this kind of request. @return what that method returns */
    default <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
        return visitor.other(this);
    }

    /** A request that sends one message to a queue, or to several. */
    sealed interface Send extends Request permits SendMessage, SendToClient {
        /** @return 1..10 */
        int priority();

        byte[] content();
    }

    /** A request that sends one message to the personal queue of a client. */
    sealed interface SendToClient extends Send permits SendMessageToClient, SendRequestToClient, SendResponseToClient {
        /** @return id of the client that receives it */
        int client();
    }

    /** A request for messages of one queue, or of any queue. */
    sealed interface Retrieval extends Request permits PeekMessage, DequeueMessage, ReceiveMessage, BulkRetrieval {
        MessageQuery query();
    }

    /** A request that asks for several messages at once. */
    sealed interface BulkRetrieval extends Retrieval permits DequeueMessages, ReceiveMessages {
        /** @return most messages to hand over, 1..1,000 */
        int max();
    }

    /** A request for leases; one that has ended does not affect others. Needs {@link Features#BULK_LEASES}. */
    sealed interface OfLeases extends Request {
        /** @return 1..1,000 leases; one that is listed twice is handled once */
        List<Lease> leases();
    }

    /** A request about a topic. */
    interface OfTopics extends Request {
    }

    /**
     * Registers the client under a name, which is created if missing. An empty name makes a temporary client; see
     * {@link Features#TEMPORARY_CLIENTS}. The response is {@link Response.Registered}.
     *
     * @param token of an earlier registration, to take over the name from its connection; or 0
     */
    record Register(String name, long token) implements Request {
        public Register(String name) {
            this(name, 0);
        }

        @Override
        public FrameType type() {
            return FrameType.REGISTER;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /** Creates a queue. The response is {@link Response.QueueFound}. */
    record CreateQueue(String name) implements Request {
        @Override
        public FrameType type() {
            return FrameType.CREATE_QUEUE;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /** Deletes a queue and its messages. The response is {@link Response.Done}. */
    record DeleteQueue(int queue, boolean onlyIfEmpty) implements Request {
        @Override
        public FrameType type() {
            return FrameType.DELETE_QUEUE;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /** Looks up a queue. The response is {@link Response.QueueFound}. */
    record LookupQueue(String name) implements Request {
        @Override
        public FrameType type() {
            return FrameType.LOOKUP_QUEUE;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /** Looks up a client. The response is {@link Response.ClientFound}. */
    record LookupClient(String name) implements Request {
        @Override
        public FrameType type() {
            return FrameType.LOOKUP_CLIENT;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /** Looks up a client's queue by id or, if that is 0, by name. The response is {@link Response.QueueFound}. */
    record LookupClientQueue(int client, String name) implements Request {
        @Override
        public FrameType type() {
            return FrameType.LOOKUP_CLIENT_QUEUE;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /**
     * Sends a message with a priority of 1..10 to each of 1..1,000 queues, or to none of them. The receiver (the only
     * client that may take it), context, key for deduplication, and properties may be 0 or empty. The response is
     * {@link Response.Done}. Properties need {@link Features#PROPERTIES}.
     */
    record SendMessage(int[] queues, int receiver, int priority, long context, String key, byte[] content,
            MessageProperties properties) implements Send {
        public SendMessage(int[] queues, int receiver, int priority, long context, String key, byte[] content) {
            this(queues, receiver, priority, context, key, content, MessageProperties.NONE);
        }

        @Override
        public FrameType type() {
            return FrameType.SEND_MESSAGE;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /** Sends a message to a client's personal queue. The response is {@link Response.Done}. */
    record SendMessageToClient(int client, int priority, byte[] content) implements SendToClient {
        @Override
        public FrameType type() {
            return FrameType.SEND_MESSAGE_TO_CLIENT;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /** Sends with a new context, unique over all brokers. The response is {@link Response.ContextAssigned}. */
    record SendRequestToClient(int client, int priority, byte[] content) implements SendToClient {
        @Override
        public FrameType type() {
            return FrameType.SEND_REQUEST_TO_CLIENT;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /** Sends a response with the context of its request. The response is {@link Response.Done}. */
    record SendResponseToClient(int client, long context, int priority, byte[] content) implements SendToClient {
        @Override
        public FrameType type() {
            return FrameType.SEND_RESPONSE_TO_CLIENT;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /** Stores 1..1,000 messages, all or none of them, as {@link SendMessage} does. */
    record SendMessages(List<OutgoingMessage> messages) implements Request {
        @Override
        public FrameType type() {
            return FrameType.SEND_MESSAGES;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /**
     * Finds at most {@code max} public queues, 0..1,000, with messages for this client; with {@code toMe}, which needs
     * {@link Features#ADDRESSED}, not those to anybody. The response is {@link Response.PendingQueues}.
     */
    record QueuesWithPendingMessages(int max, boolean toMe) implements Request {
        @Override
        public FrameType type() {
            return FrameType.QUEUES_WITH_PENDING_MESSAGES;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /** Counts messages. The response is {@link Response.QueueLength}. Needs {@link Features#QUEUE_LENGTHS}. */
    record QueueLength(int queue) implements Request {
        @Override
        public FrameType type() {
            return FrameType.QUEUE_LENGTH;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /** Reads a message without removing it or waiting. The response is {@link Response.Delivery}. */
    record PeekMessage(MessageQuery query) implements Retrieval {
        @Override
        public FrameType type() {
            return FrameType.PEEK_MESSAGE;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /** Dequeues a message. The response is {@link Response.Delivery}. */
    record DequeueMessage(MessageQuery query) implements Retrieval {
        @Override
        public FrameType type() {
            return FrameType.DEQUEUE_MESSAGE;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /**
     * Dequeues up to {@code max} messages, 1..1,000, and no more than certainly fit into a frame. A wait ends with the
     * first message. The response is {@link Response.Deliveries}.
     */
    record DequeueMessages(MessageQuery query, int max) implements BulkRetrieval {
        @Override
        public FrameType type() {
            return FrameType.DEQUEUE_MESSAGES;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /**
     * Takes a message and hides it from others for {@code leaseMillis} [ms], 1..43,200,000, unless it is acknowledged
     * before. The response is {@link Response.Delivery}.
     */
    record ReceiveMessage(MessageQuery query, int leaseMillis) implements Retrieval {
        @Override
        public FrameType type() {
            return FrameType.RECEIVE_MESSAGE;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /** Removes a leased message. The response is {@link Response.Done}. */
    record Acknowledge(long message, long leaseToken) implements Request {
        @Override
        public FrameType type() {
            return FrameType.ACKNOWLEDGE;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /** Extends a lease to {@code leaseMillis} [ms], 1..43,200,000, from now. The response is {@link Response.Done}. */
    record Extend(long message, long leaseToken, int leaseMillis) implements Request {
        @Override
        public FrameType type() {
            return FrameType.EXTEND;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /** Makes a leased message visible again at once. The response is {@link Response.Done}. */
    record Release(long message, long leaseToken) implements Request {
        @Override
        public FrameType type() {
            return FrameType.RELEASE;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /**
     * Takes up to {@code max} messages, 1..1,000, each under a lease of {@code leaseMillis} [ms], 1..43,200,000, and no
     * more than certainly fit into a frame. A wait ends with the first message. The response is
     * {@link Response.Deliveries}. Needs {@link Features#BULK_LEASES}.
     */
    record ReceiveMessages(MessageQuery query, int max, int leaseMillis) implements BulkRetrieval {
        @Override
        public FrameType type() {
            return FrameType.RECEIVE_MESSAGES;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /** Removes 1..1,000 leased messages. The response is {@link Response.LeaseStatuses}. */
    record AcknowledgeMessages(List<Lease> leases) implements OfLeases {
        @Override
        public FrameType type() {
            return FrameType.ACKNOWLEDGE_MESSAGES;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /** Extends leases to {@code leaseMillis} [ms] from now. The response is {@link Response.LeaseStatuses}. */
    record ExtendLeases(List<Lease> leases, int leaseMillis) implements OfLeases {
        @Override
        public FrameType type() {
            return FrameType.EXTEND_LEASES;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /** Makes 1..1,000 leased messages visible again at once. The response is {@link Response.LeaseStatuses}. */
    record ReleaseMessages(List<Lease> leases) implements OfLeases {
        @Override
        public FrameType type() {
            return FrameType.RELEASE_MESSAGES;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /** Needs no registration and no database. The response is {@link Response.Echoed} with the same bytes. */
    record Echo(byte[] content) implements Request {
        @Override
        public FrameType type() {
            return FrameType.ECHO;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /** Needs no registration. The response is {@link Response.StatusReport}. */
    record BrokerStatus() implements Request {
        @Override
        public FrameType type() {
            return FrameType.BROKER_STATUS;
        }
    }

    /** Ends the session. The response is {@link Response.Done}; the broker then closes the connection. */
    record Goodbye() implements Request {
        @Override
        public FrameType type() {
            return FrameType.GOODBYE;
        }
    }

    /**
     * The first frame of a connection, which may be omitted. The response is {@link Response.Welcome}.
     *
     * @param version    of the protocol that the client speaks
     * @param features   that it wants, see {@link Features}
     * @param software   its name and version, for people
     * @param payloadMax longest frame that it accepts, without its length [bytes]; 0 if unknown
     */
    record Hello(int version, long features, String software, int payloadMax) implements Request {
        /** The bytes "MLMQ" before the other fields. */
        public static final int MAGIC = 0x4d4c4d51;
        /** The protocol version of this library. */
        public static final int VERSION = 1;

        public Hello(int version, long features, String software) {
            this(version, features, software, 0);
        }

        @Override
        public FrameType type() {
            return FrameType.HELLO;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /** A step of a sign-in; the mechanism is empty in the second step. The response is {@link Response.Challenge}. */
    record Authenticate(String mechanism, byte[] data) implements Request {
        @Override
        public FrameType type() {
            return FrameType.AUTHENTICATE;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /** A sign of life. The response is {@link Response.Done}. */
    record KeepAlive() implements Request {
        @Override
        public FrameType type() {
            return FrameType.KEEP_ALIVE;
        }
    }

    /** Cancels the retrieval of that correlation id, and requeues its messages. Response: {@link Response.Done}. */
    record Cancel(int request) implements Request {
        @Override
        public FrameType type() {
            return FrameType.CANCEL;
        }

        @Override
        public <R, X extends Exception> R accept(RequestVisitor<R, X> visitor) throws X {
            return visitor.visit(this);
        }
    }

    /** Confirms that the response of its correlation id, and earlier ones, were read. It has no response. */
    record Received() implements Request {
        @Override
        public FrameType type() {
            return FrameType.RECEIVED;
        }
    }
}
