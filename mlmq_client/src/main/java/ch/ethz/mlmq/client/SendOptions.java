package ch.ethz.mlmq.client;

/**
 * Optional properties of a message.
 *
 * @param receiver id of the only client that may take it, or 0 for any client
 * @param context  connects a response to its request, or 0 for none
 * @param key      messages with the same key are stored once for a queue within the broker's window; empty for no
 * deduplication
 */
public record SendOptions(int receiver, long context, String key) {
    private static final SendOptions NONE = new SendOptions(0, 0, "");

    public static SendOptions none() {
        return NONE;
    }

    public SendOptions withReceiver(int client) {
        return new SendOptions(client, context, key);
    }

    public SendOptions withContext(long value) {
        return new SendOptions(receiver, value, key);
    }

    public SendOptions withKey(String value) {
        return new SendOptions(receiver, context, value);
    }
}
