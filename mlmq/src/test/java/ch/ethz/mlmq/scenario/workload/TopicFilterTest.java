package ch.ethz.mlmq.scenario.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.filter.Filter;
import ch.ethz.mlmq.filter.FilterException;
import ch.ethz.mlmq.filter.FilteredMessage;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicFilterTest {
    @ParameterizedTest
    @ValueSource(strings = {"context", "property", "and 1", "and 3", "and 4 early", "or 1", "or 3", "in 5", "range"})
    void shouldTakeEachMessageOrNone(String text) throws Exception {
        TopicFilter filter = TopicFilter.GRAMMAR.parse(text);

        assertThat(takes(filter, filter.matching())).isTrue();
        for (int number = 0; number < 20; number++) {
            assertThat(takes(filter, filter.other(number))).as(filter.other(number)).isFalse();
        }
        assertThat(IntStream.range(0, 20).mapToObj(filter::other)).doesNotHaveDuplicates();
    }

    @Test
    void shouldSayWhatStudiesCompare() {
        assertThat(filter("and 3").other(6)).isEqualTo("p1 = '0' AND p2 = '0' AND p3 = '7'");
        assertThat(filter("and 3 early").other(6)).isEqualTo("p1 = '7' AND p2 = '0' AND p3 = '0'");
        assertThat(filter("or 3").matching()).isEqualTo("id = '2' OR id = '1' OR id = '0'");
        assertThat(filter("in 2").other(0)).isEqualTo("id IN ('3', '2')");
        assertThat(filter("none").matching()).isEmpty();
        assertThat(filter("none").selects()).isFalse();
    }

    @Test
    void shouldTakeFiltersApart() {
        assertThat(alternatives("none")).containsExactly(Map.of());
        assertThat(alternatives("context")).containsExactly(Map.of("$context", 7L));
        assertThat(alternatives("property")).containsExactly(Map.of("id", "6"));
        assertThat(alternatives("and 2")).containsExactly(Map.of("p1", "0", "p2", "6"));
        assertThat(alternatives("or 2")).containsExactly(Map.of("id", "13"), Map.of("id", "12"));
        assertThat(alternatives("in 2")).isEqualTo(alternatives("or 2"));
        assertThatThrownBy(() -> alternatives("range")).hasMessageContaining("BETWEEN");
    }

    private static List<Map<String, Object>> alternatives(String text) {
        return TopicFilter.alternatives(filter(text).selects() ? filter(text).other(5) : "");
    }

    @Test
    void shouldRefuseWhatIsNoFilter() {
        for (String text : new String[] {"and", "or 0", "or 65", "in 3 early", "nothing", ""}) {
            assertThatThrownBy(() -> filter(text)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static TopicFilter filter(String text) {
        return TopicFilter.GRAMMAR.parse(text);
    }

    private static boolean takes(TopicFilter filter, String text) throws FilterException {
        return Filter.parse(text).takes(new FilteredMessage(filter.properties(), 5, filter.context()));
    }
}
