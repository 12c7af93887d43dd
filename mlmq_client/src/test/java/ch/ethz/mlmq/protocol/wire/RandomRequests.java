package ch.ethz.mlmq.protocol.wire;

import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.MessageProperties;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.MoveMessages;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Statement;
import ch.ethz.mlmq.protocol.TopicRequest;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Makes well-formed requests of every kind, with some values outside their limits. The same seed gives the same
 * requests.
 */
final class RandomRequests {
    private static final String[] NAMES = {"fuzz-a", "fuzz-b", "fuzz-c", "fuzz.d", "", "no name", "\0", "é"};
    private static final int[] NUMBERS = {-1, 0, Integer.MIN_VALUE, Integer.MAX_VALUE};
    private static final int[] WAITS = {0, 0, 0, 1, 20, 60_000, 60_001, -1};
    private static final String[] LIMITS = {"1 messages, drop oldest", "2 messages, refuse", "100 B, drop oldest",
            "200 B", "age 5ms", "1 attempts", "backoff 1ms to 5ms, 3 attempts", "0 messages", "9999999999999 GB", ",,"};
    private static final String[] FILTERS = {"", "id = 'x'", "id = 'x' AND $priority > 5", "id LIKE '%x'", "id ==",
            "(".repeat(4_000), "NOT ".repeat(5_000), "\0"};
    /** Some with a name that no filter can say. */
    private static final byte[][] PROPERTIES = {MessageProperties.NONE.with("id", "x").encoded(),
            MessageProperties.NONE.with("id", 1.5).with("b", true).encoded(), {0, 0, 0, 0, 3, 1},
            {0, 0, 0, 1, ' ', 3, 1}};

    private static final List<FrameType> TYPES =
            Arrays.stream(FrameType.values()).filter(FrameType::isRequest).toList();

    private final SplittableRandom random;

    RandomRequests(SplittableRandom random) {
        this.random = random;
    }

    Request next() {
        FrameType type = TYPES.get(random.nextInt(TYPES.size()));
        // A goodbye ends its connection, so most of them are registrations.
        return of(type == FrameType.GOODBYE && random.nextInt(10) != 0 ? FrameType.REGISTER : type);
    }

    private Request of(FrameType type) {
        return switch (type) {
            case REGISTER -> new Request.Register(random.nextBoolean() ? name() : "fuzz-" + random.nextInt(50));
            case CREATE_QUEUE -> new Request.CreateQueue(name());
            case DELETE_QUEUE -> new Request.DeleteQueue(id(), random.nextBoolean());
            case LOOKUP_QUEUE -> new Request.LookupQueue(name());
            case LOOKUP_CLIENT -> new Request.LookupClient(name());
            case LOOKUP_CLIENT_QUEUE -> new Request.LookupClientQueue(
                    random.nextBoolean() ? 0 : id(), random.nextBoolean() ? "" : name());
            case SEND_MESSAGE -> new Request.SendMessage(random.ints(count(), 0, 30).toArray(),
                    random.nextBoolean() ? 0 : id(), priority(), random.nextInt(3), random.nextBoolean() ? "" : name(),
                    content());
            case SEND_MESSAGE_TO_CLIENT -> new Request.SendMessageToClient(id(), priority(), content());
            case SEND_REQUEST_TO_CLIENT -> new Request.SendRequestToClient(id(), priority(), content());
            case SEND_RESPONSE_TO_CLIENT -> new Request.SendResponseToClient(id(), random.nextInt(4), priority(),
                    content());
            case SEND_MESSAGES -> new Request.SendMessages(Stream.generate(this::outgoing).limit(count()).toList());
            case QUEUES_WITH_PENDING_MESSAGES ->
                new Request.QueuesWithPendingMessages(number(0, 1_000), random.nextBoolean());
            case PEEK_MESSAGE -> new Request.PeekMessage(query());
            case DEQUEUE_MESSAGE -> new Request.DequeueMessage(query());
            case DEQUEUE_MESSAGES -> new Request.DequeueMessages(query(), number(1, 1_000));
            case RECEIVE_MESSAGE -> new Request.ReceiveMessage(query(), number(1, 1_000));
            case ACKNOWLEDGE -> new Request.Acknowledge(random.nextInt(1_000), random.nextInt(1_000));
            case EXTEND -> new Request.Extend(random.nextInt(1_000), random.nextInt(1_000), number(1, 1_000));
            case RELEASE -> new Request.Release(random.nextInt(1_000), random.nextInt(1_000));
            case RECEIVE_MESSAGES -> new Request.ReceiveMessages(query(), number(1, 1_000), number(1, 1_000));
            case ACKNOWLEDGE_MESSAGES -> new Request.AcknowledgeMessages(leases());
            case EXTEND_LEASES -> new Request.ExtendLeases(leases(), number(1, 1_000));
            case RELEASE_MESSAGES -> new Request.ReleaseMessages(leases());
            case QUEUE_LENGTH -> new Request.QueueLength(id());
            case CREATE_TOPIC -> new TopicRequest.CreateTopic(name());
            case DELETE_TOPIC -> new TopicRequest.DeleteTopic(id());
            case LOOKUP_TOPIC -> new TopicRequest.LookupTopic(name());
            case SUBSCRIBE -> new TopicRequest.Subscribe(id(), name(), filter(), random.nextBoolean());
            case MOVE_MESSAGES -> new MoveMessages(id(), 0, 1 + id() % 1_000);
            case UNSUBSCRIBE -> new TopicRequest.Unsubscribe(id(), name());
            case PUBLISH -> new TopicRequest.Publish(id(), priority(), random.nextInt(3),
                    random.nextBoolean() ? "" : name(), content(), properties());
            case ECHO -> new Request.Echo(content());
            case BROKER_STATUS -> new Request.BrokerStatus();
            case GOODBYE -> new Request.Goodbye();
            case HELLO -> new Request.Hello(number(1, 3), random.nextLong(), name());
            case AUTHENTICATE -> new Request.Authenticate(random.nextBoolean() ? "SCRAM-SHA-256" : name(), content());
            case STATEMENT -> new Statement(statement());
            case KEEP_ALIVE -> new Request.KeepAlive();
            case CANCEL -> new Request.Cancel(random.nextInt(100));
            case RECEIVED -> new Request.Received();
            default -> throw new AssertionError("there are no random requests of type " + type.label());
        };
    }

    private String statement() {
        return switch (random.nextInt(4)) {
            case 0 -> "grant " + name() + " to " + name();
            case 1 -> "unlimit queue #" + id();
            case 2 -> "limit queue " + name() + " to " + LIMITS[random.nextInt(LIMITS.length)];
            default -> "limit queue #" + id() + " to " + LIMITS[random.nextInt(LIMITS.length)];
        };
    }

    private String filter() {
        return FILTERS[random.nextInt(FILTERS.length)];
    }

    private MessageProperties properties() {
        return random.nextBoolean() ? MessageProperties.NONE
                : MessageProperties.decode(PROPERTIES[random.nextInt(PROPERTIES.length)]);
    }

    private OutgoingMessage outgoing() {
        return new OutgoingMessage(id(), random.nextBoolean() ? 0 : id(), priority(), random.nextInt(3), "", content());
    }

    private List<Lease> leases() {
        return Stream.generate(() -> new Lease(random.nextInt(1_000), random.nextInt(1_000))).limit(count()).toList();
    }

    private MessageQuery query() {
        return new MessageQuery(random.nextBoolean() ? 0 : id(), random.nextInt(4) == 0 ? id() : 0,
                random.nextInt(4) == 0 ? random.nextInt(3) : 0, random.nextBoolean(),
                random.nextBoolean() ? MessageQuery.Order.PRIORITY : MessageQuery.Order.TIME,
                WAITS[random.nextInt(WAITS.length)]);
    }

    private String name() {
        return NAMES[random.nextInt(NAMES.length)];
    }

    private int id() {
        return number(1, 40);
    }

    private int priority() {
        return number(1, 10);
    }

    private int number(int least, int greatest) {
        return random.nextInt(20) == 0 ? NUMBERS[random.nextInt(NUMBERS.length)] : random.nextInt(least, greatest + 1);
    }

    private int count() {
        return random.nextInt(50) == 0 ? 1_001 : random.nextInt(4);
    }

    private byte[] content() {
        byte[] content = new byte[random.nextInt(30) == 0 ? 2_001 : random.nextInt(100)];
        random.nextBytes(content);
        return content;
    }
}
