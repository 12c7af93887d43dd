package ch.ethz.mlmq.config;

/** The addresses on which a broker may listen without authentication. */
public enum Anonymous {
    /** Those that only programs of the same machine reach. */
    LOOPBACK,
    /** All. */
    ANYWHERE
}
