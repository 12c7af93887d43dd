package ch.ethz.mlmq.scenario.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LongQueueTest {
    private final LongQueue queue = new LongQueue();

    @Test
    void shouldGiveBackInOrderWhileItGrowsAndWrapsAround() {
        long added = 0;
        long polled = 0;
        for (int round = 0; round < 100; round++) {
            for (int i = 0; i < round; i++) {
                queue.add(added++);
            }
            for (int i = 0; i < round / 2; i++) {
                assertThat(queue.poll()).isEqualTo(polled++);
            }
        }

        assertThat(queue.size()).isEqualTo((int) (added - polled));
        while (queue.size() > 0) {
            assertThat(queue.poll()).isEqualTo(polled++);
        }
        assertThatThrownBy(queue::poll).isInstanceOf(IllegalStateException.class);
    }
}
