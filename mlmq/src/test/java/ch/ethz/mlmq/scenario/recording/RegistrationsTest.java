package ch.ethz.mlmq.scenario.recording;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.log.Recorder;
import java.util.List;
import org.junit.jupiter.api.Test;

class RegistrationsTest {
    private static final long SECOND = 1_000_000_000;

    private final Registrations registrations = new Registrations(Recorder.NONE);

    @Test
    void shouldCountOnlyTheTimeInWhichARegistrationWasUnderWay() {
        assertThat(registrations.rate()).isNaN();
        make(0, SECOND);
        make(SECOND, 2 * SECOND);
        make(60 * SECOND, 61 * SECOND);

        assertThat(registrations.rate()).isEqualTo(1);
        assertThat(registrations.eachTime()).hasSize(1);
        assertThat(registrations.eachTime().get(0).get(1)).isEqualTo(3);
    }

    @Test
    void shouldCountTheTimeUpToTheLastOneThatEndedIfOthersNeverDo() {
        registrations.asked(0);
        registrations.asked(0);
        registrations.subscribed(0, 4 * SECOND, 1);
        assertThat(registrations.rate()).isEqualTo(0.25);

        registrations.asked(5 * SECOND);
        registrations.refused(8 * SECOND);
        assertThat(registrations.rate()).as("what was refused took time, too").isEqualTo(1 / 8.0);
    }

    @Test
    void shouldTellEachDelayOfAFirstMessage() {
        registrations.first(2_000_000);
        registrations.first(-5);

        assertThat(registrations.firsts().count()).isEqualTo(2);
        assertThat(registrations.eachFirst()).contains(List.of(0L, 1L)).hasSize(2);
    }

    private void make(long start, long end) {
        registrations.asked(start);
        registrations.subscribed(start, end, 1);
    }
}
