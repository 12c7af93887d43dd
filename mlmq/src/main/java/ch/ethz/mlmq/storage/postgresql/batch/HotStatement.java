package ch.ethz.mlmq.storage.postgresql.batch;

import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageProperties;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.storage.Answers;
import ch.ethz.mlmq.storage.Failures;
import ch.ethz.mlmq.storage.Tokens;
import ch.ethz.mlmq.storage.postgresql.batch.BatchPlan.Round;
import ch.ethz.mlmq.storage.postgresql.operation.Deliveries;
import ch.ethz.mlmq.storage.postgresql.operation.LeaseOperations;
import ch.ethz.mlmq.storage.postgresql.operation.LowWaterMarks;
import ch.ethz.mlmq.storage.postgresql.operation.QueueDirectory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Executes all acknowledgements, takes and sends of some phases in one round trip: a guard, then for each phase one
 * statement, which ends leases, removes or leases what the takes get, and stores what is sent.
 *
 * <p>The guard's shared lock prevents the deletion of a queue between the check that it exists and the commit; a
 * deletion takes the lock exclusively. Takes skip rows that others have locked, so brokers never wait for one another
 * and never deliver the same message twice.
 */
final class HotStatement {
    private static final Comparator<Message> ORDER = Comparator.comparingInt(Message::queue)
            .thenComparing(Comparator.comparingInt(Message::priority).reversed()).thenComparingLong(Message::id);
    private static final Comparator<PlannedCall> BY_QUEUE = Comparator.comparingInt(call -> call.queue);

    private final QueueDirectory directory;
    private final List<Round> rounds;
    private final LowWaterMarks bounds;
    private final boolean bounded;
    private final List<Message> taken = new ArrayList<>();
    private final List<Message> leased = new ArrayList<>();
    /** Tokens of the leases that have ended, by their message. */
    private final Map<Long, Long> ended = new HashMap<>();
    private long transaction;

    HotStatement(QueueDirectory directory, List<Round> rounds, LowWaterMarks bounds) {
        this.directory = directory;
        this.rounds = rounds;
        this.bounds = bounds;
        this.bounded = bounds.isInUse();
    }

    /** Executes all calls and sets their responses. */
    void execute(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(HotSql.text(rounds, bounded))) {
            bind(statement);
            statement.execute();
            try (ResultSet rows = statement.getResultSet()) {
                rows.next();
                transaction = rows.getLong(1);
            }
            for (Round round : rounds) {
                if (round.isHot()) {
                    statement.getMoreResults();
                    answer(round, statement.getResultSet());
                }
            }
        }
    }

    /** @return id of the transaction in PostgreSQL */
    long transaction() {
        return transaction;
    }

    private void bind(PreparedStatement statement) throws SQLException {
        int at = 1;
        for (Round round : rounds) {
            if (!round.acknowledgements.isEmpty()) {
                at = bindAcknowledgements(statement, at, round.acknowledgements);
            }
            if (!round.takes.isEmpty()) {
                at = bindTakes(statement, at, round);
            }
            if (!round.leases.isEmpty()) {
                at = bindLeases(statement, at, round);
            }
            if (!round.sends.isEmpty()) {
                at = bindSends(statement, at, round);
            }
            if (!round.publishes.isEmpty()) {
                at = PublishedRows.bind(statement, at, round.publishes);
            }
        }
    }

    private static int bindAcknowledgements(PreparedStatement statement, int at, List<PlannedCall> calls)
            throws SQLException {
        LeaseOperations.bind(statement, at, calls.stream().flatMap(call -> call.leases().stream()).toList());
        return at + 2;
    }

    private int bindTakes(PreparedStatement statement, int at, Round round) throws SQLException {
        Asked asked = Asked.by(round.takes);
        statement.setObject(at, asked.queues);
        statement.setObject(at + 1, asked.counts);
        return bindBounds(statement, bindBytes(statement, at + 2, round, asked), asked);
    }

    private int bindLeases(PreparedStatement statement, int at, Round round) throws SQLException {
        Asked asked = Asked.by(round.leases);
        statement.setObject(at, asked.queues);
        statement.setObject(at + 1, asked.counts);
        statement.setObject(at + 2, asked.millis);
        int next = bindBounds(statement, bindBytes(statement, at + 3, round, asked), asked);
        statement.setObject(next, Tokens.ofLeases(Arrays.stream(asked.counts).sum()));
        return next + 1;
    }

    private static int bindBytes(PreparedStatement statement, int at, Round round, Asked asked) throws SQLException {
        if (!round.hasBulkTakes()) {
            return at;
        }
        statement.setObject(at, asked.bytes);
        return at + 1;
    }

    private int bindBounds(PreparedStatement statement, int at, Asked asked) throws SQLException {
        if (!bounded) {
            return at;
        }
        LowWaterMarks.Reading reading = bounds.of(asked.queues);
        statement.setLong(at, reading.generation());
        statement.setObject(at + 1, reading.bounds());
        return at + 2;
    }

    /**
     * The queues of takes, each once.
     *
     * @param counts number of requested messages of each queue
     * @param millis lease of these messages [ms], or 0
     * @param bytes  most bytes of these messages in the response to a bulk take
     */
    private record Asked(int[] queues, int[] counts, int[] millis, int[] bytes) {

        /** Sorts the takes by queue. */
        private static Asked by(List<PlannedCall> takes) {
            takes.sort(BY_QUEUE);
            int size = (int) takes.stream().mapToInt(call -> call.queue).distinct().count();
            Asked asked = new Asked(new int[size], new int[size], new int[size], new int[size]);
            int last = -1;
            for (PlannedCall call : takes) {
                if (last < 0 || asked.queues[last] != call.queue) {
                    asked.queues[++last] = call.queue;
                    asked.millis[last] = call.leaseMillis();
                    asked.bytes[last] = call.isBulkTake() ? call.call.answerMax() : Integer.MAX_VALUE;
                }
                asked.counts[last] += call.requestedMessages();
            }
            return asked;
        }
    }

    private static int bindSends(PreparedStatement statement, int at, Round round) throws SQLException {
        List<PlannedCall> sends = round.sends;
        int size = sends.size();
        int[] queues = new int[size];
        int[] senders = new int[size];
        short[] priorities = new short[size];
        long[] contexts = new long[size];
        byte[][] contents = new byte[size][];
        for (int i = 0; i < size; i++) {
            PlannedCall call = sends.get(i);
            queues[i] = call.queue;
            senders[i] = call.call.client();
            Request.Send send = (Request.Send) call.request();
            priorities[i] = (short) send.priority();
            contexts[i] = call.context;
            contents[i] = send.content();
        }
        statement.setObject(at, queues);
        statement.setObject(at + 1, senders);
        statement.setObject(at + 2, priorities);
        statement.setObject(at + 3, contexts);
        statement.setObject(at + 4, contents);
        int next = at + 5;
        if (round.hasProperties()) {
            statement.setObject(next++, stored(sends));
        }
        statement.setLong(next, System.currentTimeMillis());
        return next + 1;
    }

    private static byte[][] stored(List<PlannedCall> sends) {
        return sends.stream().map(call -> call.properties().stored()).toArray(byte[][]::new);
    }

    private void answer(Round round, ResultSet rows) throws SQLException {
        List<int[]> gone = read(rows);
        handOut(taken, round.takes);
        handOut(leased, round.leases);
        round.acknowledgements.forEach(this::answerAcknowledgement);
        for (PlannedCall call : round.sends) {
            call.answer(call.request() instanceof Request.SendRequestToClient
                    ? new Response.ContextAssigned(call.context) : Response.Done.INSTANCE);
        }
        for (PlannedCall call : round.publishes) {
            call.answer(new Response.Published(call.copies.length));
        }
        for (int[] queue : gone) {
            directory.forgetQueue(queue[0]);
            if (queue[1] == HotSql.NOTHING_TO_SEND_TO) {
                gone(round.sends, queue[0]);
            } else {
                gone(round.takes, queue[0]);
                gone(round.leases, queue[0]);
            }
        }
    }

    /** @return deleted queues, each with the kind of call that needed it */
    private List<int[]> read(ResultSet rows) throws SQLException {
        List<int[]> gone = List.of();
        taken.clear();
        leased.clear();
        ended.clear();
        while (rows.next()) {
            long id = rows.getLong(1);
            int queue = rows.getInt(2);
            int priority = rows.getInt(4);
            long token = rows.getLong(10);
            if (priority == HotSql.ACKNOWLEDGED) {
                ended.put(id, token);
            } else if (id == 0) {
                gone = gone.isEmpty() ? new ArrayList<>() : gone;
                gone.add(new int[] {queue, priority});
            } else {
                Message.Envelope envelope = new Message.Envelope(
                        rows.getInt(3), directory.ownerOf(queue), priority, rows.getLong(5), rows.getLong(6),
                        MessageProperties.ofStored(rows.getBytes(9)));
                (token == 0 ? taken : leased).add(new Message(id, queue, envelope,
                        new Message.Delivery(Deliveries.next(rows.getInt(7)), token), rows.getBytes(8)));
            }
        }
        return gone;
    }

    private void answerAcknowledgement(PlannedCall call) {
        if (call.request() instanceof Request.OfLeases many) {
            call.answer(Answers.ofLeases(many, lease -> ended.remove(lease.message(), lease.token())));
        } else {
            Lease lease = call.leases().get(0);
            call.answer(ended.remove(lease.message(), lease.token()) ? Response.Done.INSTANCE
                    : Failures.unknownLease(lease.message()));
        }
    }

    /** The takes are sorted by queue; within one, the first to ask gets the first in order. */
    private static void handOut(List<Message> messages, List<PlannedCall> takes) {
        messages.sort(ORDER);
        int next = 0;
        for (PlannedCall call : takes) {
            int end = next;
            while (end < messages.size() && messages.get(end).queue() == call.queue
                    && end - next < call.requestedMessages()) {
                end++;
            }
            call.answer(delivery(call, List.copyOf(messages.subList(next, end))));
            next = end;
        }
    }

    private static Response delivery(PlannedCall call, List<Message> messages) {
        if (call.isBulkTake()) {
            return new Response.Deliveries(messages);
        }
        return messages.isEmpty() ? Response.Delivery.NONE : new Response.Delivery(messages.get(0));
    }

    private static void gone(List<PlannedCall> calls, int queue) {
        for (PlannedCall call : calls) {
            if (call.queue == queue) {
                call.answer(call.request() instanceof Request.SendToClient send ? Failures.noClient(send.client())
                        : Failures.noQueue(queue));
            }
        }
    }
}
