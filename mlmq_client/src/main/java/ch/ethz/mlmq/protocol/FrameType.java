package ch.ethz.mlmq.protocol;

/**
 * The type of a frame: its number on the wire and its name in logs. Requests have numbers below 100, responses above.
 */
public enum FrameType {
    REGISTER(1, "register"),
    CREATE_QUEUE(2, "createQueue"),
    DELETE_QUEUE(3, "deleteQueue"),
    LOOKUP_QUEUE(4, "lookupQueue"),
    LOOKUP_CLIENT(5, "lookupClient"),
    LOOKUP_CLIENT_QUEUE(6, "lookupClientQueue"),
    SEND_MESSAGE(7, "sendMessage"),
    SEND_MESSAGE_TO_CLIENT(8, "sendMessageToClient"),
    SEND_REQUEST_TO_CLIENT(9, "sendRequestToClient"),
    SEND_RESPONSE_TO_CLIENT(10, "sendResponseToClient"),
    SEND_MESSAGES(11, "sendMessages"),
    QUEUES_WITH_PENDING_MESSAGES(12, "queuesWithPendingMessages"),
    PEEK_MESSAGE(13, "peekMessage"),
    DEQUEUE_MESSAGE(14, "dequeueMessage"),
    DEQUEUE_MESSAGES(15, "dequeueMessages"),
    RECEIVE_MESSAGE(16, "receiveMessage"),
    ACKNOWLEDGE(17, "acknowledge"),
    EXTEND(18, "extend"),
    RELEASE(19, "release"),
    ECHO(20, "echo"),
    BROKER_STATUS(21, "status"),
    GOODBYE(22, "close"),
    HELLO(23, "hello"),
    KEEP_ALIVE(24, "keepAlive"),
    CANCEL(25, "cancel"),
    RECEIVED(26, "received"),
    RECEIVE_MESSAGES(27, "receiveMessages"),
    ACKNOWLEDGE_MESSAGES(28, "acknowledgeMessages"),
    EXTEND_LEASES(29, "extendLeases"),
    RELEASE_MESSAGES(30, "releaseMessages"),
    QUEUE_LENGTH(31, "queueLength"),
    AUTHENTICATE(32, "authenticate"),
    CREATE_TOPIC(33, "createTopic"),
    DELETE_TOPIC(34, "deleteTopic"),
    LOOKUP_TOPIC(35, "lookupTopic"),
    SUBSCRIBE(36, "subscribe"),
    UNSUBSCRIBE(37, "unsubscribe"),
    PUBLISH(38, "publish"),
    STATEMENT(40, "statement"),
    MOVE_MESSAGES(41, "moveMessages"),

    DONE(101, "done"),
    REGISTERED(102, "registered"),
    QUEUE_FOUND(103, "queue"),
    CLIENT_FOUND(104, "client"),
    CONTEXT_ASSIGNED(105, "context"),
    PENDING_QUEUES(106, "pendingQueues"),
    DELIVERY(107, "message"),
    DELIVERIES(108, "messages"),
    ECHOED(109, "echoed"),
    STATUS_REPORT(110, "statusReport"),
    WELCOME(111, "welcome"),
    LEASE_STATUSES(112, "leaseStatuses"),
    LENGTH(113, "length"),
    CHALLENGE(114, "challenge"),
    TOPIC_FOUND(115, "topic"),
    PUBLISHED(116, "published"),
    MOVED(117, "moved"),
    REPORT(120, "report"),
    FAILURE(199, "failure");

    private static final FrameType[] BY_CODE = byCode();

    private final int code;
    private final String label;

    FrameType(int code, String label) {
        this.code = code;
        this.label = label;
    }

    /** @return its number on the wire */
    public int code() {
        return code;
    }

    /** @return its name in logs: for a request the name of the operation, such as {@code sendMessage} */
    public String label() {
        return label;
    }

    public boolean isRequest() {
        return code < 100;
    }

    /** @return the type, or null if no frame has that number */
    public static FrameType of(int code) {
        return code < 0 || code >= BY_CODE.length ? null : BY_CODE[code];
    }

    private static FrameType[] byCode() {
        FrameType[] types = new FrameType[FAILURE.code + 1];
        for (FrameType type : values()) {
            types[type.code] = type;
        }
        return types;
    }
}
