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
 * Sends one request for each of several leases, to a broker without the feature bulk leases. Only a few requests are in
 * flight; each response lets the next one start. A failure other than an unknown lease ends the operation.
 */
final class LeaseByLease implements Completion {
    private static final int IN_FLIGHT_MAX = 16;

    private final Session session;
    private final List<Lease> leases;
    private final Function<Lease, Request> single;
    private final FutureCall.Failed failed;
    private final CompletableFuture<List<Status>> result = new CompletableFuture<>();

    // Guarded by this.
    private final Set<Lease> sent = new HashSet<>();
    private final Status[] statuses;
    private int next;
    private int inFlight;

    /**
     * @param single the request for one of the leases
     * @param failed makes the exception of the whole operation
     */
    LeaseByLease(Session session, List<Lease> leases, Function<Lease, Request> single, FutureCall.Failed failed) {
        this.session = session;
        this.leases = List.copyOf(leases);
        this.single = single;
        this.failed = failed;
        this.statuses = new Status[leases.size()];
    }

    /** @return statuses in the order of the leases; after it has ended, no further request is sent */
    CompletableFuture<List<Status>> start() {
        end(sendNext());
        return result;
    }

    @Override
    public void completed(long tag, Status status, Response response, long sentNanos, long endNanos) {
        if (status == Status.OK || status == Status.UNKNOWN_LEASE) {
            end(answered((int) tag, status));
        } else {
            result.completeExceptionally(failed.with(leases.size() == 1 ? status : ofSeveral(status), response));
        }
    }

    /** The broker executed nothing for this lease, but it may have settled others of the same call. */
    private static Status ofSeveral(Status status) {
        return switch (status) {
            case OVERLOADED, BROKER_STOPPING -> Status.BROKER_ERROR;
            default -> status;
        };
    }

    private synchronized Status answered(int lease, Status status) {
        statuses[lease] = status;
        inFlight--;
        return sendNext();
    }

    /** @return the status of the whole operation, or null while requests are in flight */
    private synchronized Status sendNext() {
        while (next < statuses.length && inFlight < IN_FLIGHT_MAX && !result.isDone()) {
            Lease lease = leases.get(next);
            if (sent.contains(lease)) {
                // A broker with the feature handles a repeated lease once, too.
                statuses[next++] = Status.UNKNOWN_LEASE;
                continue;
            }
            Status refused = session.submit(single.apply(lease), next, this);
            if (refused != Status.OK) {
                return refused(refused);
            }
            sent.add(lease);
            next++;
            inFlight++;
        }
        return next == statuses.length && inFlight == 0 ? Status.OK : null;
    }

    /**
     * Requests in flight let the operation continue. Without any it fails: with the status of the refusal if no request
     * was sent, else with {@link Status#CONNECTION_LOST}, because some were executed and others were not.
     */
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
