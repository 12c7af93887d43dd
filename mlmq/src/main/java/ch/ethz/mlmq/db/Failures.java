package ch.ethz.mlmq.db;

import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;

/** Failures that several operations answer with. */
final class Failures {
    private Failures() {
    }

    static Response.Failure noQueue(Object queue) {
        return new Response.Failure(Status.QUEUE_DOES_NOT_EXIST, "there is no queue " + queue);
    }

    static Response.Failure noClient(Object client) {
        return new Response.Failure(Status.CLIENT_DOES_NOT_EXIST, "no client " + client + " has ever registered");
    }

    static Response.Failure notForReceiver(int queue) {
        return new Response.Failure(Status.INVALID_REQUEST,
                "queue " + queue + " is a personal queue: nobody but its owner can be the receiver");
    }

    static Response.Failure notOwner(int queue) {
        return new Response.Failure(Status.NOT_OWNER, "queue " + queue + " is the personal queue of another client");
    }

    static Response.Failure staysWithClient(int queue) {
        return new Response.Failure(Status.NOT_OWNER,
                "queue " + queue + " is a personal queue: it stays as long as its client");
    }

    static Response.Failure unknownLease(long message) {
        return new Response.Failure(Status.UNKNOWN_LEASE,
                "message " + message + " is not leased under this token (any more)");
    }

    static Response.Failure brokerError(String text) {
        return new Response.Failure(Status.BROKER_ERROR, text);
    }
}
