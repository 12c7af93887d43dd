package ch.ethz.mlmq.scenario.selfcheck;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StallMeterTest {
    private final StallMeter meter = new StallMeter();

    @Test
    void shouldRememberTheLongestDelayOnly() {
        meter.ran(100, 130);
        meter.ran(200, 290);
        meter.ran(300, 301);

        assertThat(meter.longestNanos()).isEqualTo(90);
    }

    @Test
    void shouldForgetWhatWasBeforeMeasuring() {
        meter.ran(100, 130);

        meter.reset();

        assertThat(meter.longestNanos()).isZero();
    }
}
