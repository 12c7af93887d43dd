package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.IntConsumer;

/**
 * A request as the future of its result. If the future is ended otherwise, by cancelling it or by a time limit, the
 * request is given up: messages that it took are requeued.
 */
final class FutureCall<R extends Response, T> extends CompletableFuture<T> implements Completion {
    private final Class<R> expected;
    private final Function<R, T> result;
    private final boolean takes;
    private final Failed failed;
    private volatile IntConsumer givesUp;
    private volatile int id;

    /** Makes the exception of a failure. */
    @FunctionalInterface
    interface Failed {
        MlmqException with(Status status, Response response);
    }

    /** @param takes true if its response may hold messages that exist nowhere else */
    FutureCall(Class<R> expected, Function<R, T> result, boolean takes, Failed failed) {
        this.takes = takes;
        this.expected = expected;
        this.result = result;
        this.failed = failed;
    }

    /**
     * Connects the future to its request.
     *
     * @param over gives up the request of an id
     */
    void sent(IntConsumer over, int correlationId) {
        id = correlationId;
        givesUp = over;
    }

    void refused(Status status) {
        super.completeExceptionally(failed.with(status, null));
    }

    @Override
    public void completed(long tag, Status status, Response response, long sentNanos, long endNanos) {
        if (!expected.isInstance(response)) {
            super.completeExceptionally(failed.with(status, response));
        } else if (!super.complete(result.apply(expected.cast(response)))) {
            giveUp();
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return givenUp(super.cancel(mayInterruptIfRunning));
    }

    @Override
    public boolean complete(T value) {
        return givenUp(super.complete(value));
    }

    @Override
    public boolean completeExceptionally(Throwable e) {
        return givenUp(super.completeExceptionally(e));
    }

    /** Makes an ordinary future for dependent stages: ending one of them does not end the request. */
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }

    private boolean givenUp(boolean first) {
        if (first) {
            giveUp();
        }
        return first;
    }

    private void giveUp() {
        IntConsumer over = givesUp;
        if (takes && over != null) {
            over.accept(id);
        }
    }
}
