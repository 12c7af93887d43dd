package ch.ethz.mlmq.scenario.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ch.ethz.mlmq.scenario.pacing.PhasePlan;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UnderWayTest {
    private static final long SECOND = 1_000_000_000;

    /** Starts close to the largest instant, so that sums overflow. */
    private final PhasePlan plan = new PhasePlan(Long.MAX_VALUE - 50 * SECOND, 10 * SECOND, 20 * SECOND, 10 * SECOND);
    private final UnderWay underWay = new UnderWay(plan::at);

    @Test
    void shouldCountTheTimesInWhichRequestsWereUnderWayWhileMeasuring() {
        request(1, 2, 9);
        assertThat(mean()).as("ended before").isZero();
        request(31, 31, 39);
        assertThat(mean()).as("sent afterwards").isZero();
        request(15, 15, 20);
        assertThat(mean()).as("sent and ended meanwhile").isEqualTo(0.25);
        request(5, 5, 15);
        assertThat(mean()).as("sent before").isEqualTo(0.5);
        request(25, 25, 48);
        assertThat(mean()).as("ended long afterwards").isEqualTo(0.75);
        request(2, 3, 35);
        assertThat(mean()).as("sent before, ended afterwards").isEqualTo(1.75);
        request(1, 25, 27);
        assertThat(mean()).as("waited before it was sent").isEqualTo(1.85);
    }

    @Test
    void shouldCountARequestThatNeverEndsFromItsPlannedStart() {
        underWay.started(at(5));
        assertThat(mean()).as("planned before measuring").isEqualTo(1);
        underWay.started(at(20));
        assertThat(mean()).as("planned in its middle").isEqualTo(1.5);
        underWay.started(at(32));
        assertThat(mean()).as("planned after it").isEqualTo(1.5);
    }

    @Test
    void shouldCountAnEndAsASendingIfTheDriverReportsThemInTheWrongOrder() {
        request(15, 17, 16);
        assertThat(mean()).isZero();
    }

    @Test
    void shouldEqualTheMeanOfManyInstants() {
        Random random = new Random(7);
        long from = plan.measuringStart();
        long to = plan.measuringEnd();
        double expected = 0;
        for (int i = 0; i < 10_000; i++) {
            long intended = at(0) + random.nextLong(40 * SECOND);
            long sent = intended + random.nextLong(SECOND);
            long end = sent + random.nextLong(9 * SECOND);
            underWay.started(intended);
            underWay.ended(intended, sent, end);
            expected += Math.max(0, Math.min(end, to) - Math.max(sent, from)) / (double) (to - from);
        }

        assertThat(mean()).isCloseTo(expected, within(1e-6));
    }

    private void request(long intended, long sent, long end) {
        underWay.started(at(intended));
        underWay.ended(at(intended), at(sent), at(end));
    }

    private double mean() {
        return underWay.mean(plan.measuringStart(), plan.measuringEnd());
    }

    private long at(long seconds) {
        return plan.startNanos() + seconds * SECOND;
    }
}
