package ch.ethz.mlmq.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitsTest {
    @ParameterizedTest
    @CsvSource({"500us,PT0.0005S", "250ms,PT0.25S", "10s,PT10S", "2min,PT2M", "1h,PT1H", "0,PT0S"})
    void shouldReadDurations(String text, Duration expected) {
        assertThat(Units.duration(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10", "s", "-1s", "1.5s", "10 s", "10sec"})
    void shouldRefuseWhatIsNoDuration(String text) {
        assertThatThrownBy(() -> Units.duration(text)).hasMessageContaining("250ms");
    }

    @ParameterizedTest
    @CsvSource({"100/s,100", "6000/min,100", "3600/h,1", "0.5/s,0.5", "0,0"})
    void shouldReadRatesPerSecond(String text, double expected) {
        assertThat(Units.rate(text)).isEqualTo(expected);
    }

    @Test
    void shouldRefuseWhatIsNoRate() {
        assertThatThrownBy(() -> Units.rate("100")).hasMessageContaining("100/s");
    }
}
