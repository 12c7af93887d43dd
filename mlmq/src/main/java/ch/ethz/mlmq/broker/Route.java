package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.protocol.Request;

/** Which workers execute a request. */
enum Route {
    /** Those who take batches. */
    BATCH,
    /** One of its own, with a connection of its own: queues are made and deleted, each by a transaction of its own. */
    QUEUES,
    /** One of its own, with a connection of its own: messages are looked through that no index finds. */
    SEARCHES;

    static Route of(Request request) {
        if (request instanceof Request.CreateQueue || request instanceof Request.DeleteQueue) {
            return QUEUES;
        }
        return request instanceof Request.Retrieval retrieval && retrieval.query().sender() != 0
                && retrieval.query().context() == 0 ? SEARCHES : BATCH;
    }
}
