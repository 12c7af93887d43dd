package ch.ethz.mlmq.scenario.selfcheck;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VerdictTest {
    @Test
    void shouldFindNothingWrongWithAClientThatHeldItsPromises() {
        assertThat(new Verdict(0.75, 0.75, 0, 1_000, 10).clientWasTheBottleneck()).isEmpty();
        assertThat(new Verdict(0, 0, 0, 0, 0).clientWasTheBottleneck()).isEmpty();
    }

    @Test
    void shouldBlameAClientThatTookMostOfTheMachine() {
        assertThat(new Verdict(0.76, 0.5, 0, 0, 0).clientWasTheBottleneck()).hasValueSatisfying(reason ->
                assertThat(reason).contains("76 %").contains("machine"));
    }

    @Test
    void shouldBlameAClientWithOneThreadAtItsLimitOnAMachineOfMany() {
        assertThat(new Verdict(0.1, 0.98, 0, 0, 0).clientWasTheBottleneck()).hasValueSatisfying(reason ->
                assertThat(reason).contains("98 %").contains("thread"));
    }

    @Test
    void shouldBlameAClientThatStartedOverOnePercentLate() {
        assertThat(new Verdict(0.1, 0.1, 0, 1_000, 11).clientWasTheBottleneck()).hasValueSatisfying(reason ->
                assertThat(reason).contains("1.1 %").contains("late"));
    }
}
