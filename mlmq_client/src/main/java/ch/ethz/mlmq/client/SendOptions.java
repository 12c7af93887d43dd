package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.MessageProperties;

/**
 * Optional parts of a message.
 *
 * @param receiver id of the only client that may take it, or 0 for any client
 * @param context  connects a response to its request, or 0 for none
 * @param key      messages with the same key are stored once for a queue within the broker's window; empty for no
 * deduplication
 * @param properties that travel with it
 */
public record SendOptions(int receiver, long context, String key, MessageProperties properties) {
    private static final SendOptions NONE = new SendOptions(0, 0, "", MessageProperties.NONE);

    public static SendOptions none() {
        return NONE;
    }

    public SendOptions withReceiver(int client) {
        return new SendOptions(client, context, key, properties);
    }

    public SendOptions withContext(long value) {
        return new SendOptions(receiver, value, key, properties);
    }

    public SendOptions withKey(String value) {
        return new SendOptions(receiver, context, value, properties);
    }

    public SendOptions withProperties(MessageProperties values) {
        return new SendOptions(receiver, context, key, values);
    }
}
