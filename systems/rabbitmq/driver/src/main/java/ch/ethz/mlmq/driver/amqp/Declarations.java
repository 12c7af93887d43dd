package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.scenario.settings.DriverKeys;
import ch.ethz.mlmq.scenario.settings.DriverKeys.QueueKind;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Declares durable queues of the kind in the settings. Each call waits for its response. */
final class Declarations {
    private static final int PRIORITIES = 10;

    private final Connection connection;
    private final QueueNames names;
    private final Map<String, Object> arguments = new HashMap<>();
    private Channel channel;

    Declarations(Connection connection, QueueNames names, Settings settings) {
        this.connection = connection;
        this.names = names;
        boolean quorum = settings.get(DriverKeys.QUEUE) == QueueKind.QUORUM;
        arguments.put("x-queue-type", quorum ? "quorum" : "classic");
        if (settings.get(DriverKeys.PRIORITIES)) {
            arguments.put("x-max-priority", PRIORITIES);
        }
    }

    synchronized void declare(int queue) throws IOException {
        channel().queueDeclare(names.of(queue), true, false, false, arguments);
    }

    /** Asks whether a queue exists; RabbitMQ answers "no" by closing the channel. */
    synchronized boolean isThere(int queue) throws IOException {
        try {
            channel().queueDeclarePassive(names.of(queue));
            return true;
        } catch (IOException e) {
            if (e.getCause() instanceof ShutdownSignalException cause
                    && cause.getReason() instanceof AMQP.Channel.Close close
                    && close.getReplyCode() == AMQP.NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }

    private Channel channel() throws IOException {
        if (channel == null || !channel.isOpen()) {
            channel = connection.createChannel();
        }
        return channel;
    }
}
