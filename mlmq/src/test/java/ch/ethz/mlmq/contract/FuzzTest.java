package ch.ethz.mlmq.contract;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.config.StorageKind;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.protocol.wire.FrameFuzzer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
 * Sends valid and invalid frames to a broker over thousands of connections. The broker must survive, a correct client
 * must notice nothing, and every buffer must be returned. {@code bench/fuzz --frames N --seed S} runs it with other
 * numbers.
 */
class FuzzTest {
    private static final int FRAMES = Integer.getInteger("fuzz.frames", 100_000);
    private static final long SEED = Long.getLong("fuzz.seed", 20_131_105L);
    private static final int ATTACKERS = 4;
    /** Number of frames from pests, among all frames. */
    private static final int PEST_FRAMES = FRAMES / 10;
    /** File for reports of the progress every few seconds; empty for none. */
    private static final String BOOKS = System.getProperty("fuzz.books", "");
    private static final long BETWEEN_BOOKS_SECONDS = 3;

    @RegisterExtension
    static final Brokers BROKERS = new Brokers(Map.of("broker.workers", "2", "broker.memory.max", "8400000",
            "broker.connection.register.timeout", "1s", "broker.connection.write.timeout", "1s",
            "broker.connection.keepalive.timeout", "5s"));

    private long bookedNanos = System.nanoTime();

    @Test
    void shouldSurviveWhateverComesOverTheWire() throws Exception {
        String address = BROKERS.address(StorageKind.MEMORY);
        Neighbour neighbour = new Neighbour(BROKERS.clientAt(address), BROKERS.name("neighbour"));
        ExecutorService threads = Executors.newCachedThreadPool();
        Future<Long> visits = threads.submit(neighbour::behaveWell);
        List<Future<Attacker.Tally>> attacks = new ArrayList<>();
        List<Attacker.Tally> tallies = new ArrayList<>();
        for (int i = 0; i < ATTACKERS; i++) {
            Attacker attacker = new Attacker(BROKERS.name("attacker") + "-", address, SEED + i,
                    (FRAMES - PEST_FRAMES) / ATTACKERS);
            tallies.add(attacker.tally());
            attacks.add(threads.submit(attacker::attack));
        }
        Pest pest = new Pest(BROKERS.name("pest") + "-", address, SEED + ATTACKERS, PEST_FRAMES);
        tallies.add(pest.tally());
        attacks.add(threads.submit(pest::attack));
        while (!attacks.stream().allMatch(Future::isDone)) {
            TimeUnit.MILLISECONDS.sleep(20);
            keepBooks(tallies, neighbour, address);
        }
        Attacker.Tally sum = new Attacker.Tally();
        for (Future<Attacker.Tally> attack : attacks) {
            sum.add(attack.get());
        }
        neighbour.goHome();

        assertThat(visits.get(1, TimeUnit.MINUTES)).as("requests of the neighbour").isPositive();
        assertThat(sum.frames()).isEqualTo((FRAMES - PEST_FRAMES) / ATTACKERS * ATTACKERS + PEST_FRAMES);
        assertThat(sum.answers()).as("answers to attackers").isPositive();
        assertThat(sum.protocolErrors()).as("protocol errors").isPositive();
        BROKERS.until("only the neighbour is left", () -> BROKERS.gauge(address, "clients") == 1);
        BROKERS.until("all buffers are back", () -> BROKERS.gauge(address, "buffers") == 0);
        assertThat(BROKERS.clientAt(address).echo(new byte[] {1})).containsExactly(1);
        threads.shutdown();
        // Pests may be gone before the broker's patience is over; one that stays and says nothing is not.
        try (RawClient silent = new RawClient(address)) {
            BROKERS.until("one that says nothing is sent away", () -> BROKERS.sentAway(address) > 0);
            assertThat(silent.read()).isInstanceOf(Response.Failure.class);
        }
        System.out.println("seed " + SEED + " " + sum + " neighbour " + visits.get() + " sent away "
                + BROKERS.sentAway(address) + " errors 0 buffers out 0");
    }

    /** So that whoever watches sees that it goes on, and an interrupted run has not been for nothing. */
    private void keepBooks(List<Attacker.Tally> tallies, Neighbour neighbour, String address) throws IOException {
        if (BOOKS.isEmpty() || System.nanoTime() - bookedNanos < TimeUnit.SECONDS.toNanos(BETWEEN_BOOKS_SECONDS)) {
            return;
        }
        bookedNanos = System.nanoTime();
        Attacker.Tally sum = new Attacker.Tally();
        tallies.forEach(sum::add);
        Files.writeString(Path.of(BOOKS), "seed " + SEED + " of " + FRAMES + ": " + sum + " neighbour "
                + neighbour.answered() + " sent away " + BROKERS.sentAway(address) + "\n", StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
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
