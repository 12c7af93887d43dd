package ch.ethz.mlmq.storage.memory;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.Message;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MemoryTimesToLiveTest {
    private final MemoryTimesToLive ends = new MemoryTimesToLive();
    private final MemoryQueue queue = new MemoryQueue(3, "queue", 0);
    private final Map<Integer, MemoryQueue> queues = Map.of(3, queue);

    @Test
    void shouldKeepNoContentOfAMessageThatWasTaken() {
        WeakReference<byte[]> content = new WeakReference<>(sendAndTake(1, 31_536_000_000L));

        for (int i = 0; i < 20 && content.get() != null; i++) {
            System.gc();
        }

        assertThat(content.get() == null).as("forgotten").isTrue();
        ends.end(1, queues, Set.of());
    }

    @Test
    void shouldRemoveWhatIsInItsQueueAndFollowWhatIsLeased() {
        Message waiting = message(1, new byte[1]);
        queue.add(waiting);
        ends.add(waiting, 100);
        ends.add(message(2, new byte[1]), 100);

        ends.end(99, queues, Set.of(2L));
        assertThat(queue.size()).isEqualTo(1);
        ends.end(100, queues, Set.of(2L));
        assertThat(queue.size()).isZero();

        queue.add(message(2, new byte[1]));
        ends.end(2_000, queues, Set.of());
        assertThat(queue.size()).isZero();
    }

    @Test
    void shouldLookAgainAfterAMinuteForWhatADeliveryThatFailedPutsBack() {
        sendAndTake(1, 100);
        ends.end(100, queues, Set.of());
        queue.add(message(1, new byte[1]));

        ends.end(60_099, queues, Set.of());
        assertThat(queue.size()).isEqualTo(1);
        ends.end(60_100, queues, Set.of());
        assertThat(queue.size()).isZero();
    }

    private byte[] sendAndTake(long id, long end) {
        Message message = message(id, new byte[1_000]);
        queue.add(message);
        ends.add(message, end);
        queue.remove(message);
        return message.content();
    }

    private static Message message(long id, byte[] content) {
        return new Message(id, 3, new Message.Envelope(1, 0, 5, 0, 0), Message.Delivery.NONE, content);
    }
}
