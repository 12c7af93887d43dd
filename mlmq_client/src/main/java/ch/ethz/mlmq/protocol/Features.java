package ch.ethz.mlmq.protocol;

/** Extensions of the original protocol that a client may request: bits of hello and welcome. */
public final class Features {
    /** The client sends {@link Request.KeepAlive} when it has no other request; a silent client counts as gone. */
    public static final long KEEP_ALIVE = 1;
    /** A registration gets a token, which takes over the client's name from a connection that it has lost. */
    public static final long SESSION_TOKEN = 2;
    /** Bytes behind the known fields of a frame are those of a later version, and are ignored. */
    public static final long EXTRA_FIELDS = 4;
    /**
     * The client confirms read deliveries with {@link Request.Received}, and cancels those that it cannot deliver with
     * {@link Request.Cancel}, which requeues their messages.
     */
    public static final long CANCEL = 8;
    /**
     * The client receives, acknowledges, extends and releases many messages in one request: see
     * {@link Request.ReceiveMessages} and {@link Request.OfLeases}.
     */
    public static final long BULK_LEASES = 16;
    /** The client asks for the length of a queue: see {@link Request.QueueLength}. */
    public static final long QUEUE_LENGTHS = 32;
    /** An empty name in {@link Request.Register} registers a client that is removed when it has gone. */
    public static final long TEMPORARY_CLIENTS = 64;
    /** The client signs in as a user if the broker offers mechanisms: see {@link Request.Authenticate}. */
    public static final long AUTHENTICATION = 128;
    /** Messages have properties: see {@link MessageProperties}. */
    public static final long PROPERTIES = 256;
    /** The client publishes and subscribes: see {@link TopicRequest}. */
    public static final long TOPICS = 512;
    /** Messages have a delay and a time to live: see {@link MessageProperties#DELAY}. */
    public static final long TIMES = 1024;
    /** The client moves and removes messages of a queue: see {@link MoveMessages}. */
    public static final long MOVES = 2048;
    /** The client sends statements about users: see {@link Statement}. */
    public static final long STATEMENTS = 4096;
    /** Queries have a filter: see {@link MessageQuery#matching}. */
    public static final long FILTERS = 8192;
    /** Only queues with messages addressed to the client are found: see {@link Request.QueuesWithPendingMessages}. */
    public static final long ADDRESSED = 16_384;
    /** All of them. */
    public static final long ALL = KEEP_ALIVE | SESSION_TOKEN | EXTRA_FIELDS | CANCEL | BULK_LEASES | QUEUE_LENGTHS
            | TEMPORARY_CLIENTS | AUTHENTICATION | PROPERTIES | TOPICS | TIMES | MOVES | STATEMENTS
            | FILTERS | ADDRESSED;

    private Features() {
    }

    /** @return the feature that both sides must agree on before such a request is sent, or 0 */
    public static long neededBy(FrameType request) {
        return switch (request) {
            case CANCEL, RECEIVED -> CANCEL;
            case RECEIVE_MESSAGES, ACKNOWLEDGE_MESSAGES, EXTEND_LEASES, RELEASE_MESSAGES -> BULK_LEASES;
            case QUEUE_LENGTH -> QUEUE_LENGTHS;
            case AUTHENTICATE -> AUTHENTICATION;
            case STATEMENT -> STATEMENTS;
            case MOVE_MESSAGES -> MOVES;
            case CREATE_TOPIC, DELETE_TOPIC, LOOKUP_TOPIC, SUBSCRIBE, UNSUBSCRIBE, PUBLISH -> TOPICS;
            default -> 0;
        };
    }

    /** @return the features that both sides must agree on before this request is sent, or 0 */
    public static long neededBy(Request request) {
        long needed = neededBy(request.type());
        if (request instanceof TopicRequest.Publish publish) {
            return needed | (publish.properties().hasTimes() ? TIMES : 0);
        }
        if (request instanceof Request.Retrieval retrieval) {
            return needed | (retrieval.query().filter().isEmpty() ? 0 : FILTERS);
        }
        if (request instanceof Request.QueuesWithPendingMessages pending) {
            return pending.toMe() ? ADDRESSED : 0;
        }
        if (request instanceof Request.SendMessages bulk) {
            return bulk.messages().stream().mapToLong(message -> neededBy(message.properties()))
                    .reduce(needed, (one, other) -> one | other);
        }
        return request instanceof Request.SendMessage send ? needed | neededBy(send.properties()) : needed;
    }

    private static long neededBy(MessageProperties properties) {
        return properties.isEmpty() ? 0 : PROPERTIES | (properties.hasTimes() ? TIMES : 0);
    }

    /** @return name of a feature that this request needs, as in the documentation of the protocol */
    public static String nameOf(Request request) {
        long needed = neededBy(request);
        if ((needed & FILTERS) != 0) {
            return "filters";
        }
        return (needed & TIMES) != 0 ? "times" : nameOf(request.type());
    }

    /** @return name of the feature that such a request needs, as in the documentation of the protocol */
    public static String nameOf(FrameType request) {
        return switch (request) {
            case CANCEL, RECEIVED -> "cancel";
            case QUEUE_LENGTH -> "queue lengths";
            case AUTHENTICATE -> "authentication";
            case STATEMENT -> "statements";
            case MOVE_MESSAGES -> "moves";
            case SEND_MESSAGE, SEND_MESSAGES -> "properties";
            case QUEUES_WITH_PENDING_MESSAGES -> "addressed";
            case CREATE_TOPIC, DELETE_TOPIC, LOOKUP_TOPIC, SUBSCRIBE, UNSUBSCRIBE, PUBLISH -> "topics";
            default -> "bulk leases";
        };
    }
}
