package ch.ethz.mlmq.storage;

import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Predicates over responses. */
public final class Answers {
    private Answers() {
    }

    /** @return true if it is a response, and not a failure */
    public static boolean isSuccess(Response response) {
        return response != null && !(response instanceof Response.Failure);
    }

    /**
     * Makes the response of a request for several leases. A lease that is listed twice is handled once.
     *
     * @param done handles a lease and returns true if it had not ended; called once for each lease, in order
     */
    public static Response.LeaseStatuses ofLeases(Request.OfLeases request, Predicate<Lease> done) {
        Set<Lease> handled = new HashSet<>();
        return new Response.LeaseStatuses(request.leases().stream().map(lease ->
                handled.add(lease) && done.test(lease) ? Status.OK : Status.UNKNOWN_LEASE).toList());
    }

    /** @return the messages in it */
    public static List<Message> messages(Response response) {
        if (response instanceof Response.Deliveries deliveries) {
            return deliveries.messages();
        }
        return response instanceof Response.Delivery delivery && delivery.message() != null
                ? List.of(delivery.message()) : List.of();
    }
}
