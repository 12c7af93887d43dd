package ch.ethz.mlmq.log_analyzer.vocabulary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.ethz.mlmq.log_analyzer.profile.ProfileKind;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class ProfileWordsTest {
    @Test
    void shouldBeThoseThatAProfileShows() {
        assertThat(Arrays.stream(ProfileKind.values()).map(what -> what.name().toLowerCase(Locale.ROOT)))
                .containsExactlyElementsOf(ProfileWords.names());
        assertThat(ProfileKind.CPU.words()).isEqualTo("processor time in Java");
    }

    @Test
    void shouldNameAWordThatTheyDoNotHave() {
        assertThatThrownBy(() -> ProfileWords.of("io")).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("vocabulary/profiles.yml has no io");
    }
}
