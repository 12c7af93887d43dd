package ch.ethz.mlmq.storage.postgresql.batch;

import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.storage.Call;
import ch.ethz.mlmq.storage.WaitingCalls;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import ch.ethz.mlmq.storage.postgresql.connection.OpenTransaction;
import ch.ethz.mlmq.storage.postgresql.connection.SqlStates;
import ch.ethz.mlmq.storage.postgresql.operation.Changes;
import ch.ethz.mlmq.storage.postgresql.operation.LowWaterMarks;
import ch.ethz.mlmq.storage.postgresql.operation.QueueDirectory;
import ch.ethz.mlmq.storage.postgresql.operation.SingleCalls;
import ch.ethz.mlmq.storage.postgresql.operation.TopicDirectory;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Executes batches of calls on pooled connections, as {@link Attempts} decides. Used by many threads.
 *
 * <p>The calls of a batch share a transaction. If it fails, each of them is executed again in a transaction of its own,
 * so that a call that cannot succeed fails alone.
 */
public final class BatchExecutor {
    private static final Logger LOG = Logger.getLogger(BatchExecutor.class.getName());
    /**
     * Pause between exclusive locks of the messages, which stop other transactions; they take at most a fifth of the
     * time.
     */
    private static final long BETWEEN_HOLDS_NANOS = 400_000_000;

    private final QueueDirectory directory;
    private final Classifier classifier;
    private final PlanExecution plans;
    private final FailedCalls failures;
    private final Duration timeout;
    private final Witness witness;

    /** Is notified of the outcomes of transactions. */
    public interface Witness {
        /** Reports a committed transaction. */
        void committed(Changes changes);

        /** Reports a failure of the server or the connection. */
        void failed(Connection connection, SQLException failure);
    }

    /** @param timeout time for which a call may wait for the exclusive lock of the messages */
    public BatchExecutor(DatabaseAddress address, QueueDirectory directory, TopicDirectory topics,
            LowWaterMarks bounds, SingleCalls singles, Duration timeout, Witness witness) {
        this.directory = directory;
        this.classifier = new Classifier(directory, topics, new ContextSource());
        this.plans = new PlanExecution(address, directory, bounds, singles);
        this.failures = new FailedCalls(address);
        this.timeout = timeout;
        this.witness = witness;
    }

    /**
     * Executes all calls and sets their responses.
     *
     * @param waiting calls that are executed with those that store a message for them
     * @throws SQLException if none of them was executed
     */
    public void execute(Connection connection, List<Call> calls, WaitingCalls waiting) throws SQLException {
        List<PlannedCall> planned = calls.stream().map(PlannedCall::new).toList();
        classifier.prepare(connection, planned);
        new Attempts(new OnConnection(connection, waiting), timeout).execute(planned);
    }

    /** Sets a failure of the database on those of the calls that have no response. */
    public void fail(List<Call> calls, SQLException failure) {
        failures.fail(calls, failure);
    }

    /** Transactions on a connection of the pool. */
    private final class OnConnection implements Attempts.Transactions {
        private final Connection connection;
        private final WaitingCalls waiting;

        private OnConnection(Connection connection, WaitingCalls waiting) {
            this.connection = connection;
            this.waiting = waiting;
        }

        @Override
        public void classify(PlannedCall call) {
            classifier.classify(call);
        }

        @Override
        public List<PlannedCall> joining(PlannedCall call) {
            List<PlannedCall> joining = new ArrayList<>();
            if (call.kind == CallKind.SEND) {
                join(joining, call.queue);
            } else if (call.kind == CallKind.PUBLISH) {
                Arrays.stream(call.copies).forEach(queue -> join(joining, queue));
            }
            return joining;
        }

        private void join(List<PlannedCall> joining, int queue) {
            // A take that waits was executed before, and its queue is known since.
            Call next = directory.queue(queue) == null ? null : waiting.next(queue);
            if (next != null) {
                long now = System.nanoTime();
                next.pooled(now, now);
                joining.add(PlannedCall.joining(next));
            }
        }

        @Override
        public Attempts.Outcome execute(List<PlannedCall> calls) {
            BatchPlan plan = new BatchPlan();
            int count = plan.addAll(calls);
            return new Attempts.Outcome(count, attempt(plan, calls.subList(0, count)));
        }

        /** @return why it had no effect, or null if the calls have their responses */
        private SQLException attempt(BatchPlan plan, List<PlannedCall> calls) {
            long start = System.nanoTime();
            Changes changes = null;
            SQLException failure = null;
            try {
                changes = plan.rounds().isEmpty() ? null : plans.execute(connection, plan);
            } catch (SQLException e) {
                failure = e;
                witness.failed(connection, e);
            } catch (RuntimeException e) {
                LOG.log(Level.SEVERE, e, () -> "a batch failed: " + e);
                failure = new SQLException("the broker failed: " + e, e);
            }
            long end = System.nanoTime();
            for (PlannedCall planned : calls) {
                if (planned.kind != CallKind.ANSWERED) {
                    planned.call.transacted(start, end);
                    if (failure != null) {
                        planned.call.forgetAnswer();
                    }
                }
            }
            if (changes != null) {
                plans.note(plan, changes);
                witness.committed(changes);
            }
            return failure;
        }

        /**
         * True if another broker has sent a message with a receiver to a queue that these calls considered a plain one,
         * or if the subscriptions of a topic have changed.
         */
        @Override
        public boolean isClassifiedAnew(List<PlannedCall> calls, SQLException failure) {
            int topic = SqlStates.staleTopic(failure);
            if (topic != 0) {
                return isLearnt(topic, calls);
            }
            int queue = SqlStates.addressedQueue(failure);
            if (queue == 0 || calls.stream().noneMatch(call ->
                    (call.kind == CallKind.TAKE || call.kind == CallKind.LEASE) && call.queue == queue)) {
                return false;
            }
            directory.learnQueue(queue, directory.ownerOf(queue), true);
            calls.forEach(classifier::classify);
            return true;
        }

        /** A batch that changes the topic itself is executed call by call. */
        private boolean isLearnt(int topic, List<PlannedCall> calls) {
            if (calls.size() > 1 && calls.stream().anyMatch(call -> call.kind == CallKind.SINGLE
                    && !(call.request() instanceof TopicRequest.Publish)
                    && (call.request() instanceof TopicRequest || call.request() instanceof Request.DeleteQueue))) {
                return false;
            }
            try {
                classifier.learn(connection, topic, calls);
            } catch (SQLException e) {
                witness.failed(connection, e);
                return false;
            }
            calls.forEach(classifier::classify);
            return true;
        }

        @Override
        public boolean isBroken() {
            return OpenTransaction.isBroken(connection);
        }

        @Override
        public void pause() {
            LockSupport.parkNanos(BETWEEN_HOLDS_NANOS);
        }

        @Override
        public void fail(List<PlannedCall> calls, SQLException failure, Response answer) {
            failures.fail(calls.stream().map(planned -> planned.call).toList(), failure, answer);
        }
    }
}
