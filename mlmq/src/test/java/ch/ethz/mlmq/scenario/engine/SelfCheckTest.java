package ch.ethz.mlmq.scenario.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.scenario.pacing.Phase;
import ch.ethz.mlmq.scenario.recording.Delay;
import ch.ethz.mlmq.scenario.recording.MessageLedger;
import ch.ethz.mlmq.scenario.recording.Recording;
import ch.ethz.mlmq.scenario.selfcheck.Verdict;
import org.junit.jupiter.api.Test;

class SelfCheckTest {
    /** Otherwise more requests would be late than were counted. */
    @Test
    void shouldCountWhatNeverStartedAmongTheArrivals() {
        Recording recording = new Recording(true, nanos -> Phase.MEASURING,
                (action, start, end, clients, service) -> { }, 1, MessageLedger.counting(), () -> 1);
        recording.started(new Request.KeepAlive(), 1, Delay.BY_CLIENT);
        recording.notStarted(2);
        recording.notStarted(3);

        try (Pacer pacer = new Pacer()) {
            Verdict verdict = new SelfCheck(pacer).verdict(true, recording.counts(Phase.MEASURING), 0);

            assertThat(verdict.arrivals()).isEqualTo(3);
            assertThat(verdict.lateByClient()).as("no connection, no room: nothing that the client did").isEqualTo(1);
        }
    }
}
