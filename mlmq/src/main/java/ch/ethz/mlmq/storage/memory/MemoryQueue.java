package ch.ethz.mlmq.storage.memory;

import ch.ethz.mlmq.filter.Filter;
import ch.ethz.mlmq.filter.FilteredMessage;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.storage.QueryFilter;
import ch.ethz.mlmq.storage.limit.QueueLimits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A queue of {@link MemoryStorage}; used under its lock. Messages lie in order for each receiver; 0 means any receiver.
 */
final class MemoryQueue {
    private static final Comparator<Message> BY_TIME = Comparator.comparingLong(Message::id);
    static final Comparator<Message> BY_PRIORITY =
            Comparator.comparingInt(Message::priority).reversed().thenComparing(BY_TIME);

    final int id;
    final String name;
    final int owner;
    /** True if it takes dead letters, which only requests for this very queue get. */
    boolean dead;
    private final Map<Integer, NavigableMap<Message, Message>> byReceiver = new HashMap<>();
    private QueueLimits limits = QueueLimits.NONE;
    private int size;
    private int leased;
    /** Bytes of all messages, leased ones too. */
    private long bytes;

    /** @param owner id of the client that owns this personal queue, or 0 */
    MemoryQueue(int id, String name, int owner) {
        this.id = id;
        this.name = name;
        this.owner = owner;
    }

    static Comparator<Message> order(MessageQuery.Order order) {
        return order == MessageQuery.Order.TIME ? BY_TIME : BY_PRIORITY;
    }

    void add(Message message) {
        byReceiver.computeIfAbsent(receiver(message), receiver -> new TreeMap<>(BY_PRIORITY)).put(message, message);
        size++;
        bytes += message.bytes();
    }

    void remove(Message message) {
        NavigableMap<Message, Message> messages = byReceiver.get(receiver(message));
        messages.remove(message);
        if (messages.isEmpty()) {
            byReceiver.remove(receiver(message));
        }
        size--;
        bytes -= message.bytes();
    }

    /** @return true if it was there */
    boolean removeIfThere(Message message) {
        NavigableMap<Message, Message> messages = byReceiver.get(receiver(message));
        boolean isThere = messages != null && messages.containsKey(message);
        if (isThere) {
            remove(message);
        }
        return isThere;
    }

    /** Counts a message that is leased or delayed from now on. */
    void lease(Message message) {
        leased++;
        bytes += message.bytes();
    }

    /** Counts a message that is leased or delayed no longer. */
    void endLease(Message message) {
        leased--;
        bytes -= message.bytes();
    }

    QueueLimits limits() {
        return limits;
    }

    void limit(QueueLimits wanted) {
        limits = wanted;
    }

    /** @return true if it has room for so many messages of so many bytes together */
    boolean hasRoomFor(int messages, long moreBytes) {
        return (long) size + leased + messages <= limits.messagesMax() && bytes + moreBytes <= limits.bytesMax();
    }

    /** @return the oldest message of the lowest priority, for whomever it is; null if none can be taken */
    Message lowest() {
        return byReceiver.values().stream().map(messages -> first(messages, messages.lastKey().priority()))
                .min(Comparator.comparingInt(Message::priority).thenComparing(BY_TIME)).orElse(null);
    }

    /** @return a message that was sent before that time, or null if there is none */
    Message olderThan(long sentMillis) {
        for (NavigableMap<Message, Message> messages : byReceiver.values()) {
            for (Message one = messages.firstKey(); one != null; one = first(messages, one.priority() - 1)) {
                if (one.sentMillis() < sentMillis) {
                    return one;
                }
            }
        }
        return null;
    }

    /** @return the first message of that priority, or of the next lower one that there is, or null */
    private static Message first(NavigableMap<Message, Message> messages, int priority) {
        return messages.ceilingKey(new Message(0, 0, new Message.Envelope(0, 0, priority, 0, 0), Message.Delivery.NONE,
                new byte[0]));
    }

    boolean isEmpty() {
        return size == 0 && leased == 0;
    }

    Response.QueueLength length() {
        return new Response.QueueLength(size, leased);
    }

    int size() {
        return size;
    }

    boolean mayBeReadBy(int client) {
        return owner == 0 || owner == client;
    }

    boolean hasMessageFor(int client) {
        return byReceiver.containsKey(0) || byReceiver.containsKey(client);
    }

    boolean hasMessageForOnly(int client) {
        return byReceiver.containsKey(client);
    }

    /** @return the first messages that the client may take, at most {@code max}, in the order of the query */
    List<Message> first(MessageQuery query, int client, int max) {
        Stream<Message> found = Stream.empty();
        if (!query.toMe() || owner == client) {
            found = Stream.concat(found, of(0, query, max));
        }
        if (owner == 0) {
            found = Stream.concat(found, of(client, query, max));
        }
        return new ArrayList<>(found.sorted(order(query.order())).limit(max).toList());
    }

    /** @return messages that may lie in the target, or any if it is null, at most {@code max} */
    List<Message> some(MemoryQueue target, int max) {
        return byReceiver.entrySet().stream().filter(messages -> target == null || target.owner == 0
                || messages.getKey() == 0 || messages.getKey() == target.owner)
                .flatMap(messages -> messages.getValue().values().stream()).limit(max).toList();
    }

    private Stream<Message> of(int receiver, MessageQuery query, int max) {
        NavigableMap<Message, Message> messages = byReceiver.get(receiver);
        Collection<Message> all = messages == null ? List.of() : messages.values();
        Filter filter = QueryFilter.of(query);
        Stream<Message> matching = all.stream()
                .filter(m -> query.sender() == 0 || m.sender() == query.sender())
                .filter(m -> query.context() == 0 || m.context() == query.context())
                .filter(m -> filter.takes(new FilteredMessage(m.properties(), m.priority(), m.context())));
        return query.order() == MessageQuery.Order.TIME ? matching : matching.limit(max);
    }

    /** All messages of a personal queue are for its owner. */
    private int receiver(Message message) {
        return owner == 0 ? message.receiver() : 0;
    }
}
