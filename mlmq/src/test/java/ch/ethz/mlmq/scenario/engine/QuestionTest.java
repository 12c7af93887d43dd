package ch.ethz.mlmq.scenario.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.client.MlmqException;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.link.ConnectedLink;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class QuestionTest {
    private static final int MANY = 40;

    @Test
    void shouldRepeatRefusedRequestsSideBySide() {
        Set<Request> refused = new HashSet<>();
        List<Completion> repeated = new ArrayList<>();
        Member member = member((request, completion) -> {
            if (refused.add(request)) {
                fail(completion, Status.OVERLOADED);
            } else if (repeated.add(completion) && repeated.size() == MANY) {
                repeated.forEach(QuestionTest::succeed);
            }
            return Status.OK;
        });
        AtomicInteger answered = new AtomicInteger();

        List<Question> questions = IntStream.range(0, MANY).mapToObj(number -> new Question(member,
                new Request.LookupQueue("queue" + number), nanos -> answered.incrementAndGet())).toList();
        Question.settle(questions, in(10));

        assertThat(questions).allMatch(question -> question.response(in(0)) == Response.Done.INSTANCE);
        assertThat(answered).hasValue(MANY);
    }

    @Test
    void shouldRepeatARefusedRequestWhileAnotherHasNoResponse() {
        AtomicInteger attempts = new AtomicInteger();
        Member member = member((request, completion) -> {
            if (request instanceof Request.LookupQueue && attempts.getAndIncrement() == 0) {
                fail(completion, Status.OVERLOADED);
            } else if (request instanceof Request.LookupQueue) {
                succeed(completion);
            }
            return Status.OK;
        });
        Question silent = new Question(member, new Request.Echo(new byte[0]));
        Question refused = new Question(member, new Request.LookupQueue("queue"));

        Question.settle(List.of(silent, refused), in(1));

        assertThat(attempts).hasValue(2);
        assertThat(refused.response(in(0))).isSameAs(Response.Done.INSTANCE);
        assertThatThrownBy(() -> silent.response(in(-2))).isInstanceOfSatisfying(MlmqException.class,
                failure -> assertThat(failure.status()).isEqualTo(Status.NOT_CONNECTED));
    }

    @Test
    void shouldAskOnceForResponsesThatComeAtTheEndOfAPass() {
        AtomicInteger attempts = new AtomicInteger();
        Member member = member((request, completion) -> {
            int micros = 90_000 + attempts.getAndIncrement();
            CompletableFuture.delayedExecutor(micros, TimeUnit.MICROSECONDS).execute(() -> succeed(completion));
            return Status.OK;
        });
        List<Question> questions = IntStream.range(0, 20_000)
                .mapToObj(number -> new Question(member, new Request.LookupQueue("queue"))).toList();

        Question.settle(questions, in(10));

        assertThat(attempts).hasValue(20_000);
    }

    @Test
    void shouldPauseLongerOnlyWhileNoRequestIsExecuted() {
        long pause = Question.FIRST_PAUSE_NANOS;
        for (int pass = 0; pass < 3; pass++) {
            assertThat(Question.pauseAfter(pause, false)).isEqualTo(2 * pause);
            pause = Question.pauseAfter(pause, false);
        }

        assertThat(Question.pauseAfter(pause, false)).isEqualTo(Question.LONGEST_PAUSE_NANOS);
        assertThat(Question.pauseAfter(pause, true)).isEqualTo(Question.FIRST_PAUSE_NANOS);
    }

    @Test
    void shouldThrowTheLastFailureWhenTheTimeIsUp() {
        AtomicInteger attempts = new AtomicInteger();
        Member member = member((request, completion) -> {
            attempts.incrementAndGet();
            fail(completion, Status.BROKER_STOPPING);
            return Status.OK;
        });

        assertThatThrownBy(() -> member.askUntil(new Request.LookupQueue("queue"), in(1)))
                .isInstanceOfSatisfying(MlmqException.class,
                        failure -> assertThat(failure.status()).isEqualTo(Status.BROKER_STOPPING));
        assertThat(attempts).hasValueGreaterThan(1);
    }

    @Test
    void shouldNotRepeatARequestWhoseFailureIsFinal() {
        AtomicInteger attempts = new AtomicInteger();
        Member member = member((request, completion) -> {
            attempts.incrementAndGet();
            fail(completion, Status.QUEUE_DOES_NOT_EXIST);
            return Status.OK;
        });

        assertThatThrownBy(() -> member.askUntil(new Request.LookupQueue("queue"), in(10)))
                .isInstanceOf(MlmqException.QueueDoesNotExist.class);
        assertThat(attempts).hasValue(1);
    }

    @Test
    void shouldHaveTakenTheTimeOfAResponseBeforeItSettles() {
        List<CompletableFuture<Void>> answers = new ArrayList<>();
        Member member = member((request, completion) -> {
            answers.add(CompletableFuture.runAsync(() -> succeed(completion)));
            return Status.OK;
        });
        for (int i = 0; i < 1_000; i++) {
            AtomicLong answered = new AtomicLong();

            Question.settle(List.of(new Question(member, new Request.LookupQueue("queue"), answered::set)), in(10));

            assertThat(answered).doesNotHaveValue(0);
        }
        assertThat(answers).hasSize(1_000);
    }

    private static Member member(BiFunction<Request, Completion, Status> server) {
        return new Member(new ClientId("Subscriber", 0, 0), ConnectedLink.each(server), new AtomicInteger());
    }

    private static void succeed(Completion completion) {
        completion.completed(0, Status.OK, Response.Done.INSTANCE, 0, 0);
    }

    private static void fail(Completion completion, Status status) {
        completion.completed(0, status, new Response.Failure(status, "refused in a test"), 0, 0);
    }

    private static long in(int seconds) {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }
}
