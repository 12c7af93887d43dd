package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.protocol.FrameType;
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

    /** A request that registers ends a batch, as those behind it need to know the client. */
    @Override
    public void dispatch(List<Exchange> received, List<Exchange> refused, List<Exchange> answered) {
        int from = 0;
        long weight = 0;
        for (int i = 0; i < received.size(); i++) {
            weight += received.get(i).weight;
            if (received.get(i).request().type() == FrameType.REGISTER || i + 1 - from == batchMax
                    || weight >= BrokerLimits.BATCH_BYTES) {
                processor.process(received.subList(from, i + 1), answered);
                from = i + 1;
                weight = 0;
            }
        }
        if (from < received.size()) {
            processor.process(received.subList(from, received.size()), answered);
        }
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
    public void undeliverable(Exchange exchange) {
        departures.undeliverable(exchange);
    }
}
