package ch.ethz.mlmq.storage.postgresql.batch;

import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.storage.Call;

/** A call in a batch of PostgreSQL, with its place in that batch's plan. */
final class PlannedCall {
    final Call call;
    CallKind kind;
    int round;
    /** The queue of a take or a send. */
    int queue;
    /** The context of a sent message, or 0. */
    long context;
    /** The call of the same lane planned before this one, or null. */
    PlannedCall previousInLane;

    private boolean apart;

    PlannedCall(Call call) {
        this.call = call;
    }

    /** Gives the call its own statement from now on, so that other calls do not wait for its locks. */
    void setApart() {
        apart = true;
    }

    /** @return true if it has its own statement, although such calls usually share one */
    boolean isApart() {
        return apart;
    }

    /** @return lease of the message of a take [ms]; 0 if it removes the message */
    int leaseMillis() {
        return call.request() instanceof Request.ReceiveMessage receive ? receive.leaseMillis() : 0;
    }

    Request request() {
        return call.request();
    }

    Response response() {
        return call.response();
    }

    void answer(Response answer) {
        call.answer(answer);
    }
}
