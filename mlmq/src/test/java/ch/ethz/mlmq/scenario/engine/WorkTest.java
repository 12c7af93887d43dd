package ch.ethz.mlmq.scenario.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.log.Recorder;
import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.Behaviour;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.engine.LoadClient.LoadRules;
import ch.ethz.mlmq.scenario.link.ConnectedLink;
import ch.ethz.mlmq.scenario.pacing.Phase;
import ch.ethz.mlmq.scenario.pacing.PhasePlan;
import ch.ethz.mlmq.scenario.pacing.ThinkTime;
import ch.ethz.mlmq.scenario.recording.MessageLedger;
import ch.ethz.mlmq.scenario.recording.Recording;
import ch.ethz.mlmq.scenario.workload.Seeds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

/** A client whose behaviour works between a response and the next request, in a time of its own. */
class WorkTest {
    private static final long WORK = 5_000_000;
    private static final long THOUGHT = 2_000_000;
    private static final long REFUSED = RefusalPause.SHORTEST_NANOS;
    private static final long END = 100_000_000;

    private final ManualTimers timers = new ManualTimers();
    private final List<Long> starts = new ArrayList<>();
    /** Those of the first requests; all further ones succeed. */
    private final Deque<Status> answers = new ArrayDeque<>();

    @Test
    void shouldStartTheNextRequestAfterTheWorkAndTheThinkTime() {
        client(false).join();

        timers.runUntil(3 * (WORK + THOUGHT));

        assertThat(starts).containsExactly(0L, WORK + THOUGHT, 2 * (WORK + THOUGHT), 3 * (WORK + THOUGHT));
    }

    @Test
    void shouldKeepAnArrivalWaitingUntilTheWorkIsDone() {
        LoadClient client = client(true);
        client.join();
        client.arrive(0);
        client.arrive(1);

        timers.runUntil(WORK - 1);
        assertThat(starts).containsExactly(0L);
        timers.runUntil(WORK);
        assertThat(starts).containsExactly(0L, WORK);
    }

    @Test
    void shouldPauseLongerAfterEachRefusalInARowThatRepetitionDoesNotChange() {
        answers.addAll(List.of(Status.TOPIC_DOES_NOT_EXIST, Status.TOPIC_DOES_NOT_EXIST, Status.OVERLOADED,
                Status.QUEUE_DOES_NOT_EXIST));
        client(false).join();
        long each = WORK + THOUGHT;

        timers.runUntil(END);

        assertThat(starts.subList(0, 5)).containsExactly(0L, each + REFUSED, 2 * each + 3 * REFUSED,
                3 * each + 3 * REFUSED, 4 * each + 4 * REFUSED);
    }

    @Test
    void shouldPauseOneSecondAtMostAfterARefusal() {
        RefusalPause pause = new RefusalPause();
        for (int i = 0; i < 100; i++) {
            pause.after(FrameType.PUBLISH, Status.NOT_PERMITTED);
        }

        assertThat(pause.after(FrameType.PUBLISH, Status.NOT_PERMITTED)).isEqualTo(RefusalPause.LONGEST_NANOS);
        assertThat(pause.after(FrameType.PUBLISH, Status.OK)).isZero();
        assertThat(pause.after(FrameType.PUBLISH, Status.NOT_PERMITTED)).isEqualTo(RefusalPause.SHORTEST_NANOS);
    }

    @Test
    void shouldCountRefusalsInARowByTheKindOfRequest() {
        RefusalPause pause = new RefusalPause();
        pause.after(FrameType.SUBSCRIBE, Status.TOPIC_DOES_NOT_EXIST);

        assertThat(pause.after(FrameType.RECEIVE_MESSAGE, Status.OK)).isZero();
        assertThat(pause.after(FrameType.SUBSCRIBE, Status.TOPIC_DOES_NOT_EXIST))
                .isEqualTo(2 * RefusalPause.SHORTEST_NANOS);
    }

    @Test
    void shouldStartAnArrivalOfAnOpenLoadInTimeAfterARefusal() {
        answers.add(Status.TOPIC_DOES_NOT_EXIST);
        LoadClient client = client(true);
        client.join();
        client.arrive(0);
        client.arrive(1);

        timers.runUntil(WORK);

        assertThat(starts).containsExactly(0L, WORK);
    }

    private LoadClient client(boolean open) {
        LoadControl control = new LoadControl(new PhasePlan(0, 0, END, 0), 0);
        Recording recording = new Recording(open, nanos -> Phase.MEASURING, Recorder.NONE, 0, MessageLedger.counting(),
                () -> 1);
        LoadRules rules = new LoadRules(open, 1, END, new ThinkTime.Fixed(THOUGHT));
        return new LoadClient(new ClientId("Echo", 0, 0), new ConnectedLink(this::answer), new Working(), rules,
                new LoadClient.Shared(control, recording, timers), Seeds.generator(1, 0, 0));
    }

    /** Works after each response. */
    private static final class Working implements Behaviour {
        @Override
        public Request next() {
            return new Request.Echo(new byte[0]);
        }

        @Override
        public long workNanos() {
            return WORK;
        }
    }

    /** Answers at once, and notes when a request started. */
    private Status answer(Request request, Completion completion) {
        starts.add(timers.now);
        Status status = answers.isEmpty() ? Status.OK : answers.poll();
        Response response = status == Status.OK ? new Response.Echoed(new byte[0])
                : new Response.Failure(status, "refused");
        completion.completed(0, status, response, timers.now, timers.now);
        return Status.OK;
    }

    /** Timers whose time passes when the test says so. */
    private static final class ManualTimers implements Timers {
        private final PriorityQueue<Timer> waiting = new PriorityQueue<>(Comparator.comparingLong(Timer::dueNanos));
        private long now;

        private record Timer(long dueNanos, Runnable action) {
        }

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public void at(long dueNanos, Runnable action) {
            waiting.add(new Timer(dueNanos, action));
        }

        private void runUntil(long nanos) {
            while (!waiting.isEmpty() && waiting.peek().dueNanos <= nanos) {
                now = waiting.peek().dueNanos;
                waiting.poll().action.run();
            }
            now = nanos;
        }
    }
}
