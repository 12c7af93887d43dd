package ch.ethz.mlmq.client.shell;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.protocol.Message;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MessageLineTest {
    @Test
    void shouldShowWhatAMessageCarries() {
        assertThat(MessageLine.of(new Message(12, 3, new Message.Envelope(1, 0, 5, 0, 1_383_684_920_571L),
                new Message.Delivery(1), "hello".getBytes())))
                .isEqualTo("message 12 queue #3 sender #1 priority 5 sent 2013-11-05T20:55:20.571Z: hello");
        assertThat(MessageLine.of(new Message(12, 3, new Message.Envelope(1, 4, 5, 99, 0),
                new Message.Delivery(2, 77), new byte[0])))
                .isEqualTo("message 12 queue #3"
                + " sender #1 receiver #4 priority 5 context 99 sent 1970-01-01T00:00:00Z delivery 2 token 77: ");
    }

    @Test
    void shouldKeepAnyContentOnOneLineAndHarmlessToATerminal() {
        assertThat(MessageLine.content("ü\n\t\u001b[2J\\".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("ü\\n\\t\\u001b[2J\\\\");
        assertThat(MessageLine.content(new byte[] {(byte) 0xff, 1})).isEqualTo("0xff01");
    }
}
