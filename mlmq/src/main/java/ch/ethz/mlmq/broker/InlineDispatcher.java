package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Message;
import java.util.List;

/** Executes requests in the I/O thread itself: no queues, no workers. */
final class InlineDispatcher implements Dispatcher {
    private final Processor processor;
    private final Departures departures;
    private final int batchMax;

    InlineDispatcher(Processor processor, Departures departures, int batchMax) {
        this.processor = processor;
        this.departures = departures;
        this.batchMax = batchMax;
    }

    /**
     * Takes one batch, so that its answers are written, and count as memory of their connections, before the next one
     * is executed. A request that registers ends a batch, as those behind it need to know the client.
     */
    @Override
    public void dispatch(List<Exchange> received, List<Exchange> refused, List<Exchange> answered) {
        int count = 0;
        long weight = 0;
        boolean registers = false;
        while (count < received.size() && count < batchMax && weight < BrokerLimits.BATCH_BYTES && !registers) {
            weight += received.get(count).weight;
            registers = received.get(count).request().type() == FrameType.REGISTER;
            count++;
        }
        List<Exchange> batch = received.subList(0, count);
        processor.process(batch, answered);
        batch.clear();
    }

    /** Executes a request again that had to wait for a message, in the thread of its connection. */
    static void again(Exchange exchange) {
        exchange.connection.owner.run(() -> exchange.connection.owner.execute(exchange));
    }

    @Override
    public void hold(ClientConnection connection) {
        // None of its requests waits here.
    }

    @Override
    public void waitNoMore(ClientConnection connection) {
        departures.waitNoMore(connection);
    }

    @Override
    public void resume(ClientConnection connection) {
        // Its requests are executed as they are read, and they are read again.
    }

    @Override
    public void left(ClientConnection connection) {
        departures.left(connection);
    }

    @Override
    public void cancel(Exchange exchange) {
        departures.cancel(exchange);
    }

    @Override
    public Unconfirmed leftBehind(ClientConnection connection, int request) {
        return departures.leftBehind(connection, request);
    }

    @Override
    public void putBack(List<Message> messages) {
        departures.putBack(messages);
    }

    @Override
    public void undeliverable(Exchange exchange) {
        departures.undeliverable(exchange);
    }
}
