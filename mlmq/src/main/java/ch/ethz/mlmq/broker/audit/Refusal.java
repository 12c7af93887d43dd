package ch.ethz.mlmq.broker.audit;

import java.util.Locale;

/** Why a broker refused somebody. */
public enum Refusal {
    /** The name or the password of a sign-in is wrong, or the sign-in is none. */
    PASSWORD,
    /** Too many sign-ins have failed. */
    ATTEMPTS,
    /** The connection has not signed in. */
    STRANGER,
    /** The user lacks a right, or the object belongs to another client or user. */
    PERMISSION,
    /** A limit of the user or the address. */
    LIMIT,
    /** The broker has too many connections. */
    FULL,
    /** No handshake of TLS. */
    TLS;

    /** @return its word in the log */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
