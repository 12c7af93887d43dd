package ch.ethz.mlmq.storage;

import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;

/** A request on its way through a storage, with its response and the messages that it took. */
public final class Call {
    /** Bytes of a response for its type, correlation id and count. */
    private static final int ANSWER_OVERHEAD = 12;

    private final Lane lane;
    private final Request request;
    private int client;
    private String user = "";
    private int answerMax = Integer.MAX_VALUE;
    private Response response;
    private Storage.Session session;
    private long poolStartNanos;
    private long poolEndNanos;
    private long databaseStartNanos;
    private long databaseEndNanos;

    /** @param lane keeps the order of its calls */
    public Call(Lane lane, Request request) {
        this.lane = lane;
        this.request = request;
    }

    public Lane lane() {
        return lane;
    }

    /** @return id of the calling client, or 0 if it has not registered */
    public int client() {
        return client;
    }

    /** @return bytes that the messages of its response may take */
    public int answerMax() {
        return answerMax;
    }

    /**
     * Sets the calling client, as {@link #from(int)} does.
     *
     * @param longest longest frame that the client accepts, without the length itself [bytes]
     */
    public void from(int asking, int longest) {
        client = asking;
        answerMax = longest - ANSWER_OVERHEAD;
    }

    /** @return name of the user whose client calls; empty where nobody signs in */
    public String user() {
        return user;
    }

    /** Sets the user whose client calls. */
    public void by(String calling) {
        user = calling;
    }

    /** Sets the calling client just before the call is executed, as an earlier call may register it. */
    public void from(int asking) {
        client = asking;
    }

    public Request request() {
        return request;
    }

    /** @return the response, or null until there is one */
    public Response response() {
        return response;
    }

    public void answer(Response answer) {
        response = answer;
    }

    /** Forgets the response and the effects of a call that will be executed again. */
    public void forgetAnswer() {
        response = null;
        session = null;
    }

    /** @return the session that this call has opened, or null */
    public Storage.Session session() {
        return session;
    }

    /** Sets the session that this call has opened. */
    public void opened(Storage.Session opened) {
        session = opened;
    }

    /** Records the wait for a connection ({@link System#nanoTime} [ns]). */
    public void pooled(long startNanos, long endNanos) {
        poolStartNanos = startNanos;
        poolEndNanos = endNanos;
    }

    /** Records the time of its transaction [ns], which it may have shared with other calls. */
    public void transacted(long startNanos, long endNanos) {
        databaseStartNanos = startNanos;
        databaseEndNanos = endNanos;
    }

    /** @return when its wait for a connection began [ns]; 0 if it needed none */
    public long poolStartNanos() {
        return poolStartNanos;
    }

    public long poolEndNanos() {
        return poolEndNanos;
    }

    public long databaseStartNanos() {
        return databaseStartNanos;
    }

    /** @return when its transaction ended [ns]; 0 if it needed none */
    public long databaseEndNanos() {
        return databaseEndNanos;
    }
}
