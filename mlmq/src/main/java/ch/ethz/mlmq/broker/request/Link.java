package ch.ethz.mlmq.broker.request;

/** A connection's I/O thread, as the other threads see it: they ask, and it does. Used by many threads. */
public interface Link {
    /** @return whether the connection is open */
    boolean isOpen();

    /** @return whether the connection is open and has too many unread bytes of answers to be given more */
    boolean isCongested();

    /** @return the longest frame that the client takes, after its length [bytes] */
    int answerMax();

    /** @param feature one of {@link ch.ethz.mlmq.protocol.Features} */
    boolean has(long feature);

    /** Gives the answer of the exchange to the client. */
    void respond(Exchange exchange);

    /** Executes a request again that had to wait for a message, in the I/O thread itself. */
    void executeAgain(Exchange exchange);

    /** Closes the connection. @param why what its client is told where it can be */
    void sendAway(String why);
}
