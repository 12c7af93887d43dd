package ch.ethz.mlmq.broker.request;

/**
 * When a request went from one stage to the next, by {@link System#nanoTime} [ns]. Used by one thread at a time, as the
 * request itself is.
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

    /** @param recorded whether they are written to the performance log */
    public Stages(boolean recorded, long receivedNanos, long decodedNanos) {
        this.recorded = recorded;
        this.receivedNanos = receivedNanos;
        this.decodedNanos = decodedNanos;
        this.queuedNanos = decodedNanos;
    }

    /** @return whether they are written to the performance log */
    public boolean areRecorded() {
        return recorded;
    }

    /** @return when its first bytes were read [ns] */
    public long receivedNanos() {
        return receivedNanos;
    }

    /** @return when it was whole and understood [ns] */
    public long decodedNanos() {
        return decodedNanos;
    }

    /** It waits for a worker, once more where it had waited for a message. @param now [ns] */
    public void queued(long now) {
        queuedNanos = now;
    }

    /** @return when it began to wait for a worker last [ns] */
    public long queuedNanos() {
        return queuedNanos;
    }

    /**
     * A worker has taken it.
     *
     * @param now  [ns]
     * @param size requests that the worker took at once, this one among them
     */
    public void taken(long now, int size) {
        takenNanos = now;
        batch = size;
    }

    /** @return when a worker took it last [ns]; 0 where none did */
    public long takenNanos() {
        return takenNanos;
    }

    /** @return requests that the worker took at once, this one among them */
    public int batch() {
        return batch;
    }

    /** It has to wait for a message: the first time counts. @param now [ns] */
    public void waiting(long now) {
        waitingNanos = waitingNanos == 0 ? now : waitingNanos;
    }

    /** @return when it was first found to have to wait for a message [ns]; 0 where it had not */
    public long waitingNanos() {
        return waitingNanos;
    }

    /** @return whether it had to wait for a message */
    public boolean hasWaited() {
        return waitingNanos != 0;
    }

    /** It has waited in vain. @param now [ns] */
    public void over(long now) {
        overNanos = now;
    }

    /** @return when it had waited in vain [ns]; 0 where it did not wait, or got its message */
    public long overNanos() {
        return overNanos;
    }

    /** It has its answer. @param now [ns] */
    public void processed(long now) {
        processedNanos = now;
    }

    /** @return when it had its answer [ns] */
    public long processedNanos() {
        return processedNanos;
    }

    /** Its answer becomes bytes. @param now [ns] */
    public void sending(long now) {
        sendingNanos = now;
    }

    /** @return when its answer became bytes [ns] */
    public long sendingNanos() {
        return sendingNanos;
    }
}
