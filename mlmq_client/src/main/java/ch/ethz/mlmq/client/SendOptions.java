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

    /** Sets the properties; a delay and a time to live that were set before stay. */
    public SendOptions withProperties(MessageProperties values) {
        return new SendOptions(receiver, context, key, values).withTimesOf(properties);
    }

    /**
     * Lets nobody take the message before that time is over.
     *
     * @param millis 1..{@link MessageProperties#MAX_MILLIS} [ms], from when the broker stores it
     */
    public SendOptions withDelay(long millis) {
        return new SendOptions(receiver, context, key, properties.with(MessageProperties.DELAY, millis));
    }

    /**
     * Lets the broker remove the message if nobody has taken it within that time.
     *
     * @param millis 1..{@link MessageProperties#MAX_MILLIS} [ms], from when it can be taken
     */
    public SendOptions withTimeToLive(long millis) {
        return new SendOptions(receiver, context, key, properties.with(MessageProperties.TIME_TO_LIVE, millis));
    }

    private SendOptions withTimesOf(MessageProperties before) {
        SendOptions delayed = before.delayMillis() == 0 ? this : withDelay(before.delayMillis());
        return before.timeToLiveMillis() == 0 ? delayed : delayed.withTimeToLive(before.timeToLiveMillis());
    }
}
