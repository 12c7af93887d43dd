package ch.ethz.mlmq.scenario.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadMessageTest {
    private static final MessageId ID = new MessageId(12, 345, 6_789);

    @Test
    void shouldCarryTheFirstTimeThatItIsGivenIfItHasRoom() throws Exception {
        byte[] content = new LoadMessage(ID, 7).encode(LoadMessage.MIN_LENGTH_WITH_TIME);
        byte[] tooShort = new LoadMessage(ID, 7).encode(LoadMessage.MIN_LENGTH_WITH_TIME - 1);
        assertThat(LoadMessage.stampOf(content)).isZero();

        for (byte[] each : List.of(content, tooShort)) {
            LoadMessage.stamp(each, 1_700_000_000_000_000L);
            LoadMessage.stamp(each, 9);
            assertThat(LoadMessage.decode(each)).isEqualTo(new LoadMessage(ID, 7));
        }

        assertThat(LoadMessage.stampOf(content)).isEqualTo(1_700_000_000_000_000L);
        assertThat(LoadMessage.stampOf(tooShort)).isZero();
    }

    @Test
    void shouldNotChangeTheContentOfAnotherProgram() {
        byte[] content = new byte[100];

        LoadMessage.stamp(content, 1_700_000_000_000_000L);

        assertThat(content).containsOnly(0);
    }

    @Test
    void shouldComeBackFromItsContentAtAnyLength() throws Exception {
        for (int length = LoadMessage.MIN_LENGTH_WITH_COUNTER; length < 2_000; length++) {
            byte[] content = new LoadMessage(ID, length).encode(length);

            assertThat(content).hasSize(length);
            assertThat(LoadMessage.decode(content)).isEqualTo(new LoadMessage(ID, length));
        }
    }

    @Test
    void shouldKeepItsIdButNoCounterWhereItIsTooShortForOne() throws Exception {
        assertThat(LoadMessage.decode(new LoadMessage(ID, 7).encode(LoadMessage.MIN_LENGTH)))
                .isEqualTo(new LoadMessage(ID, 0));
    }

    @Test
    void shouldNoticeEveryDamagedByte() {
        byte[] content = new LoadMessage(ID, 7).encode(100);
        for (int i = 0; i < content.length; i++) {
            byte[] damaged = content.clone();
            damaged[i] ^= 1;

            assertThatThrownBy(() -> LoadMessage.decode(damaged)).isInstanceOf(ForeignMessageException.class);
        }
    }

    @Test
    void shouldNoticeAForeignMessageAndOneThatWasCut() {
        byte[] content = new LoadMessage(ID, 7).encode(100);

        assertThatThrownBy(() -> LoadMessage.decode("hello, who are you?".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(ForeignMessageException.class).hasMessageContaining("19 bytes");
        assertThatThrownBy(() -> LoadMessage.decode(new byte[0])).isInstanceOf(ForeignMessageException.class);
        assertThatThrownBy(() -> LoadMessage.decode(java.util.Arrays.copyOf(content, 99)))
                .isInstanceOf(ForeignMessageException.class);
    }

    @Test
    void shouldCarryItsIdWhereSqlFindsIt() {
        byte[] content = new LoadMessage(new MessageId(1, 2, 3), 0).encode(64);

        StringBuilder hex = new StringBuilder();
        for (int i = 4; i < 10; i++) {
            hex.append(String.format("%02x", content[i]));
        }
        assertThat(hex).hasToString(new MessageId(1, 2, 3).toString());
    }

    @Test
    void shouldKeepIdsApartUpToTheHighest() {
        MessageId highest = new MessageId(MessageId.MAX_POSITION, MessageId.MAX_CLIENT, MessageId.MAX_SEQUENCE);

        assertThat(MessageId.of(highest.bits())).isEqualTo(highest).hasToString("ffffffffffff");
        assertThat(MessageId.of(ID.bits())).isEqualTo(ID);
        assertThatThrownBy(() -> new MessageId(0, MessageId.MAX_CLIENT + 1, 0)).hasMessageContaining("0.1024.0");
    }
}
