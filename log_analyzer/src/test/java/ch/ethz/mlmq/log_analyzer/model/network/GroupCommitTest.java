package ch.ethz.mlmq.log_analyzer.model.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class GroupCommitTest {
    private static final GroupCommit SLOW = new GroupCommit(0.005, 0.0001, 512);

    @Test
    void shouldBeginASecondBatchWhereItIsWorthIt() {
        GroupCommit quick = new GroupCommit(0.0005, 0.00002, 512);
        assertThat(quick.with(20, 2).underWay()).as("ends before patience does").isEqualTo(1);
        assertThat(quick.with(20, 2).batch()).as("as many wait").isCloseTo(10, within(1e-9));
        assertThat(quick.with(400, 2).underWay()).as("more than 40 wait").isEqualTo(2);
        assertThat(SLOW.with(20, 2).underWay()).as("takes longer than two patiences").isEqualTo(2);
        assertThat(new GroupCommit(0.0025, 0.00002, 512).with(10, 2).underWay()).as("one begins every 2 ms")
                .isBetween(1.25, 1.4);
        assertThat(SLOW.with(1, 2)).isEqualTo(new GroupCommit.State(1, 1, 1 / SLOW.time(1)));
        assertThat(SLOW.with(10_000, 2).rate()).as("all it can").isCloseTo(2 * 512 / SLOW.time(512), within(1e-6));
    }

    @Test
    void shouldBeNoSlowerWithMoreRequests() {
        for (double fixed : new double[] {0.0003, 0.0019, 0.0028, 0.009}) {
            GroupCommit batch = new GroupCommit(fixed, 0.00004, 64, 0.7);
            for (int workers : new int[] {1, 2, 8}) {
                double last = 0;
                for (int n = 1; n < 1_500; n++) {
                    GroupCommit.State state = batch.with(n, workers);
                    assertThat(state.rate()).as("%s with %s and %s", fixed, n, workers)
                            .isGreaterThanOrEqualTo(last * (1 - 1e-12));
                    last = state.rate();
                }
                assertThat(batch.busyAt(last / 2, workers)).isBetween(0.9, (double) workers);
            }
        }
    }
}
