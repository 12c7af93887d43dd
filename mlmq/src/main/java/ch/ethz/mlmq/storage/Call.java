package ch.ethz.mlmq.storage;

import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;

/** One request on its way through a storage, and the place for its answer and for what it took. */
public final class Call {
    /** Type, correlation id and count of an answer. */
    private static final int ANSWER_OVERHEAD = 12;

    private final Lane lane;
    private final Request request;
    private int client;
    private int answerMax = Integer.MAX_VALUE;
    private Response response;
    private Storage.Session session;
    private long poolStartNanos;
    private long poolEndNanos;
    private long databaseStartNanos;
    private long databaseEndNanos;

    /**
     * @param lane keeps its order
     */
    public Call(Lane lane, Request request) {
        this.lane = lane;
        this.request = request;
    }

    public Lane lane() {
        return lane;
    }

    /** @return id of the client that asks, or 0 where it has not registered */
    public int client() {
        return client;
    }

    /** @return bytes that the messages of its answer may take */
    public int answerMax() {
        return answerMax;
    }

    /**
     * Says who asks, as {@link #from(int)} does.
     *
     * @param longest frame that it takes, after its length [bytes]
     */
    public void from(int asking, int longest) {
        client = asking;
        answerMax = longest - ANSWER_OVERHEAD;
    }

    /** Says who asks: before the call is executed, as that may depend on the one before it. */
    public void from(int asking) {
        client = asking;
    }

    public Request request() {
        return request;
    }

    /** @return the answer, or null as long as there is none */
    public Response response() {
        return response;
    }

    public void answer(Response answer) {
        response = answer;
    }

    /** The call will be executed again: nothing of what it did or was answered holds. */
    public void forgetAnswer() {
        response = null;
        session = null;
    }

    /** @return the session that this call has opened, or null */
    public Storage.Session session() {
        return session;
    }

    /** This call has opened a session. */
    public void opened(Storage.Session opened) {
        session = opened;
    }

    /** Waiting for a connection began and ended ({@link System#nanoTime} [ns]). */
    public void pooled(long startNanos, long endNanos) {
        poolStartNanos = startNanos;
        poolEndNanos = endNanos;
    }

    /** The transaction that executed it began and ended [ns]; it may have shared it with others. */
    public void transacted(long startNanos, long endNanos) {
        databaseStartNanos = startNanos;
        databaseEndNanos = endNanos;
    }

    /** @return when it began to wait for a connection [ns]; 0 where it needed none */
    public long poolStartNanos() {
        return poolStartNanos;
    }

    public long poolEndNanos() {
        return poolEndNanos;
    }

    public long databaseStartNanos() {
        return databaseStartNanos;
    }

    /** @return 0 where the database was not asked */
    public long databaseEndNanos() {
        return databaseEndNanos;
    }
}
