package ch.ethz.mlmq.client;

/**
 * What a message may carry beside content and priority.
 *
 * @param receiver id of the client that alone may take it, or 0 for anybody
 * @param context  ties a response to its request, or 0 for none
 * @param key      stored once for a queue within the broker's window, or empty for no deduplication
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
