package ch.ethz.mlmq.protocol;

import java.util.List;
import java.util.Optional;

/**
 * Limits of a broker. A request beyond a limit is refused with a failure that names the limit; the connection goes on.
 *
 * @param maxContentBytes longest content of a message or an echo [bytes], 1..1,048,576
 * @param maxPayloadBytes longest frame without its length [bytes]; a longer one is a protocol error
 */
public record Limits(int maxContentBytes, int maxPayloadBytes) {
    public static final int DEFAULT_CONTENT_BYTES = 2_000;
    public static final int GREATEST_CONTENT_BYTES = 1 << 20;
    public static final int DEFAULT_PAYLOAD_BYTES = 4 << 20;
    /** Messages of one bulk transfer, queues of one send, and leases of one request. */
    public static final int MAX_LIST = 1_000;
    /** Longest statement about users [characters]. */
    public static final int MAX_STATEMENT_CHARS = 1_000;
    public static final int MAX_NAME_CHARS = 50;
    /** Suffix of a dead-letter queue's name, behind the name of its queue; it does not count in the limit of names. */
    public static final String DEAD_LETTERS = ".dead";
    /** Begins the names that brokers give to temporary clients; no other name has it. */
    public static final String TEMPORARY = "~";
    /** Between the names of a topic and of a subscription, in the name of the subscription's queue. */
    public static final String SUBSCRIPTION = "/";
    public static final int MAX_FILTER_CHARS = 4_096;
    public static final int MAX_KEY_CHARS = 100;
    public static final int MAX_WAIT_MILLIS = 60_000;
    public static final int MAX_LEASE_MILLIS = 12 * 3_600_000;
    public static final int LEAST_PRIORITY = 1;
    public static final int GREATEST_PRIORITY = 10;

    /** Most bytes of a message beside its content, including the frame around it. */
    private static final int MESSAGE_OVERHEAD_BYTES = 64;

    public Limits {
        if (maxContentBytes < 1 || maxContentBytes > GREATEST_CONTENT_BYTES) {
            throw new IllegalArgumentException(
                    "content may be limited to 1.." + GREATEST_CONTENT_BYTES + " bytes, not " + maxContentBytes);
        }
        if (maxPayloadBytes < leastPayloadBytes(maxContentBytes)) {
            throw new IllegalArgumentException("a frame of " + maxPayloadBytes + " bytes does not hold a message of "
                    + maxContentBytes + " bytes to " + MAX_LIST + " queues");
        }
    }

    public static Limits defaults() {
        return new Limits(DEFAULT_CONTENT_BYTES, DEFAULT_PAYLOAD_BYTES);
    }

    /** @return the longest frame that every client must accept at least [bytes without its length] */
    public int leastPayloadBytes() {
        return leastPayloadBytes(maxContentBytes);
    }

    /** @return the same for a broker with messages of this length */
    public static int leastPayloadBytes(int maxContentBytes) {
        return maxContentBytes + 8_192;
    }

    /** @param contentBytes of its content and properties. @return most bytes that a message takes within a frame */
    public static int messageBytes(int contentBytes) {
        return contentBytes + MESSAGE_OVERHEAD_BYTES;
    }

    /** @return the first limit that the request exceeds, if any */
    public Optional<Response.Failure> violation(Request request) {
        return Optional.ofNullable(request.accept(new Check()));
    }

    /** Checks a lookup, which may also be for a subscription's queue, or the dead-letter queue of the longest name. */
    private static Response.Failure lookup(String queue) {
        int topic = queue.indexOf(SUBSCRIPTION);
        String last = queue.substring(topic + 1);
        return first(topic < 0 ? null : name(queue.substring(0, topic)),
                name(last.length() > MAX_NAME_CHARS && last.endsWith(DEAD_LETTERS)
                        ? last.substring(0, last.length() - DEAD_LETTERS.length()) : last));
    }

    private Response.Failure message(int priority, byte[] content) {
        return first(range("priority", priority, LEAST_PRIORITY, GREATEST_PRIORITY), content(content));
    }

    private Response.Failure content(byte[] content) {
        return content.length <= maxContentBytes ? null : new Response.Failure(Status.CONTENT_TOO_LONG,
                "content of " + content.length + " bytes where at most " + maxContentBytes + " are accepted");
    }

    private static Response.Failure properties(MessageProperties properties) {
        String violation = properties.isEmpty() ? null : properties.violation();
        return violation == null ? null : invalid(violation);
    }

    private static Response.Failure contextAndKey(long context, String key) {
        return first(range("context", context, 0, Long.MAX_VALUE),
                isShort(key) && key.indexOf(0) < 0 ? null
                        : invalid("a key has at most " + MAX_KEY_CHARS + " characters, none of them NUL"));
    }

    /** Checks the length in characters; one character may be two of Java's. */
    private static boolean isShort(String key) {
        return key.length() <= MAX_KEY_CHARS
                || key.length() <= 2 * MAX_KEY_CHARS && key.codePointCount(0, key.length()) <= MAX_KEY_CHARS;
    }

    private static Response.Failure query(MessageQuery query) {
        return first(range("wait [ms]", query.waitMillis(), 0, MAX_WAIT_MILLIS), filter(query.filter()));
    }

    private static Response.Failure filter(String filter) {
        return range("number of characters of a filter", filter.length(), 0, MAX_FILTER_CHARS);
    }

    private static Response.Failure lease(int millis) {
        return range("lease [ms]", millis, 1, MAX_LEASE_MILLIS);
    }

    private static Response.Failure leases(List<Lease> leases) {
        Response.Failure failure = range("number of leases", leases.size(), 1, MAX_LIST);
        for (int i = 0; failure == null && i < leases.size(); i++) {
            Lease lease = leases.get(i);
            failure = lease.message() != 0 && lease.token() != 0 ? null : invalid("neither the id of a message nor its "
                    + "lease token is 0, as " + (lease.message() == 0 ? "the id" : "the token") + " is in lease "
                    + (i + 1) + " of " + leases.size());
        }
        return failure;
    }

    private static Response.Failure subscription(String name) {
        return first(name(name), name.endsWith(DEAD_LETTERS)
                ? invalid("the name of a subscription does not end in " + DEAD_LETTERS) : null);
    }

    private static Response.Failure name(String name) {
        boolean valid = !name.isEmpty() && name.length() <= MAX_NAME_CHARS;
        for (int i = 0; valid && i < name.length(); i++) {
            valid = isNameChar(name.charAt(i));
        }
        return valid ? null : invalid("a name has 1.." + MAX_NAME_CHARS + " characters of letters, digits, . _ -");
    }

    private static boolean isNameChar(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-';
    }

    private static Response.Failure range(String what, long value, long least, long greatest) {
        return value >= least && value <= greatest ? null
                : invalid("the " + what + " must be within " + least + ".." + greatest + ", not " + value);
    }

    private static Response.Failure invalid(String text) {
        return new Response.Failure(Status.INVALID_REQUEST, text);
    }

    private static Response.Failure first(Response.Failure one, Response.Failure other) {
        return one != null ? one : other;
    }

    /** Finds the first limit that each kind of request exceeds, or null. */
    private final class Check implements RequestVisitor<Response.Failure, RuntimeException> {
        @Override
        public Response.Failure other(Request request) {
            return null;
        }

        @Override
        public Response.Failure visit(Request.Register register) {
            return register.name().startsWith(TEMPORARY) ? null : name(register.name());
        }

        @Override
        public Response.Failure visit(Request.CreateQueue create) {
            return name(create.name());
        }

        @Override
        public Response.Failure visit(Request.LookupQueue lookup) {
            return lookup(lookup.name());
        }

        @Override
        public Response.Failure visit(Request.LookupClient lookup) {
            return name(lookup.name());
        }

        @Override
        public Response.Failure visit(Request.LookupClientQueue lookup) {
            if (lookup.client() != 0 && !lookup.name().isEmpty()) {
                return invalid("a client is looked up by its id or by its name, not by both");
            }
            return lookup.client() == 0 ? lookup(lookup.name()) : null;
        }

        @Override
        public Response.Failure visit(Request.SendMessage send) {
            return first(range("number of queues", send.queues().length, 1, MAX_LIST),
                    first(first(message(send.priority(), send.content()), properties(send.properties())),
                            contextAndKey(send.context(), send.key())));
        }

        @Override
        public Response.Failure visit(Request.SendMessageToClient send) {
            return message(send.priority(), send.content());
        }

        @Override
        public Response.Failure visit(Request.SendRequestToClient send) {
            return message(send.priority(), send.content());
        }

        @Override
        public Response.Failure visit(Request.SendResponseToClient send) {
            return first(range("context", send.context(), 1, Long.MAX_VALUE),
                    message(send.priority(), send.content()));
        }

        @Override
        public Response.Failure visit(Request.SendMessages bulk) {
            Response.Failure failure = range("number of messages", bulk.messages().size(), 1, MAX_LIST);
            for (int i = 0; failure == null && i < bulk.messages().size(); i++) {
                OutgoingMessage message = bulk.messages().get(i);
                failure = first(first(message(message.priority(), message.content()), properties(message.properties())),
                        contextAndKey(message.context(), message.key()));
            }
            return failure;
        }

        @Override
        public Response.Failure visit(Request.QueuesWithPendingMessages pending) {
            return range("number of queues", pending.max(), 0, MAX_LIST);
        }

        @Override
        public Response.Failure visit(Request.PeekMessage peek) {
            return first(range("wait of a peek", peek.query().waitMillis(), 0, 0), filter(peek.query().filter()));
        }

        @Override
        public Response.Failure visit(Request.DequeueMessage dequeue) {
            return query(dequeue.query());
        }

        @Override
        public Response.Failure visit(Request.DequeueMessages dequeue) {
            return first(query(dequeue.query()), range("number of messages", dequeue.max(), 1, MAX_LIST));
        }

        @Override
        public Response.Failure visit(Request.ReceiveMessage receive) {
            return first(query(receive.query()), lease(receive.leaseMillis()));
        }

        @Override
        public Response.Failure visit(Request.Extend extend) {
            return lease(extend.leaseMillis());
        }

        @Override
        public Response.Failure visit(Request.ReceiveMessages receive) {
            return first(query(receive.query()), first(range("number of messages", receive.max(), 1, MAX_LIST),
                    lease(receive.leaseMillis())));
        }

        @Override
        public Response.Failure visit(Request.AcknowledgeMessages acknowledge) {
            return leases(acknowledge.leases());
        }

        @Override
        public Response.Failure visit(Request.ExtendLeases extend) {
            return first(leases(extend.leases()), lease(extend.leaseMillis()));
        }

        @Override
        public Response.Failure visit(Request.ReleaseMessages release) {
            return leases(release.leases());
        }

        @Override
        public Response.Failure visit(MoveMessages move) {
            return first(range("number of messages", move.max(), 1, MAX_LIST),
                    move.queue() == move.target() ? invalid("a queue's messages cannot be moved to itself") : null);
        }

        @Override
        public Response.Failure visit(Statement statement) {
            return range("number of characters", statement.text().length(), 1, MAX_STATEMENT_CHARS);
        }

        @Override
        public Response.Failure visit(TopicRequest.CreateTopic create) {
            return name(create.name());
        }

        @Override
        public Response.Failure visit(TopicRequest.LookupTopic lookup) {
            return name(lookup.name());
        }

        @Override
        public Response.Failure visit(TopicRequest.Subscribe subscribe) {
            return first(subscription(subscribe.name()), filter(subscribe.filter()));
        }

        @Override
        public Response.Failure visit(TopicRequest.Unsubscribe unsubscribe) {
            return name(unsubscribe.name());
        }

        @Override
        public Response.Failure visit(TopicRequest.Publish publish) {
            return first(first(message(publish.priority(), publish.content()), properties(publish.properties())),
                    contextAndKey(publish.context(), publish.key()));
        }

        @Override
        public Response.Failure visit(Request.Echo echo) {
            return content(echo.content());
        }
    }
}
