package ch.ethz.mlmq.scenario.link;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.ArrayList;
import java.util.List;

/** A link that acknowledges messages one after the other, each by a request of its own. */
final class OneByOne extends ForwardingLink {
    OneByOne(Link link) {
        super(link);
    }

    @Override
    public Status submit(Request request, Completion completion) {
        return request instanceof Request.AcknowledgeMessages many
                ? next(new Several(many.leases(), new ArrayList<>(), completion, System.nanoTime()))
                : link.submit(request, completion);
    }

    /** Acknowledgements, the statuses of those that have ended, and whom to tell. */
    private record Several(List<Lease> leases, List<Status> statuses, Completion completion, long sentNanos) {
        private void end(Status status) {
            completion.completed(0, status, status == Status.OK ? new Response.LeaseStatuses(statuses) : null,
                    sentNanos, System.nanoTime());
        }
    }

    private Status next(Several several) {
        Lease lease = several.leases.get(several.statuses.size());
        return link.submit(new Request.Acknowledge(lease.message(), lease.token()),
                (tag, status, response, sentNanos, endNanos) -> {
                    if (status != Status.OK && status != Status.UNKNOWN_LEASE) {
                        several.end(status);
                        return;
                    }
                    several.statuses.add(status);
                    if (several.statuses.size() == several.leases.size()) {
                        several.end(Status.OK);
                        return;
                    }
                    Status refused = next(several);
                    if (refused != Status.OK) {
                        several.end(refused);
                    }
                });
    }
}
