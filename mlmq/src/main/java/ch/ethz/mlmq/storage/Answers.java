package ch.ethz.mlmq.storage;

import ch.ethz.mlmq.protocol.Lease;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.HashSet;
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
     * Answers for each of the leases. One that is named twice is done once.
     *
     * @param done does what is asked for a lease, or says whether it was done; called once for each in their order
     */
    public static Response.LeaseStatuses ofLeases(Request.OfLeases request, Predicate<Lease> done) {
        Set<Lease> asked = new HashSet<>();
        return new Response.LeaseStatuses(request.leases().stream().map(lease ->
                asked.add(lease) && done.test(lease) ? Status.OK : Status.UNKNOWN_LEASE).toList());
    }

    /** @return true if it contains a message */
    public static boolean isDelivery(Response response) {
        return response instanceof Response.Delivery delivery && delivery.message() != null;
    }
}
