package ch.ethz.mlmq.storage.postgresql.batch;

import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.storage.Lane;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

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
    public static final int MAX_PHASES = 64;

    private final List<Phase> phases = new ArrayList<>();
    private final Map<Lane, Progress> lanes = new IdentityHashMap<>();
    private boolean singles;
    private boolean stores;

    /** Progress of the calls of a lane. */
    private static final class Progress {
        private PlannedCall lastCall;
        private int lastPhase;
        private int nextHotPhase;
    }

    /** Calls that may be executed together. */
    static final class Phase {
        final List<PlannedCall> acknowledgements = new ArrayList<>();
        final List<PlannedCall> takes = new ArrayList<>();
        final List<PlannedCall> leases = new ArrayList<>();
        final List<PlannedCall> sends = new ArrayList<>();
        final List<PlannedCall> singles = new ArrayList<>();
        /** How long the messages of a queue are leased [ms]; 0 where they are taken for good. */
        private final Map<Integer, Integer> leaseMillis = new HashMap<>();

        /** @return whether calls share the statement of this phase */
        boolean isHot() {
            return !acknowledgements.isEmpty() || !takes.isEmpty() || !leases.isEmpty() || !sends.isEmpty();
        }

        /** One statement takes the messages of a queue in one way: it would find the same message for each of them. */
        private boolean hasRoomFor(PlannedCall call) {
            return call.step != Step.TAKE && call.step != Step.LEASE
                    || leaseMillis.getOrDefault(call.queue, call.leaseMillis()) == call.leaseMillis();
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
        while (count < calls.size() && (calls.get(count).step == Step.ANSWERED || add(calls.get(count)))) {
            count++;
        }
        return count;
    }

    /** @return false if the plan is full and the call belongs to the next one */
    boolean add(PlannedCall call) {
        Progress lane = lanes.computeIfAbsent(call.call.lane(), one -> new Progress());
        call.phase = isSingle(call) ? lane.lastPhase : withRoom(call, hotPhase(call, lane));
        if (call.phase >= MAX_PHASES) {
            return false;
        }
        call.previousInLane = lane.lastCall;
        lane.lastCall = call;
        lane.lastPhase = Math.max(lane.lastPhase, call.phase);
        if (isSingle(call)) {
            lane.nextHotPhase = call.phase + 1;
        }
        put(call);
        return true;
    }

    List<Phase> phases() {
        return phases;
    }

    /** @return true if there are calls with their own statements */
    boolean hasSingles() {
        return singles;
    }

    /** @return true if one of the calls may store a message */
    boolean stores() {
        return stores;
    }

    private static boolean mayStore(Request request) {
        return request instanceof Request.Send || request instanceof Request.SendMessages
                || request instanceof Request.Release || request instanceof Request.ReleaseMessages;
    }

    private static int hotPhase(PlannedCall call, Progress lane) {
        for (PlannedCall before = lane.lastCall; before != null; before = before.previousInLane) {
            if (!isSingle(before) && before.queue == call.queue) {
                int phase = before.step.compareTo(call.step) > 0 ? before.phase + 1 : before.phase;
                return Math.max(lane.nextHotPhase, phase);
            }
        }
        return lane.nextHotPhase;
    }

    private int withRoom(PlannedCall call, int first) {
        int phase = first;
        while (phase < phases.size() && !phases.get(phase).hasRoomFor(call)) {
            phase++;
        }
        return phase;
    }

    private static boolean isSingle(PlannedCall call) {
        return call.step == Step.SINGLE || call.step == Step.ALONE;
    }

    private void put(PlannedCall call) {
        while (phases.size() <= call.phase) {
            phases.add(new Phase());
        }
        Phase phase = phases.get(call.phase);
        stores |= mayStore(call.request());
        switch (call.step) {
            case ACKNOWLEDGE -> phase.acknowledgements.add(call);
            case TAKE -> {
                phase.leaseMillis.put(call.queue, 0);
                phase.takes.add(call);
            }
            case LEASE -> {
                phase.leaseMillis.put(call.queue, call.leaseMillis());
                phase.leases.add(call);
            }
            case SEND -> phase.sends.add(call);
            default -> {
                phase.singles.add(call);
                singles = true;
            }
        }
    }
}
