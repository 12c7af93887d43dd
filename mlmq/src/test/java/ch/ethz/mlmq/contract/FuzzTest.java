package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.FrameFuzzer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Throws frames at a broker, good and bad, over thousands of connections: it lives, whoever behaves well beside it
 * notices nothing, and every buffer comes back. {@code bench/fuzz --frames N --seed S} runs it with other numbers.
 */
class FuzzTest {
    private static final int FRAMES = Integer.getInteger("fuzz.frames", 200_000);
    private static final long SEED = Long.getLong("fuzz.seed", 20_131_105L);
    private static final int ATTACKERS = 4;

    @RegisterExtension
    static final Brokers BROKERS = new Brokers(Map.of("broker.workers", "2"));

    @Test
    void shouldSurviveWhateverComesOverTheWire() throws Exception {
        String address = BROKERS.address(StorageKind.MEMORY);
        Neighbour neighbour = new Neighbour(BROKERS.clientAt(address), BROKERS.name("neighbour"));
        ExecutorService threads = Executors.newCachedThreadPool();
        Future<Long> visits = threads.submit(neighbour::behaveWell);
        List<Future<Attacker.Tally>> attacks = new ArrayList<>();
        for (int i = 0; i < ATTACKERS; i++) {
            Attacker attacker = new Attacker(BROKERS.name("attacker") + "-", address, SEED + i, FRAMES / ATTACKERS);
            attacks.add(threads.submit(attacker::attack));
        }
        Attacker.Tally sum = new Attacker.Tally();
        for (Future<Attacker.Tally> attack : attacks) {
            sum.add(attack.get(2, TimeUnit.HOURS));
        }
        neighbour.goHome();

        assertThat(visits.get(1, TimeUnit.MINUTES)).as("requests of the neighbour").isPositive();
        assertThat(sum.frames()).isEqualTo(FRAMES / ATTACKERS * ATTACKERS);
        assertThat(sum.answers()).as("answers to attackers").isPositive();
        assertThat(sum.protocolErrors()).as("protocol errors").isPositive();
        BROKERS.until("only the neighbour is left", () -> BROKERS.gauge(address, "clients") == 1);
        BROKERS.until("all buffers are back", () -> BROKERS.gauge(address, "buffers") == 0);
        assertThat(BROKERS.clientAt(address).echo(new byte[] {1})).containsExactly(1);
        threads.shutdown();
        System.out.println("seed " + SEED + " " + sum + " neighbour " + visits.get() + " errors 0 buffers out 0");
    }

    @Test
    void shouldUnderstandEveryFrameSplitAtEveryByte() throws Exception {
        FrameFuzzer fuzzer = new FrameFuzzer(SEED);
        List<FrameFuzzer.Frame> frames = new ArrayList<>();
        for (int id = 1; id <= 50; id++) {
            byte[] whole = fuzzer.wellFormed(id);
            for (int at = 1; at < Math.min(200, whole.length); at++) {
                frames.add(FrameFuzzer.split(whole, at));
            }
        }

        Attacker splitter = new Attacker(BROKERS.name("splitter") + "-", BROKERS.address(StorageKind.MEMORY), SEED, 0);
        Attacker.Tally tally = splitter.send(frames);

        assertThat(tally.frames()).isEqualTo(frames.size());
        assertThat(tally.protocolErrors()).isZero();
    }
}
