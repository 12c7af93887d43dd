package ch.ethz.mlmq.storage.postgresql.batch;

import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.storage.Answers;
import ch.ethz.mlmq.storage.Failures;
import ch.ethz.mlmq.storage.postgresql.connection.DatabaseAddress;
import ch.ethz.mlmq.storage.postgresql.connection.OpenTransaction;
import ch.ethz.mlmq.storage.postgresql.connection.SqlStates;
import ch.ethz.mlmq.storage.postgresql.operation.Changes;
import ch.ethz.mlmq.storage.postgresql.operation.LowWaterMarks;
import ch.ethz.mlmq.storage.postgresql.operation.QueueDirectory;
import ch.ethz.mlmq.storage.postgresql.operation.Rooms;
import ch.ethz.mlmq.storage.postgresql.operation.SharedLocks;
import ch.ethz.mlmq.storage.postgresql.operation.SingleCalls;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Executes plans, each in one transaction. Used by many threads. */
final class PlanExecution {
    private final DatabaseAddress address;
    private final QueueDirectory directory;
    private final LowWaterMarks bounds;
    private final SingleCalls singles;

    PlanExecution(DatabaseAddress address, QueueDirectory directory, LowWaterMarks bounds, SingleCalls singles) {
        this.address = address;
        this.directory = directory;
        this.bounds = bounds;
        this.singles = singles;
    }

    /**
     * Executes the plan, sets the responses of its calls, and commits. {@link #note} must follow.
     *
     * @return the changes, except those of takes and sends that share statements
     */
    Changes execute(Connection connection, BatchPlan plan) throws SQLException {
        return plan.fitsIntoOneTrip() ? atOnce(connection, plan) : inSteps(connection, plan);
    }

    /** Executes the plan in one round trip, which is a transaction by itself. */
    private Changes atOnce(Connection connection, BatchPlan plan) throws SQLException {
        HotStatement hot = new HotStatement(directory, plan.rounds(), bounds);
        hot.execute(connection);
        return new Changes(hot.transaction());
    }

    private Changes inSteps(Connection connection, BatchPlan plan) throws SQLException {
        connection.setAutoCommit(false);
        try {
            Changes changes = new Changes(plan.stores() ? SharedLocks.beginStoring(connection)
                    : SharedLocks.beginStoringNothing(connection));
            takeRoom(connection, plan, changes);
            singles.lockUsers(connection, plan.rounds().stream().flatMap(round -> round.singles.stream())
                    .map(planned -> planned.call).toList());
            for (BatchPlan.Round round : plan.rounds()) {
                if (round.isHot()) {
                    new HotStatement(directory, List.of(round), bounds).execute(connection);
                }
                for (PlannedCall planned : round.singles) {
                    if (planned.isApart()) {
                        singles.acknowledgeUnlocked(connection, planned.call, planned.leases());
                    } else {
                        singles.execute(connection, changes, planned.call);
                    }
                }
            }
            connection.commit();
            return changes;
        } finally {
            OpenTransaction.end(connection, address);
        }
    }

    /** Locks all queues with a limit of length at once, and leaves out what does not fit into them. */
    private static void takeRoom(Connection connection, BatchPlan plan, Changes changes) throws SQLException {
        if (plan.bounded().isEmpty()) {
            return;
        }
        List<PlannedCall> hot = plan.bounded().stream().filter(call -> call.kind != CallKind.SINGLE).toList();
        List<Rooms.Arrival> later = plan.bounded().stream().filter(call -> call.kind == CallKind.SINGLE)
                .flatMap(call -> call.arrivals.stream()).toList();
        try {
            Rooms.Full[] refused = Rooms.take(connection, changes,
                    hot.stream().map(call -> call.arrivals).toList(), later);
            for (int i = 0; i < refused.length; i++) {
                if (refused[i] != null) {
                    hot.get(i).answer(Failures.queueIsFull(refused[i].queue(), refused[i].limits()));
                    plan.leaveOut(hot.get(i));
                    changes.refused();
                }
            }
        } catch (SQLException e) {
            throw SqlStates.isTimeout(e) ? new RoomLockedException(e) : e;
        }
    }

    /** Adds the committed changes of a plan's takes and sends. What it has stored and taken again is none. */
    void note(BatchPlan plan, Changes changes) {
        List<Stored> stored = new ArrayList<>();
        for (BatchPlan.Round round : plan.rounds()) {
            noteTaken(round.takes, changes, stored);
            noteTaken(round.leases, changes, stored);
            for (PlannedCall call : round.sends) {
                if (Answers.isSuccess(call.response())) {
                    stored.add(new Stored(call, call.queue, directory.ownerOf(call.queue)));
                }
            }
            for (PlannedCall call : round.publishes) {
                for (int queue : call.copies) {
                    stored.add(new Stored(call, queue, call.subscriptions.clientOf(queue)));
                }
            }
        }
        stored.forEach(one -> changes.stored(one.queue, one.receiver, one.call.context));
    }

    private void noteTaken(List<PlannedCall> calls, Changes changes, List<Stored> stored) {
        for (PlannedCall call : calls) {
            for (Message message : Answers.messages(call.response())) {
                bounds.taken(message);
                if (!removeEqual(message, stored)) {
                    changes.taken(call.queue);
                }
            }
        }
    }

    private static boolean removeEqual(Message message, List<Stored> stored) {
        for (int i = 0; i < stored.size(); i++) {
            if (stored.get(i).queue == message.queue() && stored.get(i).call.storesEqual(message)) {
                stored.remove(i);
                return true;
            }
        }
        return false;
    }

    /** A message that the plan has stored. */
    private record Stored(PlannedCall call, int queue, int receiver) {
    }
}
