package ch.ethz.mlmq.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.protocol.MessageProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilterTest {
    private static final FilteredMessage MESSAGE = new FilteredMessage(MessageProperties.NONE.with("id", 7)
            .with("place", "Z\u00fcrich_1").with("price", 1.5).with("urgent", true).with("quote", "it's")
            .with("great", (1L << 53) + 1), 9, 42);

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "TRUE", "urgent", "urgent = TRUE", "not not urgent", "id = 7", "id = 7.0",
            "7 = id", "id <> 8", "id > 6.9", "6 < id", "id >= 7 AND id <= 7", "price = 1.5", "price = 15E-1",
            "price = .15e1", "id BETWEEN 7 AND 8", "id NOT BETWEEN 8 AND 9", "place LIKE 'Z%'", "place LIKE '%_1'",
            "place LIKE 'Z\u00fcrich!_1' ESCAPE '!'", "place LIKE 'Z_rich_1'", "place NOT LIKE 'Zurich%'",
            "place IN ('a', 'Z\u00fcrich_1')", "place NOT IN ('a', 'b')", "id IN (1, 7)", "id IN (-1, 7.0)",
            "missing IS NULL", "id IS NOT NULL", "quote = 'it''s'", "$priority = 9", "$context > 41",
            "id + 1 = 8", "id - 1 - 1 = 5", "2 * id + 1 = 15", "1 + 2 * id = 15", "(1 + 2) * id = 21", "id / 2 = 3",
            "price / 3 = 0.5", "-id = -7", "- -id = 7", "+id = 7", "-id < -6.5",
            "id = 9223372036854775807 - 9223372036854775800", "id > -9223372036854775808",
            "great <> 9007199254740992", "great = 9007199254740992.0",
            "id = 8 OR id = 7", "id = 8 OR urgent AND id = 7", "(id = 8 OR urgent) AND id = 7",
            "missing = 1 OR urgent", "NOT (missing = 1 AND FALSE)", "NOT (id = 'x')", "id\n=\t7"})
    void shouldTake(String filter) throws Exception {
        assertThat(Filter.parse(filter).takes(MESSAGE)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"FALSE", "NOT urgent", "id", "place", "id = 8", "id = 'x'", "id <> 'x'", "place > 1",
            "place BETWEEN 1 AND 2", "place NOT BETWEEN 1 AND 2", "urgent = 'TRUE'", "urgent = 1", "id LIKE '7'",
            "place = 'z\u00fcrich_1'", "ID = 7", "missing", "NOT missing", "missing = 1", "missing <> 1",
            "NOT (missing = 1)", "missing = missing", "missing LIKE '%'", "missing NOT LIKE '%'", "missing IN ('a')",
            "missing NOT IN ('a')", "missing BETWEEN 1 AND 2", "missing NOT BETWEEN 1 AND 2", "missing IS NOT NULL",
            "id + missing = 7", "missing = 1 AND urgent", "missing = 1 OR FALSE", "id / 0 = 1", "id / 0 <> 1",
            "place + 1 = 2", "+place = 'Z\u00fcrich_1'", "great = 9007199254740992", "place LIKE 'Z!%' ESCAPE '!'",
            "place LIKE ''", "0.0 / 0.0 = 0.0 / 0.0"})
    void shouldNotTake(String filter) throws Exception {
        assertThat(Filter.parse(filter).takes(MESSAGE)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
            "id =|column 5: a property, a value, NOT or ( was expected, not the end",
            "id = )|column 6: a property, a value, NOT or ( was expected, not )",
            "id = 7 urgent|column 8: AND, OR or the end was expected, not urgent",
            "7|column 1: a condition was expected",
            "'x' AND urgent|column 1: a condition was expected",
            "urgent AND 7|column 12: a condition was expected",
            "NOT 'x'|column 5: a condition was expected",
            "id + 1|column 1: a condition was expected",
            "'a' > 1|column 1: a number was expected",
            "id > 'a'|column 6: a number was expected",
            "id = 1 + 'a'|column 10: a number was expected",
            "id = -'a'|column 7: a number was expected",
            "id BETWEEN 1 AND 'a'|column 18: a number was expected",
            "id BETWEEN 1 OR 2|column 14: AND was expected, not OR",
            "id IN ()|column 8: a property, a value, NOT or ( was expected, not )",
            "id IN (TRUE)|column 8: a string or a number was expected, not TRUE",
            "id IN ('a' 'b')|column 12: ) was expected, not a string",
            "id LIKE 7|column 9: a string in quotes was expected, not 7",
            "7 LIKE 'a'|column 1: a property or a string was expected",
            "id LIKE 'a' ESCAPE 'bc'|column 20: one character in quotes was expected",
            "id LIKE 'a!' ESCAPE '!'|column 9: nothing is behind the last escape character",
            "id IS 7|column 7: NULL was expected, not 7",
            "id NOT = 7|column 8: BETWEEN, IN or LIKE was expected, not =",
            "id = 'x|column 6: the string has no end; a quote in it is written twice",
            "id ; 7|column 4: a filter has no character ;",
            "id = \ud83d\ude00|column 6: a filter has no character \ud83d\ude00",
            "id = 12a|column 8: the end of a number was expected, not a; a number is 12, 1.5 or 1E3",
            "id = 1.2.3|column 9: the end of a number was expected, not .; a number is 12, 1.5 or 1E3",
            "id = 017|column 6: a number has no zero in front, as other languages mean octal by it",
            "id = 9223372036854775808|"
                    + "column 6: an integer has at most 64 bits; write it as a real: 9223372036854775808.0",
            "$sender = 1|column 1: the values of a message beside its properties are $priority and $context, and not "
                    + "$sender",
            "NOT|column 4: a property, a value, NOT or ( was expected, not the end",
            "(id = 7|column 8: ) was expected, not the end"})
    void shouldSayWhereAFilterIsWrong(String filter, String message) {
        assertThatThrownBy(() -> Filter.parse(filter)).isInstanceOf(FilterException.class).hasMessage(message);
    }

    @Test
    void shouldRefuseWhatIsTooLongOrTooDeep() throws Exception {
        assertThatThrownBy(() -> Filter.parse("urgent" + " ".repeat(Filter.MAX_CHARS)))
                .hasMessage("a filter has at most 4096 characters, not 4102");
        assertThatThrownBy(() -> Filter.parse("id = 'a\0b'")).hasMessage("a filter has no characters 0");
        for (String nested : new String[] {"(", "NOT ", "-"}) {
            assertThatThrownBy(() -> Filter.parse(nested.repeat(Parser.MAX_DEPTH + 1) + "urgent"))
                    .isInstanceOf(FilterException.class);
        }
        assertThatThrownBy(() -> Filter.parse("(".repeat(4_096))).hasMessageStartingWith("column 102: more than 100");
        assertThat(Filter.parse("(".repeat(100) + "urgent" + ")".repeat(100)).takes(MESSAGE)).isTrue();
        assertThat(Filter.parse("id > 0" + "+1".repeat(2_045)).takes(MESSAGE)).isFalse();
        assertThat(Filter.parse("urgent" + " AND urgent".repeat(371)).takes(MESSAGE)).isTrue();
    }

    @Test
    void shouldFollowAHostilePatternWithoutGoingBack() throws Exception {
        FilteredMessage text = new FilteredMessage(MessageProperties.NONE.with("t", "a".repeat(4_000)), 5, 0);

        assertThat(Filter.parse("t LIKE '" + "%a".repeat(2_000) + "'").takes(text)).isTrue();
        assertThat(Filter.parse("t LIKE '" + "%a".repeat(2_000) + "%b'").takes(text)).isFalse();
        assertThat(Filter.parse("t LIKE '%" + "a".repeat(4_000) + "b%'").takes(text)).isFalse();
        assertThat(Filter.parse("t LIKE '" + "_".repeat(4_000) + "'").takes(text)).isTrue();
    }

    @Test
    void shouldKnowWhichFiltersAreEqual() throws Exception {
        assertThat(Filter.parse("id = 7 AND place LIKE 'a%'")).isEqualTo(Filter.parse("(7=id) and place like 'a%'"))
                .hasSameHashCodeAs(Filter.parse("(7=id) and place like 'a%'"));
        assertThat(Filter.parse("id = 7")).isNotEqualTo(Filter.parse("id = 7.0"));
        assertThat(Filter.parse("place LIKE 'a%'")).isNotEqualTo(Filter.parse("place LIKE 'a_'"));
        assertThat(Filter.parse("")).isEqualTo(Filter.parse("TRUE"));
    }
}
