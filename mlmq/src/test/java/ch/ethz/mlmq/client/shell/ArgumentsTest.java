package ch.ethz.mlmq.client.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
    private static final String USAGE = "dequeue QUEUE [MAX] [--mine] [--wait TIME] [--context N]";

    @Test
    void shouldReadWordsAndOptionsInAnyOrder() {
        Arguments arguments = parse("--wait", "2min", "jobs", "--mine", "7", "--context", "12345678901");

        assertThat(arguments.word(0)).isEqualTo("jobs");
        assertThat(arguments.number(1, 3)).isEqualTo(7);
        assertThat(arguments.has("--mine")).isTrue();
        assertThat(arguments.millis("--wait", Duration.ZERO)).isEqualTo(120_000);
        assertThat(arguments.longNumber("--context", 0)).isEqualTo(12_345_678_901L);
    }

    @Test
    void shouldTakeWhatStandsBehindTwoDashesAsWords() {
        assertThat(parse("--", "--mine").word(0)).isEqualTo("--mine");
    }

    @Test
    void shouldSayWhatDoesNotFitTheUsage() {
        assertThatThrownBy(() -> parse()).isInstanceOf(UsageException.class)
                .hasMessage("something is missing; usage: " + USAGE);
        assertThatThrownBy(() -> parse("a", "1", "b")).hasMessageStartingWith("\"b\" is too much");
        assertThatThrownBy(() -> parse("a", "--weight", "1")).hasMessageStartingWith("there is no option --weight");
        assertThatThrownBy(() -> parse("a", "--wait")).hasMessageStartingWith("--wait needs a value");
        assertThatThrownBy(() -> parse("a", "--wait", "soon").millis("--wait", Duration.ZERO))
                .hasMessageStartingWith("\"soon\" is no time such as 250ms");
        assertThatThrownBy(() -> parse("a", "4294967297").number(1, 0))
                .hasMessageStartingWith("\"4294967297\" is no number");
    }

    @Test
    void shouldTakeAnyNumberWhereTheUsageSaysSo() {
        List<String> texts = List.of("jobs", "a", "b", "c");

        assertThat(Arguments.parse("sendMany QUEUE TEXT…", texts).wordsFrom(1)).containsExactly("a", "b", "c");
    }

    private static Arguments parse(String... words) {
        return Arguments.parse(USAGE, List.of(words));
    }
}
