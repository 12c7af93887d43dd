package ch.ethz.mlmq.scenario.pacing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ClientStepsTest {
    private static final long MINUTE = 60_000;

    @Test
    void shouldAddClientsAtEveryStepUpToTheLast() {
        ClientSteps steps = new ClientSteps(20, 2 * MINUTE, 450);

        assertThat(steps.clientsAt(20, 0)).isEqualTo(20);
        assertThat(steps.clientsAt(20, 2 * MINUTE - 1)).isEqualTo(20);
        assertThat(steps.clientsAt(20, 2 * MINUTE)).isEqualTo(40);
        assertThat(steps.clientsAt(20, 42 * MINUTE)).isEqualTo(440);
        assertThat(steps.clientsAt(20, 44 * MINUTE)).isEqualTo(450);
        assertThat(steps.clientsAt(20, Long.MAX_VALUE)).isEqualTo(450);
        assertThat(steps.most(20)).isEqualTo(450);
    }

    @Test
    void shouldStayAsItIsWithoutSteps() {
        assertThat(ClientSteps.NONE.clientsAt(64, Long.MAX_VALUE)).isEqualTo(64);
        assertThat(ClientSteps.NONE.most(64)).isEqualTo(64);
    }

    @Test
    void shouldRefuseALimitBelowTheFirstStep() {
        assertThatThrownBy(() -> new ClientSteps(20, 1, 19)).hasMessageContaining("limit");
    }
}
