package ch.ethz.mlmq.config;

/** The place where a broker keeps its messages. */
public enum StorageKind {
    /** Messages are in PostgreSQL: durable, and shared by many brokers. */
    POSTGRESQL,
    /** Messages are in this JVM only, to measure the cost of the database. */
    MEMORY,
    /** Messages are acknowledged and dropped, to measure the middleware alone. */
    NONE
}
