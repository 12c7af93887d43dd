package ch.ethz.mlmq.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessagePropertiesTest {
    private static final MessageProperties ALL_KINDS = MessageProperties.NONE.with("place", "Z\u00fcrich")
            .with("id", Long.MIN_VALUE).with("price", -1.5).with("urgent", true);

    @Test
    void shouldReadWhatWasWritten() {
        MessageProperties read = MessageProperties.decode(ALL_KINDS.encoded());

        assertThat(read).isEqualTo(ALL_KINDS).hasSameHashCodeAs(ALL_KINDS);
        assertThat(read.asMap()).containsExactly(entry("place", "Z\u00fcrich"),
                entry("id", Long.MIN_VALUE), entry("price", -1.5),
                entry("urgent", true));
        assertThat(MessageProperties.ofStored(ALL_KINDS.stored()).get("price")).isEqualTo(-1.5);
    }

    @Test
    void shouldTakeNoBytesWithoutAny() {
        assertThat(MessageProperties.NONE.encoded()).isEmpty();
        assertThat(MessageProperties.NONE.stored()).isNull();
        assertThat(MessageProperties.decode(new byte[0])).isSameAs(MessageProperties.NONE);
        assertThat(MessageProperties.ofStored(null)).isSameAs(MessageProperties.NONE);
    }

    @Test
    void shouldStoreNeitherDelayNorTimeToLive() {
        MessageProperties some = MessageProperties.NONE.with("id", 7);
        MessageProperties timed = some.with(MessageProperties.DELAY, 10).with(MessageProperties.TIME_TO_LIVE, 20);

        assertThat(timed.delayMillis()).isEqualTo(10);
        assertThat(timed.timeToLiveMillis()).isEqualTo(20);
        assertThat(MessageProperties.decode(timed.encoded()).violation()).isNull();
        assertThat(MessageProperties.ofStored(timed.stored())).isEqualTo(some);
        assertThat(MessageProperties.NONE.with(MessageProperties.DELAY, 1).stored()).isNull();
        assertThat(some.hasTimes()).isFalse();
        assertThat(some.stored()).isSameAs(some.encoded());
    }

    @Test
    void shouldReplaceAValueOfTheSameName() {
        assertThat(ALL_KINDS.with("id", "x").get("id")).isEqualTo("x");
        assertThat(ALL_KINDS.get("id")).isEqualTo(Long.MIN_VALUE);
        assertThat(ALL_KINDS.get("ID")).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1a", "a b", "a.b", "$priority", "\u00e9", "not", "LIKE",
            "a23456789012345678901234567890123456789012345678901"})
    void shouldRefuseANameThatAFilterCannotSay(String name) {
        assertThatThrownBy(() -> MessageProperties.NONE.with(name, 1)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1..50 letters, digits and _");
    }

    @Test
    void shouldHaveNoMoreThanItsLimits() {
        MessageProperties most = MessageProperties.NONE;
        for (int i = 0; i < MessageProperties.MAX_COUNT; i++) {
            most = most.with("name" + i, i);
        }
        MessageProperties full = most;
        assertThatThrownBy(() -> full.with("more", 1)).hasMessage("a message has at most 64 properties, not 65");
        assertThatThrownBy(() -> MessageProperties.NONE.with("text", "x".repeat(4_084)))
                .hasMessage("the properties of a message have at most 4096 bytes, not 4097");
        assertThat(MessageProperties.NONE.with("text", "x".repeat(4_083)).encoded()).hasSize(4_096);
    }

    @Test
    void shouldRefuseBytesThatEndWithinAProperty() {
        byte[] whole = ALL_KINDS.encoded();
        int refused = 0;
        for (int length = 1; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            try {
                MessageProperties.decode(cut);
            } catch (IllegalArgumentException e) {
                refused++;
            }
        }
        assertThat(refused).as("all but those that end behind a property").isEqualTo(whole.length - 1 - 3);
    }

    @Test
    void shouldRefuseBytesThatAreNone() {
        assertThatThrownBy(() -> MessageProperties.decode(new byte[] {0, 0, 0, 1, 'a', 9}))
                .hasMessageContaining("not 9");
        assertThatThrownBy(() -> MessageProperties.decode(new byte[] {0, 0, 0, 1, 'a', 3, 2}))
                .hasMessage("a boolean is 0 or 1, not 2");
        assertThatThrownBy(() -> MessageProperties.decode(new byte[] {-1, -1, -1, -1, 3, 1}))
                .hasMessageContaining("end within");
        assertThatThrownBy(() -> MessageProperties.decode(new byte[] {0, 0, 0, 1, (byte) 0xC3, 3, 1}))
                .hasMessageContaining("UTF-8");
        assertThatThrownBy(() -> MessageProperties.decode(new byte[] {0, 0, 0, 1, 'a', 3, 1, 0, 0, 0, 1, 'a', 3, 0}))
                .hasMessage("a property is named twice");
    }
}
