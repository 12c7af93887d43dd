package ch.ethz.mlmq.scenario.pacing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PhasePlanTest {
    private final PhasePlan plan = new PhasePlan(1_000, 100, 500, 50);

    @Test
    void shouldLeadFromPhaseToPhase() {
        assertThat(plan.at(999)).isEqualTo(Phase.READY);
        assertThat(plan.at(1_000)).isEqualTo(Phase.WARMUP);
        assertThat(plan.at(1_099)).isEqualTo(Phase.WARMUP);
        assertThat(plan.at(1_100)).isEqualTo(Phase.MEASURING);
        assertThat(plan.at(1_599)).isEqualTo(Phase.MEASURING);
        assertThat(plan.at(1_600)).isEqualTo(Phase.COOLDOWN);
        assertThat(plan.at(1_649)).isEqualTo(Phase.COOLDOWN);
        assertThat(plan.at(1_650)).isEqualTo(Phase.DRAINING);
    }

    @Test
    void shouldLeaveOutPhasesThatTakeNoTime() {
        PhasePlan measuringOnly = new PhasePlan(0, 0, 10, 0);

        assertThat(measuringOnly.at(0)).isEqualTo(Phase.MEASURING);
        assertThat(measuringOnly.at(10)).isEqualTo(Phase.DRAINING);
    }

    @Test
    void shouldMeasureOnAndOnWhereUnlimited() {
        PhasePlan unlimited = new PhasePlan(System.nanoTime(), 100, PhasePlan.UNLIMITED, 50);

        assertThat(unlimited.at(System.nanoTime() + 1_000_000_000_000_000L)).isEqualTo(Phase.MEASURING);
        assertThat(unlimited.end()).isPositive();
    }

    @Test
    void shouldCoolDownFromTheInstantMeasuringIsEndedAt() {
        PhasePlan ended = plan.measuringEndedAt(1_200);

        assertThat(ended.at(1_199)).isEqualTo(Phase.MEASURING);
        assertThat(ended.at(1_200)).isEqualTo(Phase.COOLDOWN);
        assertThat(ended.end()).isEqualTo(1_250);
    }

    @Test
    void shouldEndAtAnyInstantWhateverPhaseItIsIn() {
        for (long instant : new long[] {0, 1_000, 1_050, 1_100, 1_300, 1_620, 5_000}) {
            PhasePlan ended = plan.endedAt(instant);

            assertThat(ended.at(instant + 1)).as("after %d", instant).isEqualTo(Phase.DRAINING);
        }
        assertThat(plan.endedAt(1_300).at(1_299)).isEqualTo(Phase.MEASURING);
        assertThat(plan.endedAt(1_620)).isEqualTo(new PhasePlan(1_000, 100, 500, 20));
    }

    @Test
    void shouldRefuseToMeasureForNoTime() {
        assertThatThrownBy(() -> new PhasePlan(0, 0, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PhasePlan(0, -1, 1, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
