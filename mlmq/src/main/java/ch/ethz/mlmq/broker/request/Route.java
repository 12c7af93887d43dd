package ch.ethz.mlmq.broker.request;

import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.MoveMessages;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Statement;
import ch.ethz.mlmq.protocol.TopicRequest;

/** The group of workers that executes a request. */
public enum Route {
    /** Workers that take batches. */
    BATCH(0),
    /**
     * A worker with its own database connection, as creating or deleting a queue or a topic takes a transaction of its
     * own, and counting messages under a held snapshot takes long. It changes users, too.
     */
    QUEUES(4),
    /** A worker with its own database connection, for retrievals that no index serves. */
    SEARCHES(9);

    private final int rest;

    Route(int rest) {
        this.rest = rest;
    }

    /** @return length of the worker's rest, as a multiple of the request's time, while others are active */
    int rest() {
        return rest;
    }

    static Route of(Request request) {
        if (request instanceof Request.CreateQueue || request instanceof Request.DeleteQueue
                || request instanceof Request.QueueLength || request instanceof MoveMessages
                || request instanceof Statement || changesTopics(request)) {
            return QUEUES;
        }
        return request instanceof Request.Retrieval retrieval && isSearch(retrieval.query()) ? SEARCHES : BATCH;
    }

    private static boolean isSearch(MessageQuery query) {
        return !query.filter().isEmpty() || query.sender() != 0 && query.context() == 0;
    }

    private static boolean changesTopics(Request request) {
        return request instanceof TopicRequest && !(request instanceof TopicRequest.Publish)
                && !(request instanceof TopicRequest.LookupTopic);
    }
}
