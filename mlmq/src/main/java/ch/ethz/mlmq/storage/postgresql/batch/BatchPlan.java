package ch.ethz.mlmq.storage.postgresql.batch;

import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.TopicRequest;
import ch.ethz.mlmq.storage.Lane;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Groups the calls of a batch into as few statements as their order allows.
 *
 * <p>A plan is a row of phases; in each, all its acknowledgements, takes and sends are one statement, then come the
 * single calls. A call goes into the first phase where it is behind every call of its own lane that has to do with
 * the same queue: a take that follows a send there goes one phase later, a send that follows a take does not. So calls
 * of different connections share statements, and what one connection asked for takes effect in its order.
 */
public final class BatchPlan {
    /**
     * Largest number of phases of a plan. Beyond some 250 statements in one round trip the driver ends the transaction
     * by itself, because it expects a deadlock in which both sides wait for the other one to read.
     */
    public static final int MAX_ROUNDS = 64;
    /**
     * Most bytes of parameters that one round trip has behind its first takes. PostgreSQL reads no more of them while
     * it cannot write the taken messages, and the driver does not read before it has written all of them.
     */
    private static final int BYTES_BEHIND_TAKES = 64_000;

    /** Most copies of published messages in a plan of more than one publish. */
    private static final int MAX_COPIES = 10_000;

    private final List<Round> rounds = new ArrayList<>();
    private final Map<Lane, Progress> lanes = new IdentityHashMap<>();
    private final BoundedSends bounded = new BoundedSends();
    private boolean singles;
    private int copies;
    private boolean stores;
    /** The first round behind all calls that store messages. */
    private int behindStored;

    /** Progress of the calls of a lane. */
    private static final class Progress {
        private PlannedCall lastCall;
        private int lastRound;
        private int nextHotRound;
    }

    /** Calls that may be executed together. */
    static final class Round {
        final List<PlannedCall> acknowledgements = new ArrayList<>();
        final List<PlannedCall> takes = new ArrayList<>();
        final List<PlannedCall> leases = new ArrayList<>();
        final List<PlannedCall> sends = new ArrayList<>();
        final List<PlannedCall> publishes = new ArrayList<>();
        final List<PlannedCall> singles = new ArrayList<>();
        /** Lease of the messages of a queue [ms]; 0 if they are removed. */
        private final Map<Integer, Integer> leaseMillis = new HashMap<>();
        private boolean properties;
        private final Set<Integer> bulkQueues = new HashSet<>();

        /** @return true if calls share the statement of this phase */
        boolean isHot() {
            return !acknowledgements.isEmpty() || !takes.isEmpty() || !leases.isEmpty() || !sends.isEmpty()
                    || !publishes.isEmpty();
        }

        /** @return true if it stores messages */
        boolean stores() {
            return !sends.isEmpty() || !publishes.isEmpty();
        }

        /** @return true if a message that is sent has properties */
        boolean hasProperties() {
            return properties;
        }

        /** @return true if a call takes several messages, as many as fit into its response */
        boolean hasBulkTakes() {
            return !bulkQueues.isEmpty();
        }

        /**
         * The takes of one statement need the same lease for a queue; others would find the same messages. A bulk take
         * is the only one of its queue, as the statement limits the bytes of each queue.
         */
        private boolean hasRoomFor(PlannedCall call) {
            Integer millis = isTake(call) ? leaseMillis.get(call.queue) : null;
            return millis == null
                    || millis == call.leaseMillis() && !call.isBulkTake() && !bulkQueues.contains(call.queue);
        }

        private void add(PlannedCall call) {
            switch (call.kind) {
                case ACKNOWLEDGE -> acknowledgements.add(call);
                case TAKE -> takes.add(call);
                case LEASE -> leases.add(call);
                case SEND -> {
                    sends.add(call);
                    properties |= !call.properties().isEmpty();
                }
                case PUBLISH -> publishes.add(call);
                default -> singles.add(call);
            }
            if (isTake(call)) {
                leaseMillis.put(call.queue, call.leaseMillis());
            }
            if (isTake(call) && call.isBulkTake()) {
                bulkQueues.add(call.queue);
            }
        }

        private boolean takes() {
            return !leaseMillis.isEmpty();
        }

        /** @return bytes of the contents, leases and tokens that the statement needs */
        private long parameterBytes() {
            return sends.stream().mapToLong(PlannedCall::sentBytes).sum()
                    + publishes.stream().mapToLong(PlannedCall::publishedBytes).sum()
                    + acknowledgements.stream().mapToLong(call -> call.leases().size()).sum() * 2 * Long.BYTES
                    + leases.stream().mapToLong(PlannedCall::requestedMessages).sum() * Long.BYTES;
        }

        private static boolean isTake(PlannedCall call) {
            return call.kind == CallKind.TAKE || call.kind == CallKind.LEASE;
        }
    }

    /**
     * Adds calls that need a statement, until the plan is full.
     *
     * @param calls whose step, and for takes and sends whose queue, is known
     * @return number of calls that were added or skipped: at least one, if there is one
     */
    int addAll(List<PlannedCall> calls) {
        int count = 0;
        while (count < calls.size() && (calls.get(count).kind == CallKind.ANSWERED || add(calls.get(count)))) {
            count++;
        }
        return count;
    }

    /** @return false if the plan is full and the call belongs to the next one */
    boolean add(PlannedCall call) {
        Progress lane = lanes.computeIfAbsent(call.call.lane(), one -> new Progress());
        if (copies > 0 && copies + call.copies.length > MAX_COPIES || !bounded.hasRoomFor(call)) {
            return false;
        }
        int first = isSingle(call) ? lane.lastRound : withRoom(call, hotRound(call, lane));
        call.round = call.isJoining() ? withRoom(call, Math.max(first, behindStored)) : first;
        if (call.round >= MAX_ROUNDS) {
            return false;
        }
        call.previousInLane = lane.lastCall;
        lane.lastCall = call;
        lane.lastRound = Math.max(lane.lastRound, call.round);
        if (isSingle(call)) {
            lane.nextHotRound = call.round + 1;
        }
        put(call);
        return true;
    }

    List<Round> rounds() {
        return rounds;
    }

    /** @return true if all calls may be executed in one round trip */
    boolean fitsIntoOneTrip() {
        long behind = 0;
        boolean taking = false;
        for (Round round : rounds) {
            behind += taking ? round.parameterBytes() : 0;
            taking |= round.takes();
        }
        return !singles && bounded.calls().isEmpty() && behind <= BYTES_BEHIND_TAKES;
    }

    /** @return calls that store messages in queues with a limit of length */
    List<PlannedCall> bounded() {
        return bounded.calls();
    }

    /** Leaves out a call, which has its response. */
    void leaveOut(PlannedCall call) {
        rounds.get(call.round).sends.remove(call);
        rounds.get(call.round).publishes.remove(call);
    }

    /** @return true if one of the calls may store a message */
    boolean stores() {
        return stores;
    }

    private static boolean mayStore(Request request) {
        return request instanceof Request.Send || request instanceof Request.SendMessages
                || request instanceof TopicRequest.Publish
                || request instanceof Request.Release || request instanceof Request.ReleaseMessages;
    }

    private static int hotRound(PlannedCall call, Progress lane) {
        for (PlannedCall before = lane.lastCall; before != null; before = before.previousInLane) {
            if (!isSingle(before) && before.meets(call)) {
                boolean stored = before.kind == CallKind.SEND && call.kind == CallKind.PUBLISH;
                int round = stored || before.kind.compareTo(call.kind) > 0 ? before.round + 1 : before.round;
                return Math.max(lane.nextHotRound, round);
            }
        }
        return lane.nextHotRound;
    }

    private int withRoom(PlannedCall call, int first) {
        int round = first;
        while (round < rounds.size() && !rounds.get(round).hasRoomFor(call)) {
            round++;
        }
        return round;
    }

    private static boolean isSingle(PlannedCall call) {
        return call.kind == CallKind.SINGLE || call.kind == CallKind.ALONE;
    }

    private void put(PlannedCall call) {
        while (rounds.size() <= call.round) {
            rounds.add(new Round());
        }
        rounds.get(call.round).add(call);
        bounded.add(call);
        copies += call.copies.length;
        if (mayStore(call.request())) {
            stores = true;
            behindStored = Math.max(behindStored, call.round + 1);
        }
        singles |= isSingle(call);
    }
}
