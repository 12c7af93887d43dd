package ch.ethz.mlmq.driver.amqp;

import ch.ethz.mlmq.protocol.Message;
import ch.ethz.mlmq.scenario.link.Numbering;
import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Envelope;

/** Converts deliveries of RabbitMQ to messages. */
final class Deliveries {
    private final Numbering numbering;

    Deliveries(Numbering numbering) {
        this.numbering = numbering;
    }

    /** @return the message; its id is the delivery's tag on its channel */
    Message message(int queue, Envelope envelope, AMQP.BasicProperties properties, byte[] content) {
        Integer priority = properties.getPriority();
        Message.Envelope sent = new Message.Envelope(numbering.sender(content), 0, priority == null ? 0 : priority,
                context(properties.getCorrelationId()), 0);
        return new Message(envelope.getDeliveryTag(), queue, sent,
                new Message.Delivery(envelope.isRedeliver() ? 2 : 1), content);
    }

    private static long context(String correlation) {
        try {
            return correlation == null ? 0 : Long.parseLong(correlation);
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
