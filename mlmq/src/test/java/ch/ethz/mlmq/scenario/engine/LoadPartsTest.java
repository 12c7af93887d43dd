package ch.ethz.mlmq.scenario.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ch.ethz.mlmq.log.Recorder;
import ch.ethz.mlmq.scenario.pacing.ArrivalTimes;
import ch.ethz.mlmq.scenario.pacing.PhasePlan;
import ch.ethz.mlmq.scenario.pacing.RatePlan;
import ch.ethz.mlmq.scenario.recording.MessageLedger;
import ch.ethz.mlmq.scenario.recording.Recording;
import ch.ethz.mlmq.scenario.settings.LoadGrammars;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

/** Parts of a load in a time of its own: 10 s of warm-up at 100/s, then the parts, then 5 s of cool-down. */
class LoadPartsTest {
    private static final long SECOND = 1_000_000_000;
    private static final long START = 1_000 * SECOND;
    private static final long MEASURING = START + 10 * SECOND;

    private final VirtualTimers timers = new VirtualTimers();
    private LoadControl control;
    private OpenLoad open;
    private LoadParts parts;

    @Test
    void shouldChangeTheRateWithEachPartAtItsTime() {
        begin("before: 20s; spike: 10s 800/s; after: 30s 50/s", 60);

        timers.runUntil(MEASURING + 60 * SECOND);

        assertThat(planned(0, 20)).isEqualTo(2_000, within(1.0));
        assertThat(planned(20, 30)).isEqualTo(8_000, within(1.0));
        assertThat(planned(30, 60)).isEqualTo(1_500, within(1.0));
        assertThat(parts.spans(timers.now)).containsExactly(span(1, "before", 0, 20), span(2, "spike", 20, 30),
                span(3, "after", 30, 60));
    }

    @Test
    void shouldPauseInAPausedPartOnly() {
        begin("before: 20s; outage: 10s paused; after: 30s", 60);

        timers.runUntil(MEASURING + 25 * SECOND);
        assertThat(control.isPaused()).isTrue();
        timers.runUntil(MEASURING + 60 * SECOND);

        assertThat(control.isPaused()).isFalse();
        assertThat(planned(20, 30)).isZero();
        assertThat(planned(30, 60)).isEqualTo(3_000, within(1.0));
    }

    @Test
    void shouldPlanNothingAtTheRateZeroUntilThereIsAnotherRate() {
        begin("before: 20s; none: 10s 0/s; still: 10s; after: 20s 10/s", 60);

        timers.runUntil(MEASURING + 60 * SECOND);

        assertThat(planned(20, 40)).isZero();
        assertThat(planned(40, 60)).isEqualTo(200, within(1.0));
    }

    @Test
    void shouldStayAtTheRateZeroThoughACommandResumesTheLoad() {
        begin("before: 20s; none: 10s 0/s; after: 30s 10/s", 60);

        timers.runUntil(MEASURING + 22 * SECOND);
        parts.resume();
        timers.runUntil(MEASURING + 60 * SECOND);

        assertThat(planned(20, 30)).isZero();
        assertThat(planned(30, 60)).isEqualTo(300, within(1.0));
    }

    @Test
    void shouldTakeTheRateOfACommandInAPartAtTheRateZero() {
        begin("before: 20s; none: 10s 0/s; after: 30s", 60);

        timers.runUntil(MEASURING + 22 * SECOND);
        parts.rate(new RatePlan.Constant(50));
        timers.runUntil(MEASURING + 60 * SECOND);

        assertThat(planned(20, 22)).isZero();
        assertThat(planned(22, 60)).isEqualTo(38 * 50, within(1.0));
    }

    @Test
    void shouldKeepAPauseThoughACommandChangesTheRate() {
        begin("before: 20s; none: 10s 0/s paused; after: 30s", 60);

        timers.runUntil(MEASURING + 22 * SECOND);
        parts.rate(new RatePlan.Constant(50));
        timers.runUntil(MEASURING + 60 * SECOND);

        assertThat(planned(20, 30)).isZero();
        assertThat(planned(30, 60)).isEqualTo(30 * 50, within(1.0));
    }

    @Test
    void shouldResumeAtTheEndOfAPausedLastPart() {
        begin("before: 20s; outage: 40s paused", 60);

        timers.runUntil(MEASURING + 60 * SECOND);

        assertThat(control.isPaused()).isFalse();
        assertThat(control.plan().measuringEnd()).isEqualTo(MEASURING + 60 * SECOND);
    }

    @Test
    void shouldEndAPartByCommandAndMoveTheRestForward() {
        begin("before: 20s; drain: until 60s; after: 20s", 100);
        timers.runUntil(MEASURING + 30 * SECOND);

        assertThat(parts.end(2, MEASURING + 31 * SECOND)).isTrue();
        timers.runUntil(MEASURING + 100 * SECOND);

        assertThat(parts.spans(timers.now)).containsExactly(span(1, "before", 0, 20), span(2, "drain", 20, 31),
                span(3, "after", 31, 51));
        assertThat(control.plan().measuringEnd()).isEqualTo(MEASURING + 51 * SECOND);
    }

    @Test
    void shouldEndMeasuringWithTheLastPart() {
        begin("before: 20s; drain: until 60s", 80);
        timers.runUntil(MEASURING + 30 * SECOND);

        parts.end(2, MEASURING);
        timers.runUntil(MEASURING + 80 * SECOND);

        assertThat(control.plan().measuringEnd()).isEqualTo(MEASURING + 30 * SECOND);
        assertThat(control.plan().end()).isEqualTo(MEASURING + 35 * SECOND);
    }

    @Test
    void shouldEndAPartAtTheLatestAfterItsLength() {
        begin("before: 20s; drain: until 60s; after: 20s", 100);

        timers.runUntil(MEASURING + 100 * SECOND);

        assertThat(parts.spans(timers.now)).contains(span(2, "drain", 20, 80), span(3, "after", 80, 100));
    }

    @Test
    void shouldEndNoOtherPartThanTheOneAtWorkThatHasAnUntil() {
        begin("before: 20s; drain: until 60s; after: 20s", 100);

        assertThat(parts.end(1, MEASURING)).as("not begun").isFalse();
        timers.runUntil(MEASURING + 10 * SECOND);
        assertThat(parts.end(1, MEASURING)).as("of a fixed length").isFalse();
        assertThat(parts.end(2, MEASURING)).as("not at work").isFalse();
        assertThat(parts.end(9, MEASURING)).as("unknown").isFalse();
    }

    @Test
    void shouldEndAPartOnceThoughTwoCommandsSaySo() {
        begin("drain: until 60s; refill: until 20s; after: 20s", 100);
        timers.runUntil(MEASURING + 10 * SECOND);

        parts.end(1, MEASURING + 11 * SECOND);
        parts.end(1, MEASURING + 12 * SECOND);
        timers.runUntil(MEASURING + 100 * SECOND);

        assertThat(parts.spans(timers.now)).containsExactly(span(1, "drain", 0, 11), span(2, "refill", 11, 31),
                span(3, "after", 31, 51));
    }

    @Test
    void shouldReachNoPartOfALoadThatWasShutDown() {
        begin("before: 20s; outage: 10s paused; after: 30s", 60);
        timers.runUntil(MEASURING + 15 * SECOND);

        control.shutDown(timers.now);
        timers.runUntil(MEASURING + 60 * SECOND);

        assertThat(parts.spans(timers.now)).containsExactly(span(1, "before", 0, 15));
        assertThat(control.isPaused()).isFalse();
    }

    private void begin(String plan, int seconds) {
        control = new LoadControl(new PhasePlan(START, 10 * SECOND, seconds * SECOND, 5 * SECOND), 0);
        open = new OpenLoad(ArrivalTimes.fixed(new RatePlan.Constant(100), 0), control, timers, false);
        Recording recording = new Recording(true, control::phaseAt, Recorder.NONE, 0, MessageLedger.counting(),
                () -> 1);
        Participants participants = new Participants(open, control, recording);
        parts = new LoadParts(LoadGrammars.load().parse(plan), control, open, participants, timers);
        participants.begin(List.of(), timers);
        parts.begin();
    }

    /** @return arrivals between two seconds of measuring */
    private double planned(int from, int to) {
        return open.planned(MEASURING + from * SECOND, MEASURING + to * SECOND);
    }

    private static LoadParts.Span span(int number, String name, int from, int to) {
        return new LoadParts.Span(number, name, MEASURING + from * SECOND, MEASURING + to * SECOND);
    }

    /** Runs actions when the test says so. */
    private static final class VirtualTimers implements Timers {
        private final PriorityQueue<Timer> queue = new PriorityQueue<>(
                Comparator.comparingLong(Timer::at).thenComparingLong(Timer::order));
        private long now = START - SECOND;
        private long order;

        /** A scheduled action. */
        private record Timer(long at, long order, Runnable action) {
        }

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public void at(long dueNanos, Runnable action) {
            queue.add(new Timer(dueNanos, order++, action));
        }

        void runUntil(long nanos) {
            while (!queue.isEmpty() && queue.peek().at <= nanos) {
                Timer next = queue.poll();
                now = Math.max(now, next.at);
                next.action.run();
            }
            now = Math.max(now, nanos);
        }
    }
}
