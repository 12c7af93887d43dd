package ch.ethz.mlmq.broker;

import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.config.Shedding;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Request;

/**
 * What a broker takes on at most.
 *
 * @param protocol      of a single request
 * @param maxClients    connections
 * @param requestQueue  requests that wait for a worker
 * @param responseQueue answers that wait for an I/O thread
 * @param outboundMax   unread answers of a connection [bytes]
 * @param batchMax      requests in a transaction
 * @param dropsSilently whether a request that is shed gets no answer
 */
record BrokerLimits(Limits protocol, int maxClients, int requestQueue, int responseQueue, int outboundMax,
        int batchMax, boolean dropsSilently) {
    /** What the requests of a batch and their answers may hold on to [bytes]: large messages make small batches. */
    static final long BATCH_BYTES = 1 << 24;
    /** The part of the heap that waiting requests may hold on to. */
    private static final int HEAP_SHARE = 4;

    static BrokerLimits of(Settings settings) {
        return new BrokerLimits(protocol(settings), settings.get(BrokerKeys.MAX_CLIENTS),
                settings.get(BrokerKeys.REQUEST_QUEUE), settings.get(BrokerKeys.RESPONSE_QUEUE),
                settings.get(BrokerKeys.OUTBOUND_MAX), settings.get(BrokerKeys.BATCH_MAX),
                settings.get(BrokerKeys.SHEDDING) == Shedding.DROP);
    }

    private static Limits protocol(Settings settings) {
        try {
            return new Limits(settings.get(BrokerKeys.CONTENT_MAX), settings.get(BrokerKeys.FRAME_MAX));
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(BrokerKeys.FRAME_MAX.name() + ": " + e.getMessage(), e);
        }
    }

    RequestQueue newRequestQueue() {
        return new RequestQueue(requestQueue, Runtime.getRuntime().maxMemory() / HEAP_SHARE, batchMax, BATCH_BYTES);
    }

    /** @return bytes that the request or its answer may hold on to, whichever is more */
    int weight(Request request, int frameBytes) {
        return switch (request.type()) {
            case DEQUEUE_MESSAGE, PEEK_MESSAGE, RECEIVE_MESSAGE -> protocol.maxContentBytes();
            case DEQUEUE_MESSAGES -> Math.min(protocol.maxPayloadBytes(), protocol.maxContentBytes()
                    * Math.max(1, Math.min(((Request.DequeueMessages) request).max(), protocol.messagesPerFrame())));
            default -> frameBytes;
        };
    }
}
