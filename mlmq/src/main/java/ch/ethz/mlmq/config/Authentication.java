package ch.ethz.mlmq.config;

/** The way in which a broker knows its users. */
public enum Authentication {
    /** It does not know them. */
    NONE,
    /** By a password, of which neither side sends anything that others could use. */
    SCRAM,
    /** By the name in the certificate of the TLS connection. */
    CERTIFICATE
}
