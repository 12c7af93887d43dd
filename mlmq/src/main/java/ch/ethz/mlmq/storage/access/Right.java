package ch.ethz.mlmq.storage.access;

import java.util.Locale;

/** What a user may do with an object. */
public enum Right {
    /** To put messages into a queue, or into that of a client. */
    SEND,
    /** To take and count the messages of a queue; of a broker, to read its status. */
    RECEIVE,
    /** To create and delete a queue; of a broker, to change users, roles and rights, too. */
    MANAGE;

    /** @return its bit in a set of rights */
    public int bit() {
        return 1 << ordinal();
    }

    /** @return its word in a statement */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
