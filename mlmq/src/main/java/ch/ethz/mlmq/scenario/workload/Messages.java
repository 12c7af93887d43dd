package ch.ethz.mlmq.scenario.workload;

import java.util.random.RandomGenerator;

/** Makes the contents of one client's messages, each with a unique id. Used by one thread at a time. */
public final class Messages {
    private final int position;
    private final int client;
    private final MessageSizes sizes;
    private final MessageContent content;
    private final RandomGenerator random;
    private int sequence;

    /**
     * @param position of the JVM among the clients
     * @param client   number in that JVM
     */
    public Messages(int position, int client, MessageSizes sizes, MessageContent content, RandomGenerator random) {
        this.position = position;
        this.client = client;
        this.sizes = sizes;
        this.content = content;
        this.random = random;
    }

    /** @return content of the next message */
    public byte[] next() {
        return next(0);
    }

    /** @return content of the next message, with the counter */
    public byte[] next(int counter) {
        MessageId id = new MessageId(position, client, sequence);
        sequence = sequence == MessageId.MAX_SEQUENCE ? 0 : sequence + 1;
        return new LoadMessage(id, counter).encode(sizes.next(random), content);
    }
}
