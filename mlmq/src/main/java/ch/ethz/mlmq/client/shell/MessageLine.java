package ch.ethz.mlmq.client.shell;

import ch.ethz.mlmq.protocol.Message;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;

/** A message as one line for people. */
final class MessageLine {
    private MessageLine() {
    }

    static String of(Message message) {
        StringBuilder line = new StringBuilder(80 + message.content().length);
        line.append("message ").append(message.id());
        line.append(" queue #").append(message.queue());
        line.append(" sender #").append(message.sender());
        if (message.receiver() != 0) {
            line.append(" receiver #").append(message.receiver());
        }
        line.append(" priority ").append(message.priority());
        if (message.context() != 0) {
            line.append(" context ").append(message.context());
        }
        line.append(" sent ").append(Instant.ofEpochMilli(message.sentMillis()));
        if (message.leaseToken() != 0) {
            line.append(" delivery ").append(message.deliveries()).append(" token ").append(message.leaseToken());
        }
        if (!message.properties().isEmpty()) {
            message.properties().asMap().forEach((name, value) -> line.append(' ').append(name).append('=')
                    .append(value instanceof String text ? "'" + content(text.getBytes(StandardCharsets.UTF_8)) + "'"
                            : value));
        }
        return line.append(": ").append(content(message.content())).toString();
    }

    /** @return the text with control characters escaped, or bytes that are not text as 0x… */
    static String content(byte[] content) {
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
            StringBuilder line = new StringBuilder(text.length());
            text.codePoints().forEach(c -> escape(c, line));
            return line.toString();
        } catch (CharacterCodingException e) {
            return "0x" + HexFormat.of().formatHex(content);
        }
    }

    private static void escape(int c, StringBuilder line) {
        switch (c) {
            case '\n' -> line.append("\\n");
            case '\r' -> line.append("\\r");
            case '\t' -> line.append("\\t");
            case '\\' -> line.append("\\\\");
            default -> {
                if (Character.isISOControl(c)) {
                    line.append(String.format("\\u%04x", c));
                } else {
                    line.appendCodePoint(c);
                }
            }
        }
    }
}
