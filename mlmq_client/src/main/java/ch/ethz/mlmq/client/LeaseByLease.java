package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Asks for each of several leases by a request of its own, for a broker without the feature bulk leases. A few requests
 * are under way at a time; each answer lets the next one go. A failure other than that of an unknown lease ends it.
 */
final class LeaseByLease implements Completion {
    private static final int UNDER_WAY = 16;

    private final Session session;
    private final List<Lease> leases;
    private final Function<Lease, Request> single;
    private final FutureCall.Failed failed;
    private final CompletableFuture<List<Status>> result = new CompletableFuture<>();

    // Guarded by this.
    private final Set<Lease> asked = new HashSet<>();
    private final Status[] statuses;
    private int next;
    private int inFlight;

    /**
     * @param single the request for one of the leases
     * @param failed says what went wrong with all of them
     */
    LeaseByLease(Session session, List<Lease> leases, Function<Lease, Request> single, FutureCall.Failed failed) {
        this.session = session;
        this.leases = List.copyOf(leases);
        this.single = single;
        this.failed = failed;
        this.statuses = new Status[leases.size()];
    }

    /** @return the statuses in the order of the leases; no further request is sent once it has ended */
    CompletableFuture<List<Status>> start() {
        end(goOn());
        return result;
    }

    @Override
    public void completed(long tag, Status status, Response response, long sentNanos, long endNanos) {
        if (status == Status.OK || status == Status.UNKNOWN_LEASE) {
            end(answered((int) tag, status));
        } else {
            result.completeExceptionally(failed.with(status, response));
        }
    }

    private synchronized Status answered(int lease, Status status) {
        statuses[lease] = status;
        inFlight--;
        return goOn();
    }

    /** @return how it ended, or null where requests are under way */
    private synchronized Status goOn() {
        while (next < statuses.length && inFlight < UNDER_WAY && !result.isDone()) {
            Lease lease = leases.get(next);
            if (asked.contains(lease)) {
                // What is named twice is done once, as by a broker with the feature.
                statuses[next++] = Status.UNKNOWN_LEASE;
                continue;
            }
            Status refused = session.submit(single.apply(lease), next, this);
            if (refused != Status.OK) {
                return refused(refused);
            }
            asked.add(lease);
            next++;
            inFlight++;
        }
        return next == statuses.length && inFlight == 0 ? Status.OK : null;
    }

    /** What is under way lets it go on. Where nothing is, some may be done already, and others are not. */
    private Status refused(Status refused) {
        if (inFlight > 0) {
            return null;
        }
        return next == 0 ? refused : Status.CONNECTION_LOST;
    }

    private void end(Status status) {
        if (status == Status.OK) {
            result.complete(List.copyOf(Arrays.asList(statuses)));
        } else if (status != null) {
            result.completeExceptionally(failed.with(status, null));
        }
    }
}
