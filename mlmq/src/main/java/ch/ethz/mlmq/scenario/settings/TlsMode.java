package ch.ethz.mlmq.scenario.settings;

/** What load clients check of a broker's certificate, in the terms of PostgreSQL's {@code sslmode}. */
public enum TlsMode {
    /** Connections are in the clear. */
    DISABLE,
    /** The certificate leads to a trusted authority. */
    VERIFY_CA,
    /** It also names the broker's host. */
    VERIFY_FULL
}
