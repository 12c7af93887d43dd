package ch.ethz.mlmq.config;

/** Whether clients show a certificate of their own to a broker with TLS. */
public enum TlsClients {
    /** The broker asks for none. */
    NONE,
    /** The broker asks for one, and refuses those that it does not trust. */
    ASK,
    /** The broker refuses connections without one. */
    REQUIRE
}
