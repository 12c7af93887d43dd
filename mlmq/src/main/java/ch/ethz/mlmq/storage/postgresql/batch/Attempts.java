package ch.ethz.mlmq.storage.postgresql.batch;

import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.storage.Failures;
import ch.ethz.mlmq.storage.postgresql.connection.SqlStates;
import ch.ethz.mlmq.storage.postgresql.operation.CallFailedException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Decides which calls of a batch are executed together, in which order, and again after a failed transaction.
 *
 * <p>A batch is executed part by part, and a part in one mode after the other. A failed part has had no effect, so it
 * may be executed again; a part that succeeded is never repeated.
 */
final class Attempts {
    /** Repetitions after deadlocks in one batch; PostgreSQL needs a second (deadlock_timeout) to detect each. */
    private static final int DEADLOCKS = 4;

    private final Transactions transactions;
    private final Duration patience;
    /** Remaining parts, the next one first. */
    private final Deque<Part> parts = new ArrayDeque<>();
    private long holdUntilNanos;
    private int deadlocks;

    /** Mode in which a part is executed, which decides the consequence of a failure. */
    enum Mode {
        /** All calls in one transaction; if a request is the reason of its failure, {@link #ONE_BY_ONE} follows. */
        TOGETHER,
        /** Each call in its own transaction, so that a call that cannot succeed fails alone. */
        ONE_BY_ONE,
        /** All calls except the one that took too long; a second such call is not awaited. */
        ONCE_MORE,
        /** Takes the lock of the messages exclusively for a short time, and repeats it if the time was too short. */
        HOLDING
    }

    private record Part(Mode mode, List<PlannedCall> calls) {
        Part from(int count) {
            return new Part(mode, calls.subList(count, calls.size()));
        }
    }

    /**
     * Outcome of a transaction.
     *
     * @param count   number of calls that it executed, from the first on: as many as a plan holds
     * @param failure why it had no effect, or null
     */
    record Outcome(int count, SQLException failure) {
    }

    /** The transactions of the database that this class needs. */
    interface Transactions {
        /** Decides how the call is executed now. */
        void classify(PlannedCall call);

        /** @return waiting calls for which this one stores a message; they join the batch, behind its calls */
        List<PlannedCall> joining(PlannedCall call);

        /** Executes the first of the calls in one transaction, and gives them their responses if it succeeds. */
        Outcome execute(List<PlannedCall> calls);

        /** @return true if the failure shows that the calls were classified wrongly; they are classified again then */
        boolean isClassifiedAnew(List<PlannedCall> calls, SQLException failure);

        /** @return true if the connection is unusable */
        boolean isBroken();

        /** Waits before the lock of the messages is taken again. */
        void pause();

        /** Gives the response to those of the calls that have none. */
        void fail(List<PlannedCall> calls, SQLException failure, Response answer);
    }

    /** @param patience time for which it tries to take the lock of the messages */
    Attempts(Transactions transactions, Duration patience) {
        this.transactions = transactions;
        this.patience = patience;
    }

    /**
     * Executes all calls, and those that join them. One that needs its own transaction ends the part before it, which
     * keeps the order.
     */
    void execute(List<PlannedCall> batch) {
        List<PlannedCall> calls = new ArrayList<>(batch);
        int from = 0;
        for (int i = 0; i < calls.size(); i++) {
            transactions.classify(calls.get(i));
            calls.addAll(transactions.joining(calls.get(i)));
            if (calls.get(i).kind == CallKind.ALONE) {
                execute(new Part(Mode.TOGETHER, calls.subList(from, i)));
                holdUntilNanos = System.nanoTime() + patience.toNanos();
                execute(new Part(Mode.HOLDING, calls.subList(i, i + 1)));
                from = i + 1;
            }
        }
        execute(new Part(Mode.TOGETHER, calls.subList(from, calls.size())));
    }

    private void execute(Part first) {
        next(first);
        while (!parts.isEmpty()) {
            Part part = parts.pop();
            List<PlannedCall> calls = part.mode == Mode.ONE_BY_ONE ? part.calls.subList(0, 1) : part.calls;
            if (part.mode != Mode.TOGETHER) {
                calls.forEach(transactions::classify);
            }
            Outcome outcome = transactions.execute(calls);
            List<PlannedCall> executed = part.calls.subList(0, outcome.count);
            if (outcome.failure == null) {
                next(part.from(outcome.count));
            } else if (transactions.isClassifiedAnew(executed, outcome.failure)) {
                next(part);
            } else {
                failed(part, executed, outcome.failure);
            }
        }
    }

    private void failed(Part part, List<PlannedCall> executed, SQLException failure) {
        switch (part.mode) {
            case TOGETHER -> {
                next(part.from(executed.size()));
                failedTogether(executed, failure);
            }
            case ONE_BY_ONE -> {
                if (SqlStates.isOfARequest(failure)) {
                    next(part.from(1));
                    failedAlone(executed, failure);
                } else {
                    fail(part.calls, failure);
                }
            }
            case ONCE_MORE -> fail(part.calls, failure);
            case HOLDING -> failedToHold(part, failure);
        }
    }

    private void failedToHold(Part part, SQLException failure) {
        if (!SqlStates.isLockTimeout(failure)) {
            fail(part.calls, failure);
        } else if (transactions.isBroken() || System.nanoTime() - holdUntilNanos >= 0) {
            transactions.fail(part.calls, failure, Failures.messagesAreBeingStored(patience));
        } else {
            transactions.pause();
            next(part);
        }
    }

    private void fail(List<PlannedCall> calls, SQLException failure) {
        transactions.fail(calls, failure, Failures.databaseFailed(failure));
    }

    /** Repeats a call that PostgreSQL ended because of a deadlock: the other transaction has continued. */
    private void failedAlone(List<PlannedCall> call, SQLException failure) {
        if (SqlStates.isDeadlock(failure) && deadlocks < DEADLOCKS) {
            deadlocks++;
            next(new Part(Mode.ONE_BY_ONE, call));
        } else {
            fail(call, failure);
        }
    }

    private void failedTogether(List<PlannedCall> calls, SQLException failure) {
        if (transactions.isBroken()) {
            fail(calls, failure);
        } else if (calls.size() == 1) {
            failedAlone(calls, failure);
        } else if (SqlStates.isOfARequest(failure)) {
            next(new Part(Mode.ONE_BY_ONE, calls));
        } else if (failure instanceof RoomLockedException) {
            fail(calls.stream().filter(call -> !call.arrivals.isEmpty()).toList(), failure);
            next(new Part(Mode.TOGETHER, calls.stream().filter(call -> call.arrivals.isEmpty()).toList()));
        } else if (SqlStates.isTimeout(failure) && failure instanceof CallFailedException culprit) {
            fail(calls.stream().filter(call -> call.call == culprit.call()).toList(), failure);
            next(new Part(Mode.ONCE_MORE, calls.stream().filter(call -> call.call != culprit.call()).toList()));
        } else if (SqlStates.isTimeout(failure) && calls.stream().anyMatch(call -> call.kind == CallKind.ACKNOWLEDGE)) {
            // The statement of all does not tell which acknowledgement waits for a lock.
            calls.stream().filter(call -> call.kind == CallKind.ACKNOWLEDGE).forEach(PlannedCall::setApart);
            calls.forEach(transactions::classify);
            next(new Part(Mode.TOGETHER, calls));
        } else {
            fail(calls, failure);
        }
    }

    private void next(Part part) {
        if (!part.calls.isEmpty()) {
            parts.push(part);
        }
    }
}
