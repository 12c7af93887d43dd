package ch.ethz.mlmq.scenario.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PacerTest {
    private static final long MILLI = 1_000_000;

    private final Pacer pacer = new Pacer();
    private final List<String> done = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        pacer.close();
    }

    @Test
    void shouldDoThingsAtTheirTimesWhateverTheOrderTheyWereAskedForIn() throws Exception {
        CountDownLatch last = new CountDownLatch(1);
        long now = System.nanoTime();

        // The pacer's own thread asks, so that it starts none of them before all are requested.
        pacer.at(now, () -> {
            pacer.at(now + 60 * MILLI, last::countDown);
            pacer.at(now + 40 * MILLI, () -> done.add("second"));
            pacer.at(now + 40 * MILLI, () -> done.add("third"));
            pacer.at(now + 20 * MILLI, () -> done.add("first"));
            pacer.at(now - 20 * MILLI, () -> done.add("at once"));
        });

        assertThat(last.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(System.nanoTime() - now).isGreaterThanOrEqualTo(60 * MILLI);
        assertThat(done).containsExactly("at once", "first", "second", "third");
    }

    @Test
    void shouldGoOnAfterAnError() throws Exception {
        CountDownLatch last = new CountDownLatch(1);

        pacer.at(System.nanoTime(), () -> {
            throw new IllegalStateException("on purpose");
        });
        pacer.at(System.nanoTime(), last::countDown);

        assertThat(last.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldKnowHowLongOneThingKeptAnotherWaiting() throws Exception {
        CountDownLatch last = new CountDownLatch(1);

        pacer.at(System.nanoTime(), () -> {
            pacer.at(System.nanoTime(), last::countDown);
            long begun = System.nanoTime();
            while (System.nanoTime() - begun < 40 * MILLI) {
                Thread.onSpinWait();
            }
        });

        assertThat(last.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(pacer.stalls().longestNanos()).isGreaterThanOrEqualTo(40 * MILLI);
    }
}
