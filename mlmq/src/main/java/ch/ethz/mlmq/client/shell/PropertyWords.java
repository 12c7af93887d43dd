package ch.ethz.mlmq.client.shell;

import ch.ethz.mlmq.protocol.MessageProperties;
import java.util.List;

/** Properties of a message as words: {@code id=7}, {@code price=1.5}, {@code urgent=true}, {@code place='12'}. */
final class PropertyWords {
    private PropertyWords() {
    }

    /**
     * Reads numbers and truth values as such, and all the rest, and what is within single quotes, as text.
     *
     * @param words null for none
     * @throws UsageException if a word is no property
     */
    static MessageProperties of(List<String> words) {
        MessageProperties properties = MessageProperties.NONE;
        for (String word : words == null ? List.<String>of() : words) {
            int equals = word.indexOf('=');
            if (equals < 1) {
                throw new UsageException("\"" + word + "\" is not a property; write NAME=VALUE, such as id=7");
            }
            try {
                properties = with(properties, word.substring(0, equals), word.substring(equals + 1));
            } catch (IllegalArgumentException e) {
                throw new UsageException(e.getMessage());
            }
        }
        return properties;
    }

    private static MessageProperties with(MessageProperties properties, String name, String value) {
        if (value.length() > 1 && value.startsWith("'") && value.endsWith("'")) {
            return properties.with(name, value.substring(1, value.length() - 1));
        }
        if (value.equals("true") || value.equals("false")) {
            return properties.with(name, Boolean.parseBoolean(value));
        }
        if (value.matches("[+-]?[0-9]{1,18}")) {
            return properties.with(name, Long.parseLong(value));
        }
        return value.matches("[+-]?([0-9]+\\.[0-9]*|\\.[0-9]+|[0-9]+)([eE][+-]?[0-9]{1,3})?")
                ? properties.with(name, Double.parseDouble(value)) : properties.with(name, value);
    }
}
