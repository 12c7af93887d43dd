package ch.ethz.mlmq.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecordRingTest {
    private static final Action ACTION = Action.named("BQueue");

    @Test
    void shouldGiveBackWhatWasOfferedInItsOrder() {
        RecordRing ring = new RecordRing(4);
        ring.offer(ACTION, 1, 2, 3, 4);
        ring.offer(ACTION, 5, 6, 7, 8);
        List<String> taken = new ArrayList<>();

        int count = ring.drain((action, start, end, clients, service) ->
                taken.add(action + " " + start + " " + end + " " + clients + " " + service), 10);

        assertThat(count).isEqualTo(2);
        assertThat(taken).containsExactly("BQueue 1 2 3 4", "BQueue 5 6 7 8");
    }

    @Test
    void shouldCountWhatDidNotFitInsteadOfWaiting() {
        RecordRing ring = new RecordRing(4);
        for (int i = 0; i < 6; i++) {
            assertThat(ring.offer(ACTION, i, i, 0, 0)).isEqualTo(i < 4);
        }

        assertThat(ring.dropped()).isEqualTo(2);
        assertThat(ring.drain((action, start, end, clients, service) -> { }, 10)).isEqualTo(4);
        assertThat(ring.offer(ACTION, 0, 0, 0, 0)).isTrue();
    }

    @Test
    void shouldLoseNothingBetweenManyThreadsAndOne() throws Exception {
        RecordRing ring = new RecordRing(64);
        int threads = 4;
        int each = 20_000;
        List<Thread> writers = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            Thread writer = new Thread(() -> {
                for (int i = 1; i <= each; i++) {
                    ring.offer(ACTION, i, 2L * i, 0, 0);
                }
            });
            writers.add(writer);
            writer.start();
        }
        AtomicLong taken = new AtomicLong();
        AtomicLong torn = new AtomicLong();
        while (writers.stream().anyMatch(Thread::isAlive)) {
            taken.addAndGet(drain(ring, torn));
        }
        taken.addAndGet(drain(ring, torn));

        assertThat(torn).hasValue(0);
        assertThat(taken.get() + ring.dropped()).isEqualTo((long) threads * each);
    }

    private static int drain(RecordRing ring, AtomicLong torn) {
        return ring.drain((action, start, end, clients, service) -> {
            if (end != 2 * start) {
                torn.incrementAndGet();
            }
        }, 1_000);
    }
}
