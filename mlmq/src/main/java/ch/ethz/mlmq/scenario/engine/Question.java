package ch.ethz.mlmq.scenario.engine;

import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * A request of a member that prepares for the load. It is repeated until its response is final: other responses, such
 * as that the broker is overloaded, may change.
 */
final class Question {
    static final long FIRST_PAUSE_NANOS = 100_000_000;
    static final long LONGEST_PAUSE_NANOS = 1_000_000_000;
    /** Time beyond the deadline for a request sent just before it to get its response, or its own timeout. */
    private static final long GRACE_NANOS = 1_000_000_000;

    private final Member member;
    private final Request request;
    private final LongConsumer answered;
    private CompletableFuture<Response> answer;

    /** @param answered takes the time of the successful response, on the thread that received it [ns] */
    Question(Member member, Request request, LongConsumer answered) {
        this.member = member;
        this.request = request;
        this.answered = answered;
        ask();
    }

    Question(Member member, Request request) {
        this(member, request, nanos -> { });
    }

    /** Takes a request that is under way. */
    Question(Member member, Request request, CompletableFuture<Response> answer) {
        this.member = member;
        this.request = request;
        this.answered = nanos -> { };
        this.answer = answer;
    }

    /**
     * Waits until all responses are final, or the time is up. Requests whose response is not final are repeated side by
     * side, after a pause that doubles until some are executed: a broker with few places executes some at a time.
     *
     * @param deadlineNanos when to give up [ns]
     */
    static void settle(List<Question> questions, long deadlineNanos) {
        List<Question> pending = new ArrayList<>(questions);
        long pause = FIRST_PAUSE_NANOS;
        while (true) {
            long passEnd = System.nanoTime() + pause;
            long end = passEnd - deadlineNanos > GRACE_NANOS ? deadlineNanos + GRACE_NANOS : passEnd;
            boolean progress = pending.removeIf(question -> question.isFinal(end, deadlineNanos));
            if (pending.isEmpty() || Thread.currentThread().isInterrupted()
                    || System.nanoTime() - deadlineNanos > GRACE_NANOS) {
                return;
            }
            LockSupport.parkNanos(end - System.nanoTime());
            pending.forEach(question -> question.repeatIfRefused(deadlineNanos));
            pause = pauseAfter(pause, progress);
        }
    }

    /** @param progress true if the pass brought a final response: the broker has room again */
    static long pauseAfter(long pauseNanos, boolean progress) {
        return progress ? FIRST_PAUSE_NANOS : Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    }

    /**
     * Waits for the final response.
     *
     * @param deadlineNanos when to give up [ns]
     * @throws MlmqException if it is a failure, or none came in time
     */
    Response response(long deadlineNanos) {
        settle(List.of(this), deadlineNanos);
        try {
            return answer.get(0, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw MlmqException.of(Status.NOT_CONNECTED, member.link().state());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw MlmqException.of(Status.NOT_CONNECTED, "interrupted");
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    private void ask() {
        answer = member.ask(request).thenApply(response -> {
            answered.accept(System.nanoTime());
            return response;
        });
    }

    private void repeatIfRefused(long deadlineNanos) {
        if (answer.isDone() && !isFinal(deadlineNanos, deadlineNanos)) {
            ask();
        }
    }

    /** Waits until that time for a response. @return true if another attempt would not help */
    private boolean isFinal(long untilNanos, long deadlineNanos) {
        try {
            answer.get(Math.max(0, untilNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException e) {
            return !isTransient(failure(e).status()) || System.nanoTime() - deadlineNanos > 0;
        }
    }

    private static MlmqException failure(ExecutionException e) {
        if (e.getCause() instanceof MlmqException failure) {
            return failure;
        }
        throw new IllegalStateException(e);
    }

    private static boolean isTransient(Status status) {
        return switch (status) {
            case OVERLOADED, BROKER_ERROR, BROKER_STOPPING, TIMEOUT, CONNECTION_LOST, NOT_CONNECTED, TOO_MANY_IN_FLIGHT,
                    CLIENT_ALREADY_ONLINE -> true;
            default -> false;
        };
    }
}
