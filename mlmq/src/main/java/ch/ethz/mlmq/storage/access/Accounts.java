package ch.ethz.mlmq.storage.access;

import java.util.function.BiConsumer;

/** The users of a database, as it was at most a second ago. Any thread may use it. */
public interface Accounts {
    /** @return the users now */
    AccountDirectory current();

    /** @return true if the database did not answer for so long that somebody may have lost a right meanwhile */
    boolean isStale();

    /** @param listener gets the users before and after each change, in a thread of the storage */
    void onChange(BiConsumer<AccountDirectory, AccountDirectory> listener);
}
