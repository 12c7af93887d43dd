package ch.ethz.mlmq.storage.postgresql.batch;

/** How a call is executed. Within a phase of a plan this is also the order of execution. */
enum Step {
    /** Ends a lease for good, together with all such calls. */
    ACKNOWLEDGE,
    /** Takes a message of a plain queue, together with all such calls. */
    TAKE,
    /** Takes a message of a plain queue under a lease, together with all such calls. */
    LEASE,
    /** Stores one message, together with all such calls. */
    SEND,
    /** Has statements of its own, in the transaction of all. */
    SINGLE,
    /** Has a transaction of its own. */
    ALONE,
    /** Has its answer already. */
    ANSWERED
}
