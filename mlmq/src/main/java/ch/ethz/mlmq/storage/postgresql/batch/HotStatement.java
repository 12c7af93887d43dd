package ch.ethz.mlmq.storage.postgresql.batch;

import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.storage.Failures;
import ch.ethz.mlmq.storage.postgresql.batch.BatchPlan.Phase;
import ch.ethz.mlmq.storage.postgresql.operation.Deliveries;
import ch.ethz.mlmq.storage.postgresql.operation.LowerBounds;
import ch.ethz.mlmq.storage.postgresql.operation.QueueDirectory;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * All takes and sends of some phases as one round trip: a guard, then for each phase one statement, which removes what
 * its takes get and stores its sends.
 *
 * <p>The guard's shared lock keeps a queue from being deleted between the look whether it exists and the commit;
 * whoever deletes a queue holds it exclusively. Taking skips what others have locked, so that brokers never wait for
 * one another and never hand out the same message.
 */
final class HotStatement {
    private static final Comparator<Message> ORDER = Comparator.comparingInt(Message::queue)
            .thenComparing(Comparator.comparingInt(Message::priority).reversed()).thenComparingLong(Message::id);
    private static final Comparator<PlannedCall> BY_QUEUE = Comparator.comparingInt(call -> call.queue);

    private final QueueDirectory directory;
    private final List<Phase> phases;
    private final LowerBounds bounds;
    private final boolean bounded;
    private final List<Message> taken = new ArrayList<>();
    private long transaction;

    HotStatement(QueueDirectory directory, List<Phase> phases, LowerBounds bounds) {
        this.directory = directory;
        this.phases = phases;
        this.bounds = bounds;
        this.bounded = bounds.isInUse();
    }

    /** Executes and answers all calls. */
    void execute(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(HotSql.text(phases, bounded))) {
            bind(statement);
            statement.execute();
            try (ResultSet rows = statement.getResultSet()) {
                rows.next();
                transaction = rows.getLong(1);
            }
            for (Phase phase : phases) {
                if (!phase.takes.isEmpty() || !phase.sends.isEmpty()) {
                    statement.getMoreResults();
                    answer(phase, statement.getResultSet());
                }
            }
        }
    }

    /** @return id of the transaction, as PostgreSQL counts them */
    long transaction() {
        return transaction;
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

    private int bindTakes(PreparedStatement statement, int at, List<PlannedCall> takes) throws SQLException {
        takes.sort(BY_QUEUE);
        int[] queues = new int[takes.size()];
        int[] counts = new int[takes.size()];
        int run = -1;
        for (PlannedCall call : takes) {
            if (run < 0 || queues[run] != call.queue) {
                queues[++run] = call.queue;
            }
            counts[run]++;
        }
        int[] asked = Arrays.copyOf(queues, run + 1);
        statement.setObject(at, asked);
        statement.setObject(at + 1, Arrays.copyOf(counts, run + 1));
        if (!bounded) {
            return at + 2;
        }
        LowerBounds.Reading reading = bounds.of(asked);
        statement.setLong(at + 2, reading.generation());
        statement.setObject(at + 3, reading.bounds());
        return at + 4;
    }

    private static int bindSends(PreparedStatement statement, int at, List<PlannedCall> sends) throws SQLException {
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
        statement.setLong(at + 5, System.currentTimeMillis());
        return at + 6;
    }

    private void answer(Phase phase, ResultSet rows) throws SQLException {
        List<int[]> gone = read(rows);
        handOut(phase.takes);
        for (PlannedCall call : phase.sends) {
            call.answer(call.request() instanceof Request.SendRequestToClient
                    ? new Response.ContextAssigned(call.context) : Response.Done.INSTANCE);
        }
        for (int[] queue : gone) {
            gone(queue[1] == HotSql.NOTHING_TO_SEND_TO ? phase.sends : phase.takes, queue[0]);
        }
    }

    /** @return queues that are gone, and for whom */
    private List<int[]> read(ResultSet rows) throws SQLException {
        List<int[]> gone = List.of();
        taken.clear();
        while (rows.next()) {
            long id = rows.getLong(1);
            int queue = rows.getInt(2);
            int priority = rows.getInt(4);
            if (id == 0) {
                gone = gone.isEmpty() ? new ArrayList<>() : gone;
                gone.add(new int[] {queue, priority});
            } else {
                Message.Envelope envelope = new Message.Envelope(
                        rows.getInt(3), directory.ownerOf(queue), priority, rows.getLong(5), rows.getLong(6));
                taken.add(new Message(id, queue, envelope,
                        new Message.Delivery(Deliveries.next(rows.getInt(7))), rows.getBytes(8)));
            }
        }
        taken.sort(ORDER);
        return gone;
    }

    /** Both lists are sorted by queue; within one, the first to ask gets the first in order. */
    private void handOut(List<PlannedCall> takes) {
        int next = 0;
        for (PlannedCall call : takes) {
            call.answer(next < taken.size() && taken.get(next).queue() == call.queue
                    ? new Response.Delivery(taken.get(next++)) : Response.Delivery.NONE);
        }
    }

    private void gone(List<PlannedCall> calls, int queue) {
        directory.forgetQueue(queue);
        for (PlannedCall call : calls) {
            if (call.queue == queue) {
                call.answer(Failures.noQueue(queue));
            }
        }
    }
}
