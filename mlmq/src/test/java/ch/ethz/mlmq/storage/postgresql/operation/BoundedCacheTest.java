package ch.ethz.mlmq.storage.postgresql.operation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BoundedCacheTest {
    @Test
    void shouldForgetWhatWasNotUsedForTwoGenerations() {
        BoundedCache<String> cache = new BoundedCache<>(100, 0);
        cache.put(-1, "used");
        cache.put(-2, "not used");
        for (int i = 0; i < 10_000; i++) {
            cache.put(i, "a guest");
            assertThat(cache.get(-1)).isEqualTo("used");
        }

        assertThat(cache.get(-2)).isNull();
        assertThat(cache.size()).isLessThanOrEqualTo(202);
    }

    @Test
    void shouldKeepWhatARequestMayStillNeed() {
        BoundedCache<String> cache = new BoundedCache<>(10, Long.MAX_VALUE / 2);
        for (int i = 0; i < 1_000; i++) {
            cache.put(i, "a guest");
        }

        assertThat(cache.get(0)).isEqualTo("a guest");
        cache.remove(0);
        assertThat(cache.get(0)).isNull();
    }
}
