package ch.ethz.mlmq.log_analyzer.vocabulary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.log_analyzer.check.Topic;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CheckBoundsTest {
    @Test
    void shouldBeThoseOfTheChecks() {
        assertThat(Arrays.stream(Topic.values()).map(Topic::toString)).containsExactlyElementsOf(CheckBounds.titles());
    }

    @Test
    void shouldBeSharesAndMilliseconds() {
        assertThat(CheckBounds.rejected("Late starts")).isEqualTo(0.01);
        assertThat(CheckBounds.rejected("Clocks agree")).isEqualTo(1_000);
        assertThat(CheckBounds.warning("Clocks agree")).isEqualTo(10);
    }

    @Test
    void shouldRefuseABoundThatACheckLacks() {
        assertThatThrownBy(() -> CheckBounds.rejected("Errors")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Errors");
        assertThatThrownBy(() -> CheckBounds.warning("no check")).isInstanceOf(IllegalArgumentException.class);
    }
}
