package ch.ethz.mlmq.scenario.recording;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.protocol.MessageQuery;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.protocol.Response;
import ch.ethz.mlmq.scenario.workload.LoadMessage;
import ch.ethz.mlmq.scenario.workload.MessageId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EndToEndTest {
    private static final long MILLI = 1_000_000;
    /** Far above the time in which a thread may be interrupted between two readings of a clock. */
    private static final long AHEAD_MICROS = 3_600_000_000L;

    private final byte[] content = new LoadMessage(new MessageId(0, 1, 2), 0).encode(100);

    @Test
    void shouldStampByTheCommonClockOfAllMachines() {
        long here = stampOf(new EndToEnd(0, false));

        assertThat(here - stampOf(new EndToEnd(AHEAD_MICROS, false))).isBetween(AHEAD_MICROS - 1_000_000,
                AHEAD_MICROS + 1_000_000);
    }

    @Test
    void shouldReceiveByTheCommonClockOfAllMachines() {
        EndToEnd ahead = new EndToEnd(AHEAD_MICROS, false);
        stamp(ahead, content, 250 * MILLI);

        assertThat(sendingOf(ahead)).as("its own message").isBetween(250 * MILLI - 1_000, 250 * MILLI + 1_000);
        assertThat((sendingOf(new EndToEnd(0, false)) - 250 * MILLI) / 1_000)
                .as("the sender's clock is ahead by what it was told, and here by nothing")
                .isBetween(-AHEAD_MICROS - 1_000_000, -AHEAD_MICROS + 1_000_000);
    }

    private static long stampOf(EndToEnd machine) {
        byte[] own = new LoadMessage(new MessageId(0, 1, 2), 0).encode(100);
        stamp(machine, own, 250 * MILLI);
        return LoadMessage.stampOf(own);
    }

    private static void stamp(EndToEnd machine, byte[] content, long intendedNanos) {
        machine.stamp(new Request.SendMessage(new int[] {1}, 0, 5, 0, "", content), intendedNanos);
    }

    /** @return the intended start of the message by the receiver */
    private long sendingOf(EndToEnd receiver) {
        List<Long> nanos = new ArrayList<>();
        receiver.received(new Request.DequeueMessage(MessageQuery.queue(1)), new Response.Delivery(new Message(1, 1,
                new Message.Envelope(3, 0, 5, 0, 0), new Message.Delivery(1), content)), nanos::add);
        return nanos.get(0);
    }
}
