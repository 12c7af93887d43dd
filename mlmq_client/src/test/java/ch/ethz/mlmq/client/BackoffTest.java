package ch.ethz.mlmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private final ClientConfig config = ClientConfig.builder().backoffMillis(50, 1_000)
            .brokers(BrokerAddress.parseList("a:1,b:1")).build();

    @Test
    void shouldDoubleAfterEachRoundOfBrokersUpToItsLimit() {
        Session.Backoff backoff = new Session.Backoff(config, new SplittableRandom(1));

        for (long due : new long[] {50, 50, 100, 100, 200, 200, 400, 400, 800, 800, 1_000, 1_000, 1_000}) {
            assertThat(backoff.nextMillis()).isBetween(due / 2, due);
        }
        for (int i = 0; i < 1_000; i++) {
            assertThat(backoff.nextMillis()).isBetween(500L, 1_000L);
        }
    }

    @Test
    void shouldBeginAnewAfterASuccess() {
        Session.Backoff backoff = new Session.Backoff(config, new SplittableRandom(1));
        for (int i = 0; i < 10; i++) {
            backoff.nextMillis();
        }

        backoff.reset();

        assertThat(backoff.nextMillis()).isBetween(25L, 50L);
    }

    @Test
    void shouldNotSendAllClientsBackAtTheSameMoment() {
        Set<Long> delays = new HashSet<>();
        for (int seed = 0; seed < 100; seed++) {
            delays.add(new Session.Backoff(config, new SplittableRandom(seed)).nextMillis());
        }
        assertThat(delays).hasSizeGreaterThan(10);
    }
}
