package ch.ethz.mlmq.broker.limits;

import ch.ethz.mlmq.config.BrokerKeys;
import ch.ethz.mlmq.config.ConfigurationException;
import ch.ethz.mlmq.config.Settings;
import ch.ethz.mlmq.config.Shedding;
import ch.ethz.mlmq.protocol.Limits;
import ch.ethz.mlmq.protocol.Request;

/**
 * Limits of a broker's load and memory.
 *
 * @param protocol      limits of a single request
 * @param maxClients    connections
 * @param queues        of requests and of responses
 * @param dropsSilently true if a request that is shed gets no response
 * @param memoryMax     largest sum of begun frames and unread responses over all connections [bytes]
 * @param times         how long a connection may be silent
 */
public record BrokerLimits(Limits protocol, int maxClients, Queues queues, boolean dropsSilently, long memoryMax,
        TimeLimits times) {
    /** Bytes that the requests of a batch and their responses may hold, so that large messages make small batches. */
    public static final long BATCH_BYTES = Math.min(1 << 24, Runtime.getRuntime().maxMemory() / 16);
    /** Longest frame of a connection that has not registered [bytes of payload]. */
    public static final int STRANGERS_PAYLOAD = 1 << 14;
    /** What a request takes on the heap besides its own bytes, and each message or lease of it. */
    private static final int REQUEST_OVERHEAD = 256;
    private static final int MESSAGE_OVERHEAD = 64;
    private static final int LEASE_OVERHEAD = 32;

    /**
     * Capacities of the queues and of a batch.
     *
     * @param requests    that wait for a worker
     * @param responses   that wait for an I/O thread
     * @param outboundMax unread responses of a connection [bytes]
     * @param batchMax    requests in a transaction
     */
    public record Queues(int requests, int responses, int outboundMax, int batchMax) {
    }

    /** @return largest number of requests that wait for a worker */
    public int requestQueue() {
        return queues.requests;
    }

    /** @return largest number of responses that wait for an I/O thread */
    public int responseQueue() {
        return queues.responses;
    }

    /** @return largest size of a connection's unread responses [bytes] */
    public int outboundMax() {
        return queues.outboundMax;
    }

    /** @return largest number of requests in a transaction */
    public int batchMax() {
        return queues.batchMax;
    }

    /** @throws ConfigurationException if the settings contradict each other */
    public static BrokerLimits of(Settings settings) {
        return new BrokerLimits(protocol(settings), settings.get(BrokerKeys.MAX_CLIENTS),
                new Queues(settings.get(BrokerKeys.REQUEST_QUEUE), settings.get(BrokerKeys.RESPONSE_QUEUE),
                        settings.get(BrokerKeys.OUTBOUND_MAX), settings.get(BrokerKeys.BATCH_MAX)),
                settings.get(BrokerKeys.SHEDDING) == Shedding.DROP, memoryMax(settings), TimeLimits.of(settings));
    }

    /** The longest frame and its copy in a larger buffer must fit, or no client could ever send one. */
    private static long memoryMax(Settings settings) {
        long set = settings.get(BrokerKeys.MEMORY_MAX);
        long max = set == 0 ? MemoryBudget.share() : set;
        long needed = 2L * settings.get(BrokerKeys.FRAME_MAX);
        if (max < needed) {
            throw new ConfigurationException(BrokerKeys.MEMORY_MAX.name() + (set == 0
                    ? " is " + max + " here, a quarter of the heap or of the direct memory; " : "=" + max + ": ")
                    + "at least " + needed + " are needed, twice " + BrokerKeys.FRAME_MAX.name());
        }
        return max;
    }

    private static Limits protocol(Settings settings) {
        try {
            return new Limits(settings.get(BrokerKeys.CONTENT_MAX), settings.get(BrokerKeys.FRAME_MAX));
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(BrokerKeys.FRAME_MAX.name() + ": " + e.getMessage(), e);
        }
    }

    /** @return bytes that the request holds while it waits */
    public static int bytes(Request request, int frameBytes) {
        int messages = request instanceof Request.SendMessages bulk ? bulk.messages().size() : 0;
        int leases = request instanceof Request.OfLeases bulk ? bulk.leases().size() : 0;
        return frameBytes + REQUEST_OVERHEAD + messages * MESSAGE_OVERHEAD + leases * LEASE_OVERHEAD;
    }

    /** @return bytes that the request or its response may hold during execution, whichever is more */
    public int weight(Request request, int frameBytes) {
        if (request instanceof Request.BulkRetrieval bulk) {
            return (int) Math.min(protocol.maxPayloadBytes(),
                    (long) protocol.maxContentBytes() * Math.max(1, bulk.max()));
        }
        return request instanceof Request.Retrieval ? protocol.maxContentBytes() : frameBytes;
    }
}
