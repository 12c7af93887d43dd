package ch.ethz.mlmq.config;

/** PostgreSQL's {@code synchronous_commit} for a broker's transactions: what an acknowledgement means. */
public enum SynchronousCommit {
    /** On disk (and on synchronous standbys, where there are any). */
    ON,
    /** On this server's disk. */
    LOCAL,
    /** Soon on disk: a crash of the database loses the last moments. */
    OFF
}
