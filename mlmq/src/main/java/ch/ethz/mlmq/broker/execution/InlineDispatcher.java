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

/** Executes requests in the I/O thread itself, without queues and workers. */
public final class InlineDispatcher implements Dispatcher {
    private final Processor processor;
    private final Departures departures;
    private final int batchMax;

    /** @param batchMax largest number of requests that are executed together */
    public InlineDispatcher(Processor processor, Departures departures, int batchMax) {
        this.processor = processor;
        this.departures = departures;
        this.batchMax = batchMax;
    }

    /**
     * Executes one batch. Its responses are written, and count as memory of their connections, before the next batch is
     * executed. A request that registers ends a batch, because the requests behind it depend on the client.
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
        processor.process(batch, answered, waiting -> false);
        batch.clear();
    }

    @Override
    public void hold(ClientConnection connection) {
        // No request waits in a queue here.
    }

    @Override
    public void waitNoMore(ClientConnection connection) {
        departures.waitNoMore(connection);
    }

    @Override
    public void resume(ClientConnection connection) {
        // Requests are executed as they are read, so there is nothing to resume.
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
    public void requeue(List<Message> messages) {
        departures.requeue(messages);
    }

    @Override
    public void undeliverable(Exchange exchange) {
        departures.undeliverable(exchange);
    }
}
