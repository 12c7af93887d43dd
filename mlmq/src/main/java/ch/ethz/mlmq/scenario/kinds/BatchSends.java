package ch.ethz.mlmq.scenario.kinds;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.OutgoingMessage;
import ch.ethz.mlmq.protocol.Request;
import ch.ethz.mlmq.scenario.ClientContext;
import ch.ethz.mlmq.scenario.settings.ClientKeys;
import java.util.List;
import java.util.stream.Stream;

/** Makes a client's sends to public queues: of one message, or of {@code client.batch.send} messages to one queue. */
final class BatchSends {
    private final ClientContext context;
    private final int messages;

    BatchSends(ClientContext context) {
        this.context = context;
        this.messages = context.settings().get(ClientKeys.BATCH_SEND);
    }

    static FrameType operation(Settings settings) {
        return settings.get(ClientKeys.BATCH_SEND) == 1 ? FrameType.SEND_MESSAGE : FrameType.SEND_MESSAGES;
    }

    Request next() {
        int queue = context.queue();
        return messages == 1 ? new Request.SendMessage(new int[] {queue}, 0, context.priority(), 0, "",
                context.messages().next()) : new Request.SendMessages(batch(context, queue, messages));
    }

    /** @return new messages for a queue */
    static List<OutgoingMessage> batch(ClientContext context, int queue, int messages) {
        return Stream.generate(() -> {
            int priority = context.priority();
            return new OutgoingMessage(queue, context.messages().next(), priority);
        }).limit(messages).toList();
    }
}
