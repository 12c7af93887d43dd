package ch.ethz.mlmq.broker.request;

/**
 * Times of a request's stages, by {@link System#nanoTime} [ns]. Used by one thread at a time, like the request itself.
 */
public final class Stages {
    private final boolean recorded;
    private final long receivedNanos;
    private final long decodedNanos;
    private long queuedNanos;
    private long takenNanos;
    private int batch;
    private long waitingNanos;
    private long overNanos;
    private long processedNanos;
    private long sendingNanos;

    /** @param recorded true if the stages are written to the performance log */
    public Stages(boolean recorded, long receivedNanos, long decodedNanos) {
        this.recorded = recorded;
        this.receivedNanos = receivedNanos;
        this.decodedNanos = decodedNanos;
        this.queuedNanos = decodedNanos;
    }

    /** @return true if the stages are written to the performance log */
    public boolean areRecorded() {
        return recorded;
    }

    /** @return when its first bytes were read [ns] */
    public long receivedNanos() {
        return receivedNanos;
    }

    /** @return when it was completely decoded [ns] */
    public long decodedNanos() {
        return decodedNanos;
    }

    /** Records that it waits for a worker, after it waited for a message or for its client to read. @param now [ns] */
    public void queued(long now) {
        queuedNanos = now;
    }

    /** @return when it last began to wait for a worker [ns] */
    public long queuedNanos() {
        return queuedNanos;
    }

    /**
     * Records that a worker has taken it.
     *
     * @param now  [ns]
     * @param size number of requests that the worker took together, including this one
     */
    public void taken(long now, int size) {
        takenNanos = now;
        batch = size;
    }

    /** Records that requests which had waited for a message have joined its batch. @param count of them */
    public void joinedBy(int count) {
        batch += count;
    }

    /** @return when a worker last took it [ns]; 0 if none did */
    public long takenNanos() {
        return takenNanos;
    }

    /** @return number of requests that the worker took together, including this one */
    public int batch() {
        return batch;
    }

    /** Records that it has to wait for a message; only the first time counts. @param now [ns] */
    public void waiting(long now) {
        waitingNanos = waitingNanos == 0 ? now : waitingNanos;
    }

    /** @return when it first had to wait for a message [ns]; 0 if it did not */
    public long waitingNanos() {
        return waitingNanos;
    }

    /** @return true if it had to wait for a message */
    public boolean hasWaited() {
        return waitingNanos != 0;
    }

    /** Records that it has waited in vain. @param now [ns] */
    public void over(long now) {
        overNanos = now;
    }

    /** @return when it had waited in vain [ns]; 0 if it did not wait, or got its message */
    public long overNanos() {
        return overNanos;
    }

    /** Records that it has its response. @param now [ns] */
    public void processed(long now) {
        processedNanos = now;
    }

    /** @return when it had its response [ns] */
    public long processedNanos() {
        return processedNanos;
    }

    /** Records that its response is about to be encoded. @param now [ns] */
    public void sending(long now) {
        sendingNanos = now;
    }

    /** @return when its response was about to be encoded [ns] */
    public long sendingNanos() {
        return sendingNanos;
    }
}
