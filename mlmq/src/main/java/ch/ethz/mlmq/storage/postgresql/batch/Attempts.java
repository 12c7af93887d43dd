package ch.ethz.mlmq.storage.postgresql.batch;

import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.storage.Failures;
import ch.ethz.mlmq.storage.postgresql.connection.SqlStates;
import ch.ethz.mlmq.storage.postgresql.operation.CallFailedException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Says which calls of a batch are executed together, in which order, and once more where a transaction failed.
 *
 * <p>A batch is executed part by part, and a part mode by mode. Nothing of a part that failed has happened, so it may
 * be executed again; a part that succeeded never is.
 */
final class Attempts {
    private final Transactions transactions;
    private final Duration patience;
    /** What is to be executed yet, the next part first. */
    private final Deque<Part> parts = new ArrayDeque<>();
    private long holdUntilNanos;

    /** How a part is executed, and what its failure leads to. */
    enum Mode {
        /** All in one transaction: where that fails for a reason of a request's, {@link #ONE_BY_ONE}. */
        TOGETHER,
        /** Each in a transaction of its own, so that a call that cannot succeed fails alone. */
        ONE_BY_ONE,
        /** All but the one that took too long: a second one is not waited for. */
        ONCE_MORE,
        /** Waits for the messages exclusively, a short time, and again where it was too short. */
        HOLDING
    }

    private record Part(Mode mode, List<PlannedCall> calls) {
        Part from(int count) {
            return new Part(mode, calls.subList(count, calls.size()));
        }
    }

    /**
     * What became of a transaction.
     *
     * @param count   calls that it executed, from the first on: as many as a plan holds
     * @param failure why nothing of it has happened, or null
     */
    record Outcome(int count, SQLException failure) {
    }

    /** The database, as this sees it. */
    interface Transactions {
        /** Decides how the call is executed now. */
        void classify(PlannedCall call);

        /** Executes the first of the calls in one transaction, and answers them where it succeeds. */
        Outcome execute(List<PlannedCall> calls);

        /** @return whether the failure says that the calls were classified wrongly; they are classified anew then */
        boolean isClassifiedAnew(List<PlannedCall> calls, SQLException failure);

        /** @return whether the connection is of no use any more */
        boolean isBroken();

        /** Waits before the messages are held again. */
        void pause();

        /** Gives the answer to those of the calls that have none. */
        void fail(List<PlannedCall> calls, SQLException failure, Response answer);
    }

    /** @param patience how long it is tried to hold the messages */
    Attempts(Transactions transactions, Duration patience) {
        this.transactions = transactions;
        this.patience = patience;
    }

    /** Answers all calls. One that needs a transaction of its own ends the one before it, so that order is kept. */
    void execute(List<PlannedCall> calls) {
        int from = 0;
        for (int i = 0; i < calls.size(); i++) {
            transactions.classify(calls.get(i));
            if (calls.get(i).step == Step.ALONE) {
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
                    fail(executed, failure);
                    next(part.from(1));
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

    private void failedTogether(List<PlannedCall> calls, SQLException failure) {
        if (calls.size() == 1 || transactions.isBroken()) {
            fail(calls, failure);
        } else if (SqlStates.isOfARequest(failure)) {
            next(new Part(Mode.ONE_BY_ONE, calls));
        } else if (SqlStates.isTimeout(failure) && failure instanceof CallFailedException culprit) {
            fail(calls.stream().filter(call -> call.call == culprit.call()).toList(), failure);
            next(new Part(Mode.ONCE_MORE, calls.stream().filter(call -> call.call != culprit.call()).toList()));
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
