package ch.ethz.mlmq.broker.request;

import ch.ethz.mlmq.protocol.Request;

/** Which workers execute a request. */
public enum Route {
    /** Those who take batches. */
    BATCH(0),
    /** One of its own, with a connection of its own: queues are made and deleted, each by a transaction of its own. */
    QUEUES(4),
    /** One of its own, with a connection of its own: messages are looked through that no index finds. */
    SEARCHES(9);

    private final int rest;

    Route(int rest) {
        this.rest = rest;
    }

    /** @return how many times as long as a request took its worker rests, while others are at work */
    int rest() {
        return rest;
    }

    static Route of(Request request) {
        if (request instanceof Request.CreateQueue || request instanceof Request.DeleteQueue) {
            return QUEUES;
        }
        return request instanceof Request.Retrieval retrieval && retrieval.query().sender() != 0
                && retrieval.query().context() == 0 ? SEARCHES : BATCH;
    }
}
