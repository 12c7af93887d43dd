package ch.ethz.mlmq.filter;

import ch.ethz.mlmq.protocol.MessageProperties;

/**
 * What a filter sees of a message.
 *
 * @param properties by their names
 * @param priority   1..10, known to filters as {@value #PRIORITY}
 * @param context    or 0, known to filters as {@value #CONTEXT}
 */
public record FilteredMessage(MessageProperties properties, int priority, long context) {
    /** Names a message's priority. No name of a property begins with a dollar sign. */
    public static final String PRIORITY = "$priority";
    /** Names a message's context. */
    public static final String CONTEXT = "$context";

    /** @return a String, Long, Double or Boolean; null if the message has no such value */
    Object get(String name) {
        return switch (name) {
            case PRIORITY -> (long) priority;
            case CONTEXT -> context;
            default -> properties.get(name);
        };
    }
}
