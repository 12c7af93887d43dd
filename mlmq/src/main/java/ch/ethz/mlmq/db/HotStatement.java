package ch.ethz.mlmq.db;

import ch.ethz.mlmq.db.BatchPlan.Phase;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * All takes and sends of some phases as one round trip: a guard, then for each phase a DELETE for its takes and an
 * INSERT for its sends.
 *
 * <p>The guard's shared lock keeps a queue from being deleted between the look whether it exists and the commit; whoever
 * deletes a queue holds it exclusively. Taking skips what others have locked, so that brokers never wait for one another
 * and never hand out the same message. After a DELETE one more look tells which of its queues are not plain (any more):
 * a call that got nothing from one of those is executed again, by itself.
 */
final class HotStatement {
    /** Key of the lock between those who change messages (shared) and those who delete or recount queues (exclusive). */
    static final long LOCK = 0x6d6c6d71;
    static final String GUARD =
            "SELECT pg_advisory_xact_lock_shared(" + LOCK + "), pg_current_xact_id()::text::bigint";

    private static final String TAKE = "DELETE FROM message WHERE ctid = ANY (ARRAY("
            + "SELECT x.ctid FROM unnest(?::int[], ?::int[]) AS d(queue_id, n), LATERAL ("
            + "SELECT m.ctid FROM message m WHERE m.queue_id = d.queue_id AND m.receiver_id = 0 "
            + "ORDER BY m.prio DESC, m.id LIMIT d.n FOR UPDATE SKIP LOCKED) x "
            + "WHERE (SELECT NOT q.addressed AND NOT q.deleted FROM queue q WHERE q.id = d.queue_id))) "
            + "RETURNING id, queue_id, sender_id, prio, context, sent_ms, deliveries, content";
    private static final String NOT_PLAIN = "SELECT d.queue_id, COALESCE(q.addressed AND NOT q.deleted, false) "
            + "FROM unnest(?::int[]) AS d(queue_id) LEFT JOIN queue q ON q.id = d.queue_id "
            + "WHERE q.id IS NULL OR q.addressed OR q.deleted";
    private static final String SEND = "INSERT INTO message (queue_id, sender_id, prio, context, content, sent_ms) "
            + "SELECT d.queue_id, d.sender_id, d.prio, d.context, d.content, ? "
            + "FROM unnest(?::int[], ?::int[], ?::int2[], ?::int8[], ?::bytea[]) "
            + "AS d(queue_id, sender_id, prio, context, content) "
            + "WHERE (SELECT NOT q.deleted FROM queue q WHERE q.id = d.queue_id) RETURNING queue_id";

    private static final Comparator<Message> ORDER = Comparator.comparingInt(Message::queue)
            .thenComparing(Comparator.comparingInt(Message::priority).reversed()).thenComparingLong(Message::id);
    private static final Comparator<Call> BY_QUEUE = Comparator.comparingInt(call -> call.queue);

    private final QueueDirectory directory;
    private final List<Phase> phases;
    private final List<Call> again = new ArrayList<>(0);
    private long transaction;

    HotStatement(QueueDirectory directory, List<Phase> phases) {
        this.directory = directory;
        this.phases = phases;
    }

    /** Executes and answers all calls, except those of {@link #again}. */
    void execute(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql())) {
            bind(statement);
            statement.execute();
            try (ResultSet rows = statement.getResultSet()) {
                rows.next();
                transaction = rows.getLong(2);
            }
            for (Phase phase : phases) {
                if (!phase.takes.isEmpty()) {
                    statement.getMoreResults();
                    List<Message> taken = taken(statement.getResultSet(), phase.takes.size());
                    statement.getMoreResults();
                    handOut(phase.takes, taken, statement.getResultSet());
                }
                if (!phase.sends.isEmpty()) {
                    statement.getMoreResults();
                    acknowledge(phase.sends, statement.getResultSet());
                }
            }
        }
    }

    /** @return calls that found their queue not plain any more: to be executed singly */
    List<Call> again() {
        return again;
    }

    /** @return id of the transaction, as PostgreSQL counts them */
    long transaction() {
        return transaction;
    }

    private String sql() {
        StringBuilder sql = new StringBuilder(GUARD);
        for (Phase phase : phases) {
            if (!phase.takes.isEmpty()) {
                sql.append(';').append(TAKE).append(';').append(NOT_PLAIN);
            }
            if (!phase.sends.isEmpty()) {
                sql.append(';').append(SEND);
            }
        }
        return sql.toString();
    }

    private void bind(PreparedStatement statement) throws SQLException {
        int at = 1;
        for (Phase phase : phases) {
            if (!phase.takes.isEmpty()) {
                at = bindTakes(statement, at, phase.takes);
            }
            if (!phase.sends.isEmpty()) {
                at = bindSends(statement, at, phase.sends);
            }
        }
    }

    private static int bindTakes(PreparedStatement statement, int at, List<Call> takes) throws SQLException {
        takes.sort(BY_QUEUE);
        int[] queues = takes.stream().mapToInt(call -> call.queue).distinct().toArray();
        int[] counts = new int[queues.length];
        int run = 0;
        for (Call call : takes) {
            run += queues[run] == call.queue ? 0 : 1;
            counts[run]++;
        }
        statement.setObject(at, queues);
        statement.setObject(at + 1, counts);
        statement.setObject(at + 2, queues);
        return at + 3;
    }

    private static int bindSends(PreparedStatement statement, int at, List<Call> sends) throws SQLException {
        int size = sends.size();
        int[] queues = new int[size];
        int[] senders = new int[size];
        short[] priorities = new short[size];
        long[] contexts = new long[size];
        byte[][] contents = new byte[size][];
        for (int i = 0; i < size; i++) {
            Call call = sends.get(i);
            queues[i] = call.queue;
            senders[i] = call.client();
            priorities[i] = (short) Sends.priority(call.request());
            contexts[i] = call.context;
            contents[i] = Sends.content(call.request());
        }
        statement.setLong(at, System.currentTimeMillis());
        statement.setObject(at + 1, queues);
        statement.setObject(at + 2, senders);
        statement.setObject(at + 3, priorities);
        statement.setObject(at + 4, contexts);
        statement.setObject(at + 5, contents);
        return at + 6;
    }

    private List<Message> taken(ResultSet rows, int atMost) throws SQLException {
        List<Message> messages = new ArrayList<>(atMost);
        while (rows.next()) {
            int queue = rows.getInt(2);
            messages.add(new Message(rows.getLong(1), queue, rows.getInt(3), directory.ownerOf(queue),
                    rows.getInt(4), rows.getLong(5), rows.getLong(6), rows.getInt(7) + 1, 0, rows.getBytes(8)));
        }
        messages.sort(ORDER);
        return messages;
    }

    /** Both lists are sorted by queue; within one, the first to ask gets the first in order. */
    private void handOut(List<Call> takes, List<Message> messages, ResultSet notPlain) throws SQLException {
        int next = 0;
        boolean missed = false;
        for (Call call : takes) {
            if (next < messages.size() && messages.get(next).queue() == call.queue) {
                call.answer(new Response.Delivery(messages.get(next++)));
            } else {
                call.answer(Response.Delivery.NONE);
                missed = true;
            }
        }
        while (missed && notPlain.next()) {
            missedIn(notPlain.getInt(1), notPlain.getBoolean(2), takes);
        }
    }

    private void missedIn(int queue, boolean addressed, List<Call> takes) {
        if (addressed) {
            directory.learnQueue(queue, directory.ownerOf(queue), true);
        } else {
            directory.forgetQueue(queue);
        }
        for (Call call : takes) {
            if (call.queue == queue && call.response() == Response.Delivery.NONE) {
                if (addressed) {
                    again.add(call);
                } else {
                    call.answer(Failures.noQueue(queue));
                }
            }
        }
    }

    private void acknowledge(List<Call> sends, ResultSet rows) throws SQLException {
        int stored = 0;
        Set<Integer> queues = new HashSet<>();
        while (rows.next()) {
            stored++;
            queues.add(rows.getInt(1));
        }
        for (Call call : sends) {
            if (stored == sends.size() || queues.contains(call.queue)) {
                call.answer(call.request() instanceof Request.SendRequestToClient
                        ? new Response.ContextAssigned(call.context) : Response.Done.INSTANCE);
            } else {
                directory.forgetQueue(call.queue);
                call.answer(Failures.noQueue(call.queue));
            }
        }
    }
}
