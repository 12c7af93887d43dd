package ch.ethz.mlmq.log_analyzer.vocabulary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ConditionTest {
    static Stream<Map<String, Object>> cases() {
        return ((List<?>) Vocabulary.read("conditions.yml").get("cases")).stream().map(Figure::members);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldReadEachCaseOfTheVocabulary(Map<String, Object> row) {
        String text = (String) row.get("text");
        Judge judge = Judge.valueOf(((String) row.get("judge")).toUpperCase());
        if (row.get("error") instanceof String error) {
            assertThatThrownBy(() -> Condition.parse(text, judge)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(error);
            return;
        }
        Condition condition = Condition.parse(text, judge);

        assertThat(condition.figure().name()).isEqualTo(row.get("figure"));
        if (row.containsKey("relation")) {
            assertThat(condition.relation().sign()).isEqualTo(row.get("relation"));
            Object limit = row.getOrDefault("change", row.get("limit"));
            assertThat(condition.limit()).isEqualTo(((Number) limit).doubleValue());
            assertThat(condition.change()).isEqualTo(row.containsKey("change"));
        }
    }

    @Test
    void shouldHoldByItsRelation() {
        assertThat(Stream.of("<", "<=", "=", ">=", ">").map(sign -> Condition.parse("errors " + sign + " 1 %",
                Judge.EXACT)).map(condition -> List.of(condition.holds(0.5), condition.holds(1), condition.holds(2))))
                .containsExactly(List.of(true, false, false), List.of(true, true, false), List.of(false, true, false),
                        List.of(false, true, true), List.of(false, false, true));
    }
}
