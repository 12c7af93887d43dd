package ch.ethz.mlmq.storage;

import ch.ethz.mlmq.filter.Filter;
import ch.ethz.mlmq.filter.FilterException;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;

/** Reads the filters of queries. */
public final class QueryFilter {
    private QueryFilter() {
    }

    /** @return why the request is refused, or null */
    public static Response.Failure refusal(Request request) {
        if (request instanceof Request.Retrieval retrieval && !retrieval.query().filter().isEmpty()) {
            try {
                Filter.parse(retrieval.query().filter());
            } catch (FilterException e) {
                return new Response.Failure(Status.INVALID_REQUEST, "the filter: " + e.getMessage());
            }
        }
        return null;
    }

    /** @return the filter of a query that was not refused */
    public static Filter of(MessageQuery query) {
        try {
            return Filter.parse(query.filter());
        } catch (FilterException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
