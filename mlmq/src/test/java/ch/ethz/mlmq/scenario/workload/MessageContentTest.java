package ch.ethz.mlmq.scenario.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    @Test
    void shouldFillMessagesWithPartsOfAFile(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("words"), "0123456789");
        MessageContent content = MessageContent.GRAMMAR.parse("file:" + file);

        String filled = new String(filled(content, 42), StandardCharsets.US_ASCII);

        assertThat("0123456789".repeat(LENGTH)).contains(filled);
        assertThat(Stream.of(1, 2, 3, 4, 5).map(id -> filled(content, id)[0]).distinct().count()).isGreaterThan(1);
    }

    @Test
    void shouldRefuseAFileThatIsEmptyOrMissing(@TempDir Path folder) throws Exception {
        Path empty = Files.createFile(folder.resolve("empty"));

        assertThatThrownBy(() -> MessageContent.GRAMMAR.parse("file:" + empty)).hasMessage("the file is empty");
        assertThatThrownBy(() -> MessageContent.GRAMMAR.parse("file:" + folder.resolve("none")))
                .hasMessageContaining("the file cannot be read").hasMessageContaining("NoSuchFile");
        assertThatThrownBy(() -> MessageContent.GRAMMAR.parse("words"))
                .hasMessage("must be one of text, random, zeros, file:PATH");
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
