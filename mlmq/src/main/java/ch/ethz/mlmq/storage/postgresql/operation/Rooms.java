package ch.ethz.mlmq.storage.postgresql.operation;

import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.storage.limit.QueueLimits;
import ch.ethz.mlmq.storage.postgresql.limit.LimitDirectory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Takes room in queues with a limit of length for what a transaction is about to store there, and drops messages where
 * a queue makes room so. The queues are locked until the transaction ends, so a limit holds for all brokers.
 */
public final class Rooms {
    private static final String TAKE = "SELECT * FROM take_room(?::int[], ?::bigint[], ?::bigint[], ?::bigint[], "
            + "?::bigint[])";
    private static final String DROP = "SELECT messages, bytes FROM drop_oldest(?, ?, ?, ?)";
    private static final String SETTLE = "UPDATE queue_fill f SET messages = f.messages + c.n, "
            + "bytes = f.bytes + c.bytes "
            + "FROM unnest(?::int[], ?::bigint[], ?::bigint[]) AS c(id, n, bytes) WHERE f.queue_id = c.id";

    private final Connection connection;
    private final Changes changes;
    private final Map<Integer, Room> rooms = new TreeMap<>();

    private Rooms(Connection connection, Changes changes) {
        this.connection = connection;
        this.changes = changes;
    }

    /** A message that is about to be stored. @param limits of its queue, as the broker knows them */
    public record Arrival(int queue, int priority, int bytes, QueueLimits limits) {
    }

    /** An amount of messages. */
    private static final class Amount {
        private long messages;
        private long bytes;

        private boolean has(Amount other) {
            return messages >= other.messages && bytes >= other.bytes;
        }

        private void add(long more, long moreBytes) {
            messages += more;
            bytes += moreBytes;
        }
    }

    /** The room in a queue. */
    private static final class Room {
        private final boolean taken;
        private final Amount free = new Amount();
        private final QueueLimits limits;

        private Room(ResultSet row) throws SQLException {
            taken = row.getBoolean(2);
            free.add(row.getLong(3), row.getLong(4));
            limits = new QueueLimits(row.getLong(5), row.getLong(6), row.getBoolean(7), 0, 0, 0, 0);
        }
    }

    /** A queue that refused what a call was about to store. */
    public record Full(int queue, QueueLimits limits) {
    }

    /** @return those of the messages whose queue may be full */
    public static List<Arrival> arrivals(LimitDirectory limits, List<OutgoingMessage> messages) {
        return messages.stream().filter(message -> limits.isBounded(message.queue()))
                .map(message -> new Arrival(message.queue(), message.priority(), message.content().length
                        + message.properties().withoutTimes().encoded().length, limits.of(message.queue()))).toList();
    }

    /**
     * Takes room for calls, each with all that it stores or not at all.
     *
     * @param calls what each stores in queues that may have a limit
     * @param later what the transaction may store there later; these queues are locked, too
     * @return the full queue for each call that must not store, and null for the others
     */
    public static Full[] take(Connection connection, Changes changes, List<List<Arrival>> calls, List<Arrival> later)
            throws SQLException {
        return new Rooms(connection, changes).take(calls, later);
    }

    /** Takes room for one call. @return the full queue, or null if it may store */
    public static Full take(Connection connection, Changes changes, List<Arrival> arrivals) throws SQLException {
        return take(connection, changes, List.of(arrivals), List.of())[0];
    }

    private Full[] take(List<List<Arrival>> calls, List<Arrival> later) throws SQLException {
        Map<Integer, Amount> wanted = sums(calls.stream().flatMap(List::stream).toList());
        Map<Integer, Amount> expected = sums(later);
        wanted.keySet().forEach(queue -> expected.computeIfAbsent(queue, id -> new Amount()));
        expected.keySet().forEach(queue -> wanted.computeIfAbsent(queue, id -> new Amount()));
        lock(wanted, expected);
        Full[] refused = new Full[calls.size()];
        boolean all = rooms.values().stream().allMatch(room -> room.taken);
        if (!all) {
            while (!fit(calls, refused)) {
                // What was refused makes no demand any more.
            }
            settle(calls, refused, wanted);
        }
        return refused;
    }

    private void lock(Map<Integer, Amount> wanted, Map<Integer, Amount> expected) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(TAKE)) {
            bind(statement, wanted);
            bind(statement, 4, expected);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    rooms.put(rows.getInt(1), new Room(rows));
                }
            }
        }
    }

    private static void bind(PreparedStatement statement, Map<Integer, Amount> amounts) throws SQLException {
        statement.setObject(1, amounts.keySet().stream().mapToInt(Integer::intValue).toArray());
        bind(statement, 2, amounts);
    }

    private static void bind(PreparedStatement statement, int at, Map<Integer, Amount> amounts) throws SQLException {
        statement.setObject(at, amounts.values().stream().mapToLong(one -> one.messages).toArray());
        statement.setObject(at + 1, amounts.values().stream().mapToLong(one -> one.bytes).toArray());
    }

    private static Map<Integer, Amount> sums(List<Arrival> arrivals) {
        Map<Integer, Amount> sums = new TreeMap<>();
        arrivals.forEach(one -> sums.computeIfAbsent(one.queue, id -> new Amount()).add(1, one.bytes));
        return sums;
    }

    /**
     * Drops what makes room for the calls that are not refused yet, and refuses those that do not fit all the same.
     * Nothing is dropped for a call that is refused.
     *
     * @return false if calls were refused for which messages were dropped; they are there again
     */
    private boolean fit(List<List<Arrival>> calls, Full[] refused) throws SQLException {
        List<Arrival> left = new ArrayList<>();
        for (int i = 0; i < refused.length; i++) {
            if (refused[i] == null) {
                refused[i] = tooLarge(calls.get(i));
                left.addAll(refused[i] == null ? calls.get(i) : List.of());
            }
        }
        Map<Integer, Amount> demands = sums(left);
        Savepoint before = demands.keySet().stream().anyMatch(this::drops) ? connection.setSavepoint() : null;
        Map<Integer, Map<Integer, Amount>> capacities = new HashMap<>();
        Map<Integer, Amount> dropped = new HashMap<>();
        for (int queue : demands.keySet()) {
            capacities.put(queue, capacities(queue, left, dropped));
        }
        boolean refuses = false;
        for (int i = 0; i < refused.length; i++) {
            if (refused[i] == null) {
                refused[i] = full(calls.get(i), capacities);
                refuses |= refused[i] != null;
            }
        }
        if (refuses && !dropped.isEmpty()) {
            connection.rollback(before);
            return false;
        }
        dropped.forEach((queue, amount) -> changes.dropped(queue, amount.messages, amount.bytes));
        return true;
    }

    private boolean drops(int queue) {
        return rooms.containsKey(queue) && rooms.get(queue).limits.drops() && !rooms.get(queue).taken;
    }

    /** @return the queue that never has room for all of it, or null */
    private Full tooLarge(List<Arrival> arrivals) {
        for (Map.Entry<Integer, Amount> sum : sums(arrivals).entrySet()) {
            Room room = rooms.get(sum.getKey());
            if (room != null && (sum.getValue().messages > room.limits.messagesMax()
                    || sum.getValue().bytes > room.limits.bytesMax())) {
                return new Full(sum.getKey(), room.limits);
            }
        }
        return null;
    }

    /** @return what may come into the queue, by priority; higher ones drop messages first */
    private Map<Integer, Amount> capacities(int queue, List<Arrival> arrivals, Map<Integer, Amount> dropped)
            throws SQLException {
        Map<Integer, Amount> byPriority = new TreeMap<>();
        Room room = rooms.get(queue);
        Amount free = new Amount();
        if (room == null || room.taken) {
            free.add(Long.MAX_VALUE, Long.MAX_VALUE);
        } else {
            free.add(Math.max(0, room.free.messages), Math.max(0, room.free.bytes));
        }
        for (int priority = 10; priority > 0; priority--) {
            int one = priority;
            Amount demand = sums(arrivals.stream().filter(a -> a.queue == queue && a.priority == one).toList())
                    .getOrDefault(queue, new Amount());
            if (drops(queue)) {
                if (!free.has(demand)) {
                    Amount gone = drop(connection, queue, demand.messages - free.messages, demand.bytes - free.bytes,
                            priority);
                    free.add(gone.messages, gone.bytes);
                    if (gone.messages > 0) {
                        dropped.computeIfAbsent(queue, id -> new Amount()).add(gone.messages, gone.bytes);
                    }
                }
                Amount capacity = new Amount();
                capacity.add(Math.min(demand.messages, free.messages), Math.min(demand.bytes, free.bytes));
                free.add(-capacity.messages, -capacity.bytes);
                byPriority.put(priority, capacity);
            } else {
                byPriority.put(priority, free);
            }
        }
        return byPriority;
    }

    /** Drops messages of any priority, at least so many and so many bytes if there are, and records them. */
    public static void drop(Connection connection, Changes changes, int queue, long messages, long bytes)
            throws SQLException {
        Amount gone = drop(connection, queue, messages, bytes, 10);
        changes.dropped(queue, gone.messages, gone.bytes);
    }

    private static Amount drop(Connection connection, int queue, long messages, long bytes, int highest)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(DROP)) {
            statement.setInt(1, queue);
            statement.setLong(2, Math.max(0, messages));
            statement.setLong(3, Math.max(0, bytes));
            statement.setInt(4, highest);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                Amount gone = new Amount();
                gone.add(row.getLong(1), row.getLong(2));
                return gone;
            }
        }
    }

    /** Takes what the call stores out of the capacities. @return the queue that has too little, or null */
    private Full full(List<Arrival> arrivals, Map<Integer, Map<Integer, Amount>> capacities) {
        List<Arrival> in = new ArrayList<>();
        Full full = null;
        for (Arrival arrival : arrivals) {
            Amount capacity = capacities.get(arrival.queue).get(arrival.priority);
            capacity.add(-1, -arrival.bytes);
            in.add(arrival);
            if (capacity.messages < 0 || capacity.bytes < 0) {
                full = new Full(arrival.queue, rooms.get(arrival.queue).limits);
                break;
            }
        }
        if (full != null) {
            in.forEach(arrival -> capacities.get(arrival.queue).get(arrival.priority).add(1, arrival.bytes));
        }
        return full;
    }

    /** Writes what comes in, less what was taken before. */
    private void settle(List<List<Arrival>> calls, Full[] refused, Map<Integer, Amount> wanted) throws SQLException {
        List<Arrival> in = new ArrayList<>();
        for (int i = 0; i < refused.length; i++) {
            in.addAll(refused[i] == null ? calls.get(i) : List.of());
        }
        Map<Integer, Amount> differences = sums(in);
        wanted.forEach((queue, amount) -> {
            if (rooms.containsKey(queue) && rooms.get(queue).taken) {
                differences.computeIfAbsent(queue, id -> new Amount()).add(-amount.messages, -amount.bytes);
            }
        });
        differences.values().removeIf(amount -> amount.messages == 0 && amount.bytes == 0);
        if (!differences.isEmpty()) {
            try (PreparedStatement statement = connection.prepareStatement(SETTLE)) {
                bind(statement, differences);
                statement.executeUpdate();
            }
        }
    }
}
