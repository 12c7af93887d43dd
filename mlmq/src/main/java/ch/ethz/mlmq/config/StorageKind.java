package ch.ethz.mlmq.config;

/** Where a broker keeps its messages. */
public enum StorageKind {
    /** In PostgreSQL: durable, shared by many brokers. */
    POSTGRESQL,
    /** In this JVM alone: to measure what the database costs. */
    MEMORY,
    /** Nowhere: every request is acknowledged and forgotten, to measure the middleware alone. */
    NONE
}
