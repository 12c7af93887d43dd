package ch.ethz.mlmq.db;

import ch.ethz.mlmq.protocol.Response;

/** What an answer says about what happened. */
final class Answers {
    private Answers() {
    }

    static boolean isSuccess(Response response) {
        return response != null && !(response instanceof Response.Failure);
    }

    static boolean isDelivery(Response response) {
        return response instanceof Response.Delivery delivery && delivery.message() != null;
    }
}
