package ch.ethz.mlmq.broker.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.broker.TestBroker;
import ch.ethz.mlmq.config.ConfigurationException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BrokerLimitsTest {
    @Test
    void shouldUseAQuarterOfTheMemoryForConnectionsByDefault() {
        long max = BrokerLimits.of(TestBroker.settings(Map.of())).memoryMax();

        assertThat(max).isEqualTo(MemoryBudget.share()).isPositive()
                .isLessThanOrEqualTo(Runtime.getRuntime().maxMemory() / 4);
    }

    @Test
    void shouldRefuseAFrameThatNobodyCouldEverSend() {
        assertThatThrownBy(() -> BrokerLimits.of(TestBroker.settings(
                Map.of("broker.memory.max", "1000000", "broker.frame.max", "600000"))))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("broker.memory.max=1000000: at least 1200000 are needed, twice broker.frame.max");
    }

    /** A frame of a gigabyte, with its length, is longer than the longest buffer. */
    @Test
    void shouldRefuseFramesOfAGigabyte() {
        assertThatThrownBy(() -> TestBroker.settings(Map.of("broker.frame.max", "1073741821")))
                .isInstanceOf(ConfigurationException.class).hasMessageContaining("65536..1073741820");
    }
}
