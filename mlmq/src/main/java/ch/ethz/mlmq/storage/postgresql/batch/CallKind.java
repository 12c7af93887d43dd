package ch.ethz.mlmq.storage.postgresql.batch;

/** The way a call is executed. Within a phase of a plan, steps are executed in this order. */
enum CallKind {
    /** Removes leased messages, together with all such calls. */
    ACKNOWLEDGE,
    /** Takes messages of a plain queue, together with all such calls. */
    TAKE,
    /** Takes messages of a plain queue under a lease, together with all such calls. */
    LEASE,
    /** Stores one message, together with all such calls. */
    SEND,
    /** Stores the copies of a published message, together with all such calls. */
    PUBLISH,
    /** The call has its own statements in the shared transaction. */
    SINGLE,
    /** The call has its own transaction. */
    ALONE,
    /** The call already has its response. */
    ANSWERED
}
