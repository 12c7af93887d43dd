package ch.ethz.mlmq.broker.execution;

import ch.ethz.mlmq.broker.io.Dispatcher;
import ch.ethz.mlmq.broker.limits.BrokerLimits;
import ch.ethz.mlmq.broker.request.ClientConnection;
import ch.ethz.mlmq.broker.request.Exchange;
import ch.ethz.mlmq.broker.request.Unconfirmed;
import ch.ethz.mlmq.broker.session.Departures;
import ch.ethz.mlmq.protocol.FrameType;
import ch.ethz.mlmq.protocol.Message;
import java.util.List;

/** Executes requests in the I/O thread itself: no queues, no workers. */
public final class InlineDispatcher implements Dispatcher {
    private final Processor processor;
    private final Departures departures;
    private final int batchMax;

    /** @param batchMax requests that are executed together at most */
    public InlineDispatcher(Processor processor, Departures departures, int batchMax) {
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
            weight += received.get(count).weight();
            registers = received.get(count).request().type() == FrameType.REGISTER;
            count++;
        }
        List<Exchange> batch = received.subList(0, count);
        processor.process(batch, answered);
        batch.clear();
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
