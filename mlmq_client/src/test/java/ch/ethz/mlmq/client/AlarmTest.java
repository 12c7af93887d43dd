package ch.ethz.mlmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AlarmTest {
    private static final long STEP = TimeUnit.MILLISECONDS.toNanos(20);

    private final ClientLoop loop = ClientLoop.start("alarm-test");
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final Connection.Alarm alarm = new Connection.Alarm(loop, () -> events.add("rings"));

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    void shouldRingOnceAtTheEarliestOfItsTimes() throws Exception {
        CompletableFuture<List<String>> seen = new CompletableFuture<>();
        loop.execute(() -> {
            // Whatever stops this thread between two lines here only widens the gaps between these events.
            loop.schedule(STEP / 2, () -> events.add("before"));
            long now = System.nanoTime();
            alarm.set(Connection.Alarm.NEVER);
            alarm.set(now + 3 * STEP);
            alarm.set(now + STEP);
            alarm.set(now + 2 * STEP);
            loop.schedule(STEP + STEP / 2, () -> events.add("after"));
            loop.schedule(6 * STEP, () -> seen.complete(List.copyOf(events)));
        });

        assertThat(seen.get(30, TimeUnit.SECONDS)).containsExactly("before", "rings", "after");
    }

    @Test
    void shouldRingAgainWhereItIsSetAgain() throws Exception {
        for (int times = 1; times <= 3; times++) {
            int rings = times;
            loop.execute(() -> alarm.set(System.nanoTime()));
            Await.until("it rings", () -> events.size() == rings);
        }
    }
}
