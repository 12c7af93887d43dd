package ch.ethz.mlmq.client;

import ch.ethz.mlmq.protocol.Limits;
import java.util.List;

/**
 * How a client reaches its brokers and how long it waits for them.
 *
 * @param brokers              tried in this order, beginning again after the last
 * @param inflightMax          most requests that may wait for an answer at a time; also refused are requests while more
 *                             than four of the longest frames wait for being sent
 * @param requestTimeoutMillis how long an answer may take [ms]; for a query that waits, on top of its wait
 * @param connectTimeoutMillis how long a connection may take to come about [ms]
 * @param backoffMinMillis     about how long it waits before it connects again [ms]; twice that after each failed round
 * @param backoffMaxMillis     at which that stops growing [ms]
 * @param maxPayloadBytes      longest frame sent or accepted, after its length [bytes]; 8,192 more than the broker's
 *                             longest message at least
 */
public record ClientConfig(List<BrokerAddress> brokers, int inflightMax, int requestTimeoutMillis,
                           int connectTimeoutMillis, int backoffMinMillis, int backoffMaxMillis,
                           int maxPayloadBytes) {
    private static final int GREATEST_INFLIGHT = 1 << 20;
    /** More than a broker gives its database, so that its answer says what is wrong. */
    private static final int DEFAULT_REQUEST_TIMEOUT_MILLIS = 10_000;

    public ClientConfig {
        brokers = List.copyOf(brokers);
        if (brokers.isEmpty()) {
            throw new IllegalArgumentException("a client needs the address of at least one broker");
        }
        atLeast("inflight.max", inflightMax, 1);
        if (inflightMax > GREATEST_INFLIGHT) {
            throw new IllegalArgumentException("inflight.max is at most " + GREATEST_INFLIGHT + ", not " + inflightMax);
        }
        atLeast("timeout [ms]", requestTimeoutMillis, 1);
        atLeast("connect timeout [ms]", connectTimeoutMillis, 1);
        atLeast("reconnect backoff [ms]", backoffMinMillis, 1);
        atLeast("greatest reconnect backoff [ms]", backoffMaxMillis, backoffMinMillis);
        atLeast("longest frame [bytes]", maxPayloadBytes, 1_024);
    }

    /** @param brokers {@code host:port,host:port}, first choice first */
    public static ClientConfig of(String brokers) {
        return builder().brokers(BrokerAddress.parseList(brokers)).build();
    }

    public static Builder builder() {
        return new Builder();
    }

    private static void atLeast(String what, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException("the " + what + " of a client is at least " + least + ", not " + value);
        }
    }

    /** Collects what differs from the defaults. */
    public static final class Builder {
        private List<BrokerAddress> brokers = List.of();
        private int inflightMax = 1_000;
        private int requestTimeoutMillis = DEFAULT_REQUEST_TIMEOUT_MILLIS;
        private int connectTimeoutMillis = 3_000;
        private int backoffMinMillis = 50;
        private int backoffMaxMillis = 5_000;
        private int maxPayloadBytes = Limits.DEFAULT_PAYLOAD_BYTES;

        private Builder() {
        }

        public Builder brokers(List<BrokerAddress> addresses) {
            brokers = addresses;
            return this;
        }

        public Builder inflightMax(int requests) {
            inflightMax = requests;
            return this;
        }

        public Builder requestTimeoutMillis(int millis) {
            requestTimeoutMillis = millis;
            return this;
        }

        public Builder connectTimeoutMillis(int millis) {
            connectTimeoutMillis = millis;
            return this;
        }

        public Builder backoffMillis(int min, int max) {
            backoffMinMillis = min;
            backoffMaxMillis = max;
            return this;
        }

        public Builder maxPayloadBytes(int bytes) {
            maxPayloadBytes = bytes;
            return this;
        }

        public ClientConfig build() {
            return new ClientConfig(brokers, inflightMax, requestTimeoutMillis, connectTimeoutMillis, backoffMinMillis,
                    backoffMaxMillis, maxPayloadBytes);
        }
    }
}
