package ch.ethz.mlmq.storage;

import ch.ethz.mlmq.protocol.Response;

/** What an answer says about what happened. */
public final class Answers {
    private Answers() {
    }

    /** @return whether it is an answer, and no failure */
    public static boolean isSuccess(Response response) {
        return response != null && !(response instanceof Response.Failure);
    }

    /** @return whether it hands a message out */
    public static boolean isDelivery(Response response) {
        return response instanceof Response.Delivery delivery && delivery.message() != null;
    }
}
