package ch.ethz.mlmq.broker.request;

/** The interface of a connection's I/O thread to other threads. Used by many threads. */
public interface Link {
    /** @return whether the connection is open */
    boolean isOpen();

    /** @return true if the connection is open and has too many unread responses to get more */
    boolean isCongested();

    /** @return the longest frame that the client accepts, without the length itself [bytes] */
    int answerMax();

    /** @param feature one of {@link ch.ethz.mlmq.protocol.Features} */
    boolean has(long feature);

    /** @return where the connection comes from, as text; empty if that is not known any more */
    String address();

    /** Sends the response of the exchange to the client. */
    void respond(Exchange exchange);

    /** Executes a request again in the I/O thread itself, after it had to wait for a message. */
    void executeAgain(Exchange exchange);

    /** Closes the connection. @param why reason that the client gets if possible */
    void sendAway(String why);
}
