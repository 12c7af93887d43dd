package ch.ethz.mlmq.scenario.selfcheck;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CpuShareTest {
    @Test
    void shouldSeeWorkInTheJvmAndInItsBusiestThread() {
        CpuShare share = new CpuShare();

        long end = java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() + 50_000_000;
        while (java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() < end) {
            Thread.onSpinWait();
        }

        assertThat(share.ofMachine()).isGreaterThan(0).isLessThanOrEqualTo(1);
        assertThat(share.ofBusiestThread()).isGreaterThan(0).isLessThanOrEqualTo(1);
    }
}
