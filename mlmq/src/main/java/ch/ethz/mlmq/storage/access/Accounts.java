package ch.ethz.mlmq.storage.access;

/** The users of a database, as it was at most a second ago. Any thread may use it. */
public interface Accounts {
    /** @return the users now */
    AccountDirectory current();

    /** @return true if the database did not answer for so long that somebody may have lost a right meanwhile */
    boolean isStale();

    /** @param listener runs after each change of users or permissions, in a thread of the storage */
    void onChange(Runnable listener);
}
