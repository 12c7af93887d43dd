package ch.ethz.mlmq.scenario.link;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.Limits;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ConsumingTest {
    @Test
    void shouldLeaseAsLongAsTheWorkForAllMessagesNeeds() {
        assertThat(Consuming.leaseMillis(20, Duration.ofSeconds(5))).isEqualTo(400_000);
        assertThat(Consuming.leaseMillis(20_000, Duration.ofSeconds(10))).isEqualTo(Limits.MAX_LEASE_MILLIS);
    }

    @Test
    void shouldLeaseForHalfAMinuteWithoutWork() {
        assertThat(Consuming.leaseMillis(1_000, Duration.ZERO)).isEqualTo(30_000);
    }
}
