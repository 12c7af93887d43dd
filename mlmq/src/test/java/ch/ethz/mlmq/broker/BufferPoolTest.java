package ch.ethz.mlmq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class BufferPoolTest {
    private final BufferPool pool = new BufferPool();

    @Test
    void shouldGiveRoomForWhatIsAskedAndCountWhatIsOut() {
        ByteBuffer small = pool.take(1);
        ByteBuffer large = pool.take(BufferPool.LEAST + 1);

        assertThat(small.remaining()).isEqualTo(BufferPool.LEAST);
        assertThat(large.remaining()).isEqualTo(2 * BufferPool.LEAST);
        assertThat(pool.out()).isEqualTo(2);
        pool.giveBack(small);
        pool.giveBack(large);
        assertThat(pool.out()).isZero();
    }

    @Test
    void shouldGiveOutAgainWhatCameBackEmptied() {
        ByteBuffer buffer = pool.take(100);
        buffer.putLong(1);
        pool.giveBack(buffer);

        assertThat(pool.take(200)).isSameAs(buffer).satisfies(again -> assertThat(again.position()).isZero());
    }

    @Test
    void shouldNotKeepManyLargeOnes() {
        ByteBuffer one = pool.take(4 << 20);
        ByteBuffer other = pool.take(4 << 20);
        pool.giveBack(one);
        pool.giveBack(other);

        assertThat(pool.take(4 << 20)).isSameAs(one);
        assertThat(pool.take(4 << 20)).isNotSameAs(other);
    }
}
