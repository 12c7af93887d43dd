package ch.ethz.mlmq.scenario.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.client.Completion;
import ch.ethz.mlmq.log.Recorder;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.Status;
import ch.ethz.mlmq.scenario.Behaviour;
import ch.ethz.mlmq.scenario.ClientId;
import ch.ethz.mlmq.scenario.engine.LoadClient.LoadRules;
import ch.ethz.mlmq.scenario.link.Link;
import ch.ethz.mlmq.scenario.pacing.Phase;
import ch.ethz.mlmq.scenario.pacing.PhasePlan;
import ch.ethz.mlmq.scenario.pacing.ThinkTime;
import ch.ethz.mlmq.scenario.recording.MessageLedger;
import ch.ethz.mlmq.scenario.recording.Recording;
import ch.ethz.mlmq.scenario.workload.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A client whose behaviour works between a response and the next request, in a time of its own. */
class WorkTest {
    private static final long WORK = 5_000_000;
    private static final long THOUGHT = 2_000_000;
    private static final long END = 50_000_000;

    private final ManualTimers timers = new ManualTimers();
    private final List<Long> starts = new ArrayList<>();

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

    private LoadClient client(boolean open) {
        LoadControl control = new LoadControl(new PhasePlan(0, 0, END, 0), 0);
        Recording recording = new Recording(open, nanos -> Phase.MEASURING, Recorder.NONE, 0, MessageLedger.counting(),
                () -> 1);
        LoadRules rules = new LoadRules(open, 1, END, new ThinkTime.Fixed(THOUGHT));
        return new LoadClient(new ClientId("Echo", 0, 0), new PromptLink(), new Working(), rules,
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
    private final class PromptLink implements Link {
        @Override
        public Status submit(Request request, Completion completion) {
            starts.add(timers.now);
            completion.completed(0, Status.OK, new Response.Echoed(new byte[0]), timers.now, timers.now);
            return Status.OK;
        }

        @Override
        public boolean isConnected() {
            return true;
        }

        @Override
        public String state() {
            return "connected";
        }

        @Override
        public CompletableFuture<Void> close() {
            return CompletableFuture.completedFuture(null);
        }
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
