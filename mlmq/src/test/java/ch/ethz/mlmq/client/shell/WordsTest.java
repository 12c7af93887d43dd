package ch.ethz.mlmq.client.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WordsTest {
    @Test
    void shouldHoldQuotedWordsTogether() {
        assertThat(Words.of("send  jobs \"hello world\" 'it is \\ \"so\"' a\\ b \"say \\\"hi\\\"\" ''"))
                .containsExactly("send", "jobs", "hello world", "it is \\ \"so\"", "a b", "say \"hi\"", "");
    }

    @Test
    void shouldRefuseWhatIsNotFinished() {
        assertThatThrownBy(() -> Words.of("send jobs \"hello")).isInstanceOf(UsageException.class)
                .hasMessage("the quote \" has no end; close it");
        assertThatThrownBy(() -> Words.of("send jobs \\")).isInstanceOf(UsageException.class);
    }
}
