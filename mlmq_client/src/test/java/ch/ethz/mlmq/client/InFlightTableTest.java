package ch.ethz.mlmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class InFlightTableTest {
    private static final Completion NOBODY = (tag, status, response, sent, end) -> { };

    @Test
    void shouldFindEachRequestByItsIdHoweverManyComeAndGo() {
        InFlightTable table = new InFlightTable(500, 0);
        SplittableRandom random = new SplittableRandom(7);
        Set<Integer> waiting = new HashSet<>();
        for (int i = 0; i < 100_000; i++) {
            if (!table.isFull() && random.nextBoolean()) {
                int id = table.add(NOBODY, false, i, 0, 0);
                assertThat(id).isNotZero();
                assertThat(waiting.add(id)).isTrue();
                assertThat(table.find(id).tag()).isEqualTo(i);
            } else if (!waiting.isEmpty()) {
                int id = waiting.stream().skip(random.nextInt(Math.min(10, waiting.size()))).findFirst().orElseThrow();
                waiting.remove(id);
                table.remove(table.find(id));
                assertThat(table.find(id)).isNull();
            }
            assertThat(table.size()).isEqualTo(waiting.size());
        }
        waiting.forEach(id -> assertThat(table.find(id)).isNotNull());
    }

    @Test
    void shouldTakeOutWhatIsOverdueAndKnowTheNextDeadline() {
        InFlightTable table = new InFlightTable(10, 0);
        int first = table.add(NOBODY, false, 1, 0, 100);
        int second = table.add(NOBODY, false, 2, 0, 200);

        assertThat(table.nanosToNextDeadline(40)).isEqualTo(60);
        assertThat(table.removeOverdue(150)).hasSize(1).allMatch(entry -> entry.tag() == 1);

        assertThat(table.find(first)).isNull();
        assertThat(table.find(second)).isNotNull();
        assertThat(table.nanosToNextDeadline(150)).isEqualTo(50);
        assertThat(table.removeAll()).hasSize(1);
        assertThat(table.nanosToNextDeadline(150)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldNotGiveAnIdToTwoWhenTheyWrapAround() {
        InFlightTable table = new InFlightTable(4, 0);
        int kept = table.add(NOBODY, false, 0, 0, 0);
        for (int i = 0; i < 1_000; i++) {
            int id = table.add(NOBODY, false, i, 0, 0);
            assertThat(id).isNotEqualTo(kept);
            table.remove(table.find(id));
        }
        assertThat(table.find(kept).tag()).isZero();
    }
}
