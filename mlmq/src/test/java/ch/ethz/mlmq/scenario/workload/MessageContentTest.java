package ch.ethz.mlmq.scenario.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

class MessageContentTest {
    private static final int LENGTH = 8_000;

    @Test
    void shouldCompressAsItsKindSays() {
        assertThat(compressed(MessageContent.TEXT)).isBetween(0.3, 0.6);
        assertThat(compressed(MessageContent.RANDOM)).isGreaterThan(1);
        assertThat(compressed(MessageContent.ZEROS)).isLessThan(0.02);
    }

    @Test
    void shouldBeTheSameForAMessageAndDifferentForTheNext() {
        for (MessageContent content : new MessageContent[] {MessageContent.TEXT, MessageContent.RANDOM}) {
            assertThat(filled(content, 1)).isEqualTo(filled(content, 1)).isNotEqualTo(filled(content, 2));
        }
    }

    @Test
    void shouldFillMessagesOfAnyLengthWithWords() {
        byte[] longest = new byte[1 << 20];
        MessageContent.TEXT.fill(longest, 22, 7);

        assertThat(new String(longest, 22, longest.length - 22, StandardCharsets.US_ASCII)).matches("[A-Za-z .]+");
        assertThat(longest).startsWith(new byte[22]);
        MessageContent.TEXT.fill(new byte[10], 10, 7);
    }

    private static double compressed(MessageContent content) {
        Deflater deflater = new Deflater();
        deflater.setInput(filled(content, 42));
        deflater.finish();
        return (double) deflater.deflate(new byte[2 * LENGTH]) / LENGTH;
    }

    private static byte[] filled(MessageContent content, long id) {
        byte[] bytes = new byte[LENGTH];
        content.fill(bytes, 0, id);
        return bytes;
    }
}
