package ch.ethz.mlmq.broker.io;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.broker.limits.MemoryBudget;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BufferPoolTest {
    private static final int FOUR = 4 * BufferPool.BYTES;

    private final MemoryBudget budget = new MemoryBudget(FOUR);
    private final List<ByteBuffer> taken = new ArrayList<>();
    private final BufferPool pool = new BufferPool(budget, this::giveOneBack);

    @Test
    void shouldCountWhatIsOutAndKeepWhatCameBack() {
        ByteBuffer buffer = pool.take();
        buffer.putLong(1);

        assertThat(pool.out()).isEqualTo(1);
        pool.release(buffer);

        assertThat(pool.out()).isZero();
        assertThat(budget.used()).isEqualTo(BufferPool.BYTES);
        assertThat(pool.take()).isSameAs(buffer).satisfies(again -> assertThat(again.position()).isZero());
    }

    @Test
    void shouldAskForReliefWhereTheBudgetIsSpent() {
        for (int i = 0; i < 4; i++) {
            taken.add(pool.take());
        }

        pool.reserve(BufferPool.BYTES);

        assertThat(taken).hasSize(3);
        assertThat(budget.used()).isEqualTo(FOUR);
    }

    @Test
    void shouldGiveUpItsFreeBuffersBeforeAnybodyIsSentAway() {
        pool.release(pool.take());

        pool.reserve(FOUR);

        assertThat(budget.used()).isEqualTo(FOUR);
    }

    @Test
    void shouldTakeMoreThanTheBudgetWhereNobodyHereCanBeSentAway() {
        pool.reserve(2 * FOUR);

        assertThat(budget.used()).isEqualTo(2 * FOUR);
        assertThat(budget.isFarExceeded()).isTrue();
    }

    @Test
    void shouldNotKeepMoreThanAFewMegabytesFree() {
        MemoryBudget large = new MemoryBudget(1 << 30);
        BufferPool burst = new BufferPool(large, () -> false);
        List<ByteBuffer> all = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            all.add(burst.take());
        }

        all.forEach(burst::release);

        assertThat(large.used()).isEqualTo(4 << 20);
    }

    private boolean giveOneBack() {
        if (taken.isEmpty()) {
            return false;
        }
        pool.release(taken.remove(0));
        return true;
    }
}
