package ch.ethz.mlmq.config;

/**
 * PostgreSQL's {@code synchronous_commit} for a broker's transactions, which decides what an acknowledgement
 * guarantees.
 */
public enum SynchronousCommit {
    /** The message is on disk (and on synchronous standbys, if there are any). */
    ON,
    /** The message is on this server's disk. */
    LOCAL,
    /** The message is on disk soon: a crash of the database loses the last moments. */
    OFF
}
