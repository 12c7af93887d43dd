package ch.ethz.mlmq.protocol.wire;

import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Request;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Well-formed requests of every kind, some values outside their limits. The same seed, the same requests. */
final class RandomRequests {
    private static final String[] NAMES = {"fuzz-a", "fuzz-b", "fuzz-c", "fuzz.d", "", "no name", "\0", "é"};
    private static final int[] NUMBERS = {-1, 0, Integer.MIN_VALUE, Integer.MAX_VALUE};
    private static final int[] WAITS = {0, 0, 0, 1, 20, 60_000, 60_001, -1};

    private final SplittableRandom random;

    RandomRequests(SplittableRandom random) {
        this.random = random;
    }

    Request next() {
        return switch (random.nextInt(24)) {
            case 0 -> new Request.Register(name());
            case 1 -> new Request.CreateQueue(name());
            case 2 -> new Request.DeleteQueue(id(), random.nextBoolean());
            case 3 -> new Request.LookupQueue(name());
            case 4 -> new Request.LookupClient(name());
            case 5 -> new Request.LookupClientQueue(
                    random.nextBoolean() ? 0 : id(), random.nextBoolean() ? "" : name());
            case 6 -> new Request.SendMessage(random.ints(count(), 0, 30).toArray(), random.nextBoolean() ? 0 : id(),
                    priority(), random.nextInt(3), random.nextBoolean() ? "" : name(), content());
            case 7 -> new Request.SendMessageToClient(id(), priority(), content());
            case 8 -> new Request.SendRequestToClient(id(), priority(), content());
            case 9 -> new Request.SendResponseToClient(id(), random.nextInt(4), priority(), content());
            case 10 -> new Request.SendMessages(Stream.generate(this::outgoing).limit(count()).toList());
            case 11 -> new Request.QueuesWithPendingMessages(number(0, 1_000));
            case 12 -> new Request.PeekMessage(query());
            case 13 -> new Request.DequeueMessage(query());
            case 14 -> new Request.DequeueMessages(query(), number(1, 1_000));
            case 15 -> new Request.ReceiveMessage(query(), number(1, 1_000));
            case 16 -> new Request.Acknowledge(random.nextInt(1_000), random.nextInt(1_000));
            case 17 -> new Request.Extend(random.nextInt(1_000), random.nextInt(1_000), number(1, 1_000));
            case 18 -> new Request.Release(random.nextInt(1_000), random.nextInt(1_000));
            case 19 -> new Request.Echo(content());
            case 20 -> new Request.BrokerStatus();
            case 21 -> new Request.Cancel(random.nextInt(100));
            case 22 -> new Request.Received();
            default -> random.nextInt(10) == 0 ? new Request.Goodbye()
                    : new Request.Register("fuzz-" + random.nextInt(50));
        };
    }

    private OutgoingMessage outgoing() {
        return new OutgoingMessage(id(), random.nextBoolean() ? 0 : id(), priority(), random.nextInt(3), "", content());
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
