package ch.ethz.mlmq.scenario.recording;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.scenario.workload.LoadMessage;
import ch.ethz.mlmq.scenario.workload.MessageId;
import org.junit.jupiter.api.Test;

class LatestReceiptsTest {
    private final LatestReceipts receipts = new LatestReceipts();

    @Test
    void shouldTellCopiesOfAMessageApartByTheirQueues() {
        for (int queue = 1; queue <= 1_000; queue++) {
            assertThat(receipts.add(message(0, queue))).isTrue();
        }
        for (int queue = 1; queue <= 1_000; queue++) {
            assertThat(receipts.add(message(0, queue))).isFalse();
        }
        assertThat(receipts.add(message(1, 1))).isTrue();
    }

    @Test
    void shouldTellMessagesOfLoadsApartThatBeginTheirIdsAgain() {
        for (long stamp = 1; stamp <= 1_000; stamp++) {
            assertThat(receipts.add(stamped(stamp))).isTrue();
        }
        for (long stamp = 1; stamp <= 1_000; stamp++) {
            assertThat(receipts.add(stamped(stamp))).isFalse();
        }
    }

    @Test
    void shouldRememberTheLatest() {
        for (int i = 0; i < 3 * LatestReceipts.LEAST; i++) {
            assertThat(receipts.add(message(i, 1 + i % 7))).isTrue();
        }
        for (int i = 2 * LatestReceipts.LEAST; i < 3 * LatestReceipts.LEAST; i++) {
            assertThat(receipts.add(message(i, 1 + i % 7))).isFalse();
        }
        assertThat(receipts.add(message(0, 1))).as("the first one is forgotten").isTrue();
    }

    private static Message stamped(long micros) {
        Message message = message(0, 1, LoadMessage.MIN_LENGTH_WITH_TIME);
        LoadMessage.stamp(message.content(), micros);
        return message;
    }

    private static Message message(int sequence, int queue) {
        return message(sequence, queue, LoadMessage.MIN_LENGTH_WITH_COUNTER);
    }

    private static Message message(int sequence, int queue, int length) {
        byte[] content = new LoadMessage(new MessageId(3, 2, sequence), 0).encode(length);
        return new Message(9, queue, new Message.Envelope(3, 0, 5, 0, 0), new Message.Delivery(1, 7), content);
    }
}
