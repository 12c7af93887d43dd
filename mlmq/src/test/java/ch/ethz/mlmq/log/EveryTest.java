package ch.ethz.mlmq.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class EveryTest {
    private static final long START = Long.MAX_VALUE - 5;
    private final Every every = new Every(Duration.ofNanos(10), START);

    @Test
    void shouldBeDueOnceAPeriodAlsoWhereTheClockOverflows() {
        assertThat(every.isDue(START - 1)).isFalse();
        assertThat(every.isDue(START)).isTrue();
        assertThat(every.isDue(START + 9)).isFalse();
        assertThat(every.isDue(START + 12)).isTrue();
        assertThat(every.isDue(START + 21)).isFalse();
        assertThat(every.isDue(START + 22)).isTrue();
    }

    @Test
    void shouldBeginANewPeriodWhenItIsRestarted() {
        every.restart(START + 5);

        assertThat(every.isDue(START + 14)).isFalse();
        assertThat(every.isDue(START + 15)).isTrue();
    }

    @Test
    void shouldRestTheLongerTheLongerTheWorkTook() {
        every.rest(START, START + 1, 20);
        assertThat(every.isDue(START + 20)).isFalse();
        assertThat(every.isDue(START + 21)).isTrue();

        every.rest(START + 30, START + 30, 20);
        assertThat(every.isDue(START + 39)).isFalse();
        assertThat(every.isDue(START + 40)).isTrue();
    }
}
