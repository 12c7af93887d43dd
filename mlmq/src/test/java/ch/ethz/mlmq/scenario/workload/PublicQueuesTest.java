package ch.ethz.mlmq.scenario.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PublicQueuesTest {

    @Test
    void shouldReadANumberOfQueuesAndARange() {
        assertThat(PublicQueues.GRAMMAR.parse("3").numbers()).containsExactly(1, 2, 3);
        PublicQueues range = PublicQueues.GRAMMAR.parse("18..19");
        assertThat(range.numbers()).containsExactly(18, 19);
        assertThat(range.count()).isEqualTo(2);
        assertThat(range.contains(19)).isTrue();
        assertThat(range.contains(17) || range.contains(20)).isFalse();
    }

    @Test
    void shouldRefuseWhatIsNoRange() {
        for (String text : new String[] {"0", "10001", "", "a", "5..4", "0..3", "3..", "..3", "1..10001", "1...3",
                "-1..3"}) {
            assertThatThrownBy(() -> PublicQueues.GRAMMAR.parse(text)).as(text)
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("18..19");
        }
    }
}
