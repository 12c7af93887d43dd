package ch.ethz.mlmq.storage.postgresql.limit;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.storage.limit.QueueLimits;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LimitDirectoryTest {
    private static final QueueLimits ONE = new QueueLimits(1, 0, false, 0, 0, 0, 0);

    private final LimitDirectory directory = new LimitDirectory();

    /** A read that began before the commit of a change does not know it. */
    @Test
    void shouldKeepAChangeOfThisBrokerThatIsMadeWhileAllAreRead() {
        long before = directory.changes();
        directory.learn(7, ONE);

        assertThat(directory.learn(Map.of(8, ONE), before)).as("all are known").isFalse();
        assertThat(directory.bounded()).containsExactlyInAnyOrder(7, 8);

        assertThat(directory.learn(Map.of(9, ONE), directory.changes())).isTrue();
        assertThat(directory.bounded()).containsExactly(9);
    }
}
